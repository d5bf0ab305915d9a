#include "http/web/economics/economics_form.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geo/drawing/german_text.hpp"
#include "http/web/economics/typed_number.hpp"

namespace http {
namespace {

constexpr const char* kOwnTariff = "eigene";

/// Offers differ; these are a visitor's first guess, in the country's currency.
struct CountryDefaults {
  double price, cost_per_kwp, storage_cost_per_kwh, feed_in;
};
CountryDefaults defaults_of(std::string_view country) {
  if (country == "CH") return {28, 2000, 800, 6.0};
  if (country == "AT") return {30, 1800, 720, 6.0};  // with 20 % value added tax, which Germany does not take
  return {35, 1500, 600, 7.7};
}
constexpr double kOperationOfCost = 0.015;  ///< a year

struct NumberRule {
  const char* name;
  double least, most;
  bool whole = false;
  bool grouped = false;  ///< "6.000" is six thousand
};

class Reader {
 public:
  Reader(const EconomicsInput& input, const NameValues& query) : input_(input), query_(query) {}

  EconomicsForm read() {
    Assumptions& a = form_.assumptions;
    const CountryDefaults defaults = defaults_of(input_.country);
    read_layout();
    number({"speicher_kwh", 0, 1000, false, true}, a.storage_kwh, 0);
    number({"preis_ct", 0, 500}, a.price, defaults.price);
    number({"preisanstieg_pct", -10, 20}, a.price_rise_pct, 0);
    number({"verguetung_ct", 0, 100}, a.own_feed_in, defaults.feed_in);
    read_tariff();
    number({"kosten_kwp", 0, 20000, false, true}, a.cost_per_kwp, defaults.cost_per_kwp);
    optional_number({"kosten_gesamt", 0, 1e7, false, true}, a.cost_total);
    number({"speicherkosten", 0, 10000, false, true}, a.storage_cost_per_kwh, defaults.storage_cost_per_kwh);
    std::optional<double> operation;
    optional_number({"betrieb", 0, 1e6, false, true}, operation);
    a.operation_per_year = operation.value_or(kOperationOfCost * a.plant_cost(input_.analysis));
    number({"alterung_pct", 0, 5}, a.degradation_pct, 0.5);
    number({"zins_pct", 0, 20}, a.discount_pct, 3);
    number({"jahre", 5, 40, true, true}, a.years, 20);
    number({"speicherjahre", 1, 40, true, true}, a.storage_years, 15);
    return std::move(form_);
  }

 private:
  /// What was sent; none when nothing was, or only spaces.
  std::optional<std::string> typed(const std::string& name) {
    std::optional<std::string> first;
    for (const auto& [n, v] : query_) {
      if (n != name) continue;
      if (first) {
        form_.faults[name] = "Die Angabe steht mehrfach in der Adresse. Die erste gilt.";
        break;
      }
      first = shortened(trimmed(v));
    }
    if (first && first->empty()) first.reset();
    return first;
  }

  std::optional<double> valid_number(const NumberRule& rule) {
    const auto text = typed(rule.name);
    if (!text) return {};
    form_.shown[rule.name] = *text;
    const auto value = typed_number(*text, rule.grouped);
    const bool right =
        value && *value >= rule.least && *value <= rule.most && (!rule.whole || *value == std::floor(*value));
    if (right) return value;
    form_.faults[rule.name] = std::string("Bitte eine ") + (rule.whole ? "ganze " : "") + "Zahl von " +
                              geo::german_number(rule.least, 0) + " bis " + geo::german_number(rule.most, 0) +
                              ". Gerechnet wird mit der Voreinstellung.";
    return {};
  }

  void number(const NumberRule& rule, double& into, double fallback) {
    into = valid_number(rule).value_or(fallback);
    form_.shown.try_emplace(rule.name, typable(fallback));
    form_.computed_with[rule.name] = typable(into);
  }

  void optional_number(const NumberRule& rule, std::optional<double>& into) {
    into = valid_number(rule);
    form_.shown.try_emplace(rule.name, "");
    if (into) form_.computed_with[rule.name] = typable(*into);
  }

