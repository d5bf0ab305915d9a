#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "geo/drawing/german_text.hpp"
#include "http/web/economics/charts.hpp"
#include "http/web/economics/computation.hpp"
#include "http/web/economics/economics_page.hpp"
#include "http/web/economics/form_data.hpp"

namespace http {
namespace {

/// For a program: decimal comma, no groups, a hyphen for minus.
std::string cell(double value, int decimals) {
  std::string text = geo::plain_number(value, decimals);
  std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

/// Quotes the text if needed. A text that begins like a formula gets an apostrophe, so that no spreadsheet
/// computes it.
std::string cell(const std::string& text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text[0]) < 6;
  std::string safe = (formula ? "'" : "") + text;
  if (safe.find_first_of(";\"\n\r") == std::string::npos) return safe;
  return "\"" + boost::replace_all_copy(safe, "\"", "\"\"") + "\"";
}

class Csv {
 public:
  Csv& text(const std::string& value) { return put(cell(value)); }
  Csv& number(double value, int decimals = 2) { return put(cell(value, decimals)); }
  void end() { (out_ += "\r\n", first_ = true); }
  void row(std::initializer_list<const char*> texts) {
    for (const char* t : texts) text(t);
    end();
  }
  std::string bytes() && { return std::move(out_); }

 private:
  Csv& put(const std::string& ready) {
    if (!first_) out_ += ';';
    first_ = false;
    out_ += ready;
    return *this;
  }
  std::string out_ = "\xEF\xBB\xBF";
  bool first_ = true;
};

void write_assumptions(Csv& csv, const EconomicsInput& input, const EconomicsForm& form) {
  const Assumptions& a = form.assumptions;
  const std::string money(currency_of(input.country).name), hundredth(currency_of(input.country).hundredth);
  const auto line = [&](const std::string& name, double value, const std::string& unit) {
    csv.text(name).number(value).text(unit).end();
  };
  csv.text("Projekt").text(input.project_name).end();
  csv.text("Gerechnet am").text(geo::german_day(input.today)).end();
  csv.text("Land").text(input.country).end();
  csv.text("Lastprofil").text(input.load_profile).end();
  line("Jahresverbrauch", input.consumption_kwh, "kWh");
  csv.text("Belegung").text(layout_code(a.layout)).end();
  for (std::size_t i = 0; i < a.by_surface.size(); ++i)
    if (a.by_surface[i] > 0) line("Module auf " + input.analysis.surfaces[i].name, a.by_surface[i], "Stück");
  line("Leistung", a.kwp(input.analysis), "kWp");
  line("Speicher, nutzbar", a.storage_kwh, "kWh");
  line("Strompreis", a.price, hundredth + "/kWh");
  line("Anstieg des Preises", a.price_rise_pct, "%/a");
  csv.text("Vergütung").text(a.tariff ? a.tariff->name + ", " + a.tariff->period : "Eigene Angabe").end();
  if (a.tariff) csv.text("Quelle der Vergütung").text(a.tariff->source).end();
  if (a.tariff)
    if (const auto remarks = remarks_on(*a.tariff, a.kwp(input.analysis), a.years, input.today);
        !remarks.empty())
      csv.text("Hinweis zur Vergütung").text(remarks).end();
  if (a.tariff && a.tariff->paid_years) line("Vergütung wird bezahlt", *a.tariff->paid_years, "a");
  line("Kosten der Anlage", a.plant_cost(input.analysis), money);
  line("Kosten des Speichers", a.storage_cost(), money);
  line("Betrieb", a.operation_per_year, money + "/a");
  line("Alterung", a.degradation_pct, "%/a");
  line("Kalkulationszins", a.discount_pct, "%");
  line("Jahre", a.years, "a");
  line("Speicher ersetzt alle", a.storage_years, "a");
  for (const auto& [field, fault] : form.faults) csv.text("Nicht übernommen: " + field).text(fault).end();
}

void write_outcomes(Csv& csv, const Economics& e, const Currency& currency) {
  csv.end();
  csv.row({"Ergebnis", "ein Haushalt oder Betrieb", "Lastprofil", "Band tief", "Band hoch"});
  const auto line = [&](const std::string& name, const auto& figure, int decimals = 2) {
    csv.text(name);
    for (const Outcome* o : {&e.main(), &e.profile, &e.low, &e.high}) {
      const std::optional<double> value = figure(*o);
      value ? csv.number(*value, decimals) : csv.text("");
    }
    csv.end();
  };
  const std::string money(currency.name), hundredth(currency.hundredth);
  line("Erzeugung kWh/a", [](const Outcome& o) { return o.energy.generation; });
  line("Eigenverbrauch %", [](const Outcome& o) { return 100 * o.energy.self_consumption(); });
  line("Autarkie %", [](const Outcome& o) { return 100 * o.energy.self_sufficiency(); });
  line(
      "Vergütung " + hundredth + "/kWh", [&](const Outcome&) { return 100 * e.feed_in; }, 3);
  line("Ersparnis und Erlös im 1. Jahr, nach Betrieb " + money,
       [](const Outcome& o) -> std::optional<double> {
         return o.money.years.empty() ? std::nullopt : std::optional(o.money.years[0].net);
       });
  line("Bezahlt nach Jahren", [](const Outcome& o) { return o.money.payback_years; });
  line("Kapitalwert " + money, [](const Outcome& o) { return o.money.net_present_value; });
  line("Interner Zinsfuß %", [](const Outcome& o) -> std::optional<double> {
    return o.money.internal_rate ? std::optional(100 * *o.money.internal_rate) : std::nullopt;
  });
  csv.text("Faktor eines Haushalts").number(e.household_share).end();
  csv.text("Band: Ertrag ± %").number(e.yield_error_pct).end();
  csv.text("Band: selbst genutzter Strom ± %").number(kSelfUseErrorPct).end();
  line("Gestehungskosten " + hundredth + "/kWh", [](const Outcome& o) -> std::optional<double> {
    return o.money.levelised_per_kwh ? std::optional(100 * *o.money.levelised_per_kwh) : std::nullopt;
  });
}

void write_months(Csv& csv, const geo::YearBalance& year) {
  csv.end();
  csv.row({"Monat (Lastprofil), kWh", "Erzeugung", "sofort genutzt", "in den Speicher", "eingespeist",
           "Verbrauch", "aus dem Speicher", "aus dem Netz"});
  for (std::size_t month = 0; month < 12; ++month) {
    const geo::EnergyBalance& b = year.months[month];
    csv.text(kMonthNames[month]);
    for (const double kwh :
         {b.generation, b.direct, b.charged, b.fed_in, b.consumption, b.discharged, b.drawn})
      csv.number(kwh);
    csv.end();
  }
}

void write_years(Csv& csv, const Economics& e, const std::string& money) {
  csv.end();
  csv.text("Jahr").text("Erzeugung kWh");
  for (const char* name : {"gespart", "eingespeist", "Ausgaben", "netto", "aufgelaufen"})
    csv.text(std::string(name) + " " + money);
  csv.end();
  csv.number(0, 0).number(0).number(0).number(0).number(e.cost).number(-e.cost).number(-e.cost).end();
  int number = 0;
  for (const geo::YearOfMoney& y : e.main().money.years) {
    csv.number(++number, 0);
    for (const double value : {y.generation_kwh, y.saved, y.fed_in, y.spent, y.net, y.cumulative})
      csv.number(value);
    csv.end();
  }
}

}  // namespace

std::string economics_csv(const EconomicsInput& input, const NameValues& query) {
  const EconomicsForm form = read_economics_form(input, query);
  const auto economics = compute_economics(input, form.assumptions);
  const Currency currency = currency_of(input.country);
  Csv csv;
  write_assumptions(csv, input, form);
  if (!economics) {
    csv.row({"Für diesen Ort gibt es keine Strahlungsdaten."});
    return std::move(csv).bytes();
  }
  write_outcomes(csv, *economics, currency);
  write_months(csv, economics->profile_year);
  write_years(csv, *economics, std::string(currency.name));
  return std::move(csv).bytes();
}

}  // namespace http