  /// A surface whose yield is unknown carries no modules here.
  int possible(std::size_t i) const {
    const geo::RoofSurface& surface = input_.analysis.surfaces[i];
    return surface.yield_kwh_per_kwp ? surface.modules_possible() : 0;
  }

  std::vector<int> recommended() const {
    std::vector<int> modules;
    for (std::size_t i = 0; i < input_.analysis.surfaces.size(); ++i)
      modules.push_back(std::min(possible(i), input_.analysis.surfaces[i].modules_recommended));
    return modules;
  }

  /// Surfaces in the order in which the recommendation fills them.
  std::vector<int> best_first(int modules) const {
    const auto& surfaces = input_.analysis.surfaces;
    std::vector<std::size_t> order(surfaces.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return surfaces[a].yield_kwh_per_kwp.value_or(0) > surfaces[b].yield_kwh_per_kwp.value_or(0);
    });
    std::vector<int> put(surfaces.size());
    for (const std::size_t i : order) modules -= put[i] = std::min(modules, possible(i));
    return put;
  }

  LayoutChoice layout_choice() {
    const auto sent = typed("belegung");
    const auto has = [&](std::string_view beginning) {
      return std::any_of(query_.begin(), query_.end(),
                         [&](const auto& field) { return field.first.starts_with(beginning); });
    };
    if (sent == "empfohlen") return LayoutChoice::recommended;
    if (sent == "module" || (!sent && has("module"))) return LayoutChoice::best_first;
    if (sent == "flaechen" || (!sent && has("flaeche_"))) return LayoutChoice::by_surface;
    if (sent) form_.faults["belegung"] = "Diese Belegung gibt es nicht. Gerechnet wird mit der empfohlenen.";
    return LayoutChoice::recommended;
  }

  void read_layout() {
    Assumptions& a = form_.assumptions;
    a.layout = layout_choice();
    const std::vector<int> advised = recommended();
    int all = 0;
    for (std::size_t i = 0; i < advised.size(); ++i) all += possible(i);
    number({"module", 0, static_cast<double>(all), true, true}, a.modules,
           std::accumulate(advised.begin(), advised.end(), 0));
    std::vector<int> by_hand;
    for (std::size_t i = 0; i < advised.size(); ++i) {
      const std::string name = surface_field(input_.analysis.surfaces[i].id);
      double modules = 0;
      number({name.c_str(), 0, static_cast<double>(possible(i)), true, true}, modules, advised[i]);
      by_hand.push_back(static_cast<int>(modules));
    }
    a.by_surface = a.layout == LayoutChoice::recommended  ? advised
                   : a.layout == LayoutChoice::best_first ? best_first(static_cast<int>(a.modules))
                                                          : by_hand;
  }

  void read_tariff() {
    const auto presets = tariff_presets(input_.country);
    const auto sent = typed("verguetung");
    const bool own = sent ? *sent == kOwnTariff : typed("verguetung_ct").has_value();
    if (!own && !presets.empty()) {
      const auto named = std::find_if(presets.begin(), presets.end(), [&](const TariffPreset& p) {
        return sent ? p.id == *sent : holds_on(p, input_.today);
      });
      if (sent && named == presets.end())
        form_.faults["verguetung"] = "Diese Vergütung gibt es hier nicht. Gerechnet wird mit der ersten.";
      form_.assumptions.tariff = named == presets.end() ? presets.front() : *named;
    }
    form_.shown["verguetung"] = form_.assumptions.tariff ? form_.assumptions.tariff->id : kOwnTariff;
    form_.computed_with["verguetung"] = form_.shown["verguetung"];
  }

  const EconomicsInput& input_;
  const NameValues& query_;
  EconomicsForm form_;
};

}  // namespace

double Assumptions::kwp(const geo::RoofAnalysis& analysis) const {
  return geo::peak_power_kwp(analysis, std::accumulate(by_surface.begin(), by_surface.end(), 0));
}

double Assumptions::plant_cost(const geo::RoofAnalysis& analysis) const {
  return cost_total.value_or(kwp(analysis) * cost_per_kwp);
}

EconomicsForm read_economics_form(const EconomicsInput& input, const NameValues& query) {
  return Reader(input, query).read();
}

std::string surface_field(int surface_id) { return "flaeche_" + std::to_string(surface_id); }

}  // namespace http
