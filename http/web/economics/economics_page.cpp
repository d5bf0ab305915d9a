#include "http/web/economics/economics_page.hpp"

#include <numeric>

#include "geo/drawing/german_text.hpp"
#include "http/web/economics/charts.hpp"
#include "http/web/economics/computation.hpp"
#include "http/web/economics/form_data.hpp"

namespace http {
namespace {

using geo::german_number;

TemplateData object_of(std::initializer_list<std::pair<const char*, std::string>> texts) {
  TemplateData data(TemplateData::type::object);
  for (const auto& [name, text] : texts) data.set(name, text);
  return data;
}

std::string percent(double share) { return german_number(100 * share, 1) + "\u00a0%"; }

struct Words {
  std::string money, hundredth;
  explicit Words(const Currency& currency) : money(currency.name), hundredth(currency.hundredth) {}
  std::string sum(double value) const { return german_number(value, 0) + " " + money; }
  std::string rate(double value) const { return german_number(100 * value, 2) + " " + hundredth; }
  std::string payback(const geo::CashFlow& flow) const {
    return flow.payback_years ? german_number(*flow.payback_years, 1) + " Jahren" : "nicht in dieser Zeit";
  }
};

/// A row of the comparison: the figure for each of the outcomes.
template <class Figure>
TemplateData comparison_row(const std::string& name, const Economics& e, const Figure& figure) {
  return object_of({{"groesse", name},
                    {"einer", figure(e.main())},
                    {"profilwert", figure(e.profile)},
                    {"tief", figure(e.low)},
                    {"hoch", figure(e.high)}});
}

TemplateData comparison(const Economics& e, const Words& words) {
  TemplateData rows(TemplateData::type::list);
  const auto row = [&](const char* name, const auto& figure) { rows << comparison_row(name, e, figure); };
  row("Erzeugung im Jahr", [](const Outcome& o) { return german_number(o.energy.generation, 0) + " kWh"; });
  row("Eigenverbrauch (Anteil der Erzeugung)",
      [](const Outcome& o) { return percent(o.energy.self_consumption()); });
  row("Autarkie (Anteil des Verbrauchs)",
      [](const Outcome& o) { return percent(o.energy.self_sufficiency()); });
  row("Ersparnis und Erlös im 1. Jahr, nach Betrieb",
      [&](const Outcome& o) { return o.money.years.empty() ? "–" : words.sum(o.money.years[0].net); });
  row("Bezahlt nach", [&](const Outcome& o) { return words.payback(o.money); });
  row("Kapitalwert", [&](const Outcome& o) { return words.sum(o.money.net_present_value); });
  row("Interner Zinsfuß",
      [](const Outcome& o) { return o.money.internal_rate ? percent(*o.money.internal_rate) : "–"; });
  row("Gestehungskosten je kWh", [&](const Outcome& o) {
    return o.money.levelised_per_kwh ? words.rate(*o.money.levelised_per_kwh) : "–";
  });
  return rows;
}

TemplateData month_rows(const geo::YearBalance& year) {
  TemplateData rows(TemplateData::type::list);
  const auto row = [&](const std::string& name, const geo::EnergyBalance& b) {
    const auto kwh = [](double value) { return german_number(value, 0); };
    rows << object_of({{"monat", name},
                       {"m_erzeugung", kwh(b.generation)},
                       {"m_direkt", kwh(b.direct)},
                       {"m_geladen", kwh(b.charged)},
                       {"m_eingespeist", kwh(b.fed_in)},
                       {"m_verbrauch", kwh(b.consumption)},
                       {"m_entladen", kwh(b.discharged)},
                       {"m_netz", kwh(b.drawn)}});
  };
  for (std::size_t month = 0; month < 12; ++month) row(kMonthNames[month], year.months[month]);
  row("Jahr", year.year);
  return rows;
}

TemplateData hour_rows(const geo::YearBalance& year) {
  TemplateData rows(TemplateData::type::list);
  for (std::size_t hour = 0; hour < 24; ++hour) {
    TemplateData cells(TemplateData::type::list);
    for (const geo::SeasonDay& day : year.seasons)
      for (const geo::DayLoad* load : {&day.generation, &day.consumption}) {
        const auto begin = load->begin() + static_cast<std::ptrdiff_t>(4 * hour);
        cells << object_of({{"kw", german_number(std::accumulate(begin, begin + 4, 0.0), 2)}});
      }
    TemplateData row(TemplateData::type::object);
    row.set("stunde", std::to_string(hour) + "–" + std::to_string(hour + 1));
    row.set("leistungen", cells);
    rows << row;
  }
  return rows;
}

TemplateData money_rows(const geo::CashFlow& money) {
  TemplateData rows(TemplateData::type::list);
  const auto whole = [](double value) { return german_number(value, 0); };
  for (std::size_t i = 0; i < money.years.size(); ++i) {
    const geo::YearOfMoney& y = money.years[i];
    rows << object_of({{"jahr", std::to_string(i + 1)},
                       {"j_kwh", whole(y.generation_kwh)},
                       {"j_gespart", whole(y.saved)},
                       {"j_eingespeist", whole(y.fed_in)},
                       {"j_ausgaben", whole(y.spent)},
                       {"j_netto", whole(y.net)},
                       {"j_summe", whole(y.cumulative)}});
  }
  return rows;
}

TemplateData day_charts(const geo::YearBalance& year) {
  TemplateData list(TemplateData::type::list);
  for (std::size_t season = 0; season < geo::kSeasonsOfSun; ++season)
    list << object_of({{"tag_html", day_chart(year, season)}});
  return list;
}

void add_charts(const Economics& e, const Currency& currency, TemplateData& data) {
  data.set("aufteilung_html", split_chart(e.main().energy));
  data.set("monate_html", month_chart(e.profile_year));
  data.set("geld_html", money_chart(e, currency));
  data.set("tage", day_charts(e.profile_year));
  data.set("monatszeilen", month_rows(e.profile_year));
  data.set("stundenzeilen", hour_rows(e.profile_year));
  data.set("jahreszeilen", money_rows(e.main().money));
}

void add_figures(const EconomicsInput& input, const Economics& e, const Words& words, TemplateData& data) {
  const Outcome& main = e.main();
  data.set("kwp", german_number(e.kwp, 2));
  data.set("kwh", german_number(main.energy.generation, 0));
  data.set("spez", german_number(e.kwh_per_kwp, 0));
  data.set("eigenverbrauch", german_number(100 * main.energy.self_consumption(), 0));
  data.set("autarkie", german_number(100 * main.energy.self_sufficiency(), 0));
  data.set("bezahlt", main.money.payback_years ? german_number(*main.money.payback_years, 1) : "–");
  const std::string soonest = words.payback(e.high.money), latest = words.payback(e.low.money);
  data.set("wird_bezahlt", main.money.payback_years.has_value());
  data.set("bezahlt_band", soonest == latest ? soonest : soonest + " bis " + latest);
  data.set("kapitalwert", german_number(main.money.net_present_value, 0));
  data.set("kapitalwert_band",
           words.sum(e.low.money.net_present_value) + " bis " + words.sum(e.high.money.net_present_value));
  data.set("kosten_summe", words.sum(e.cost));
  data.set("haushalt", e.household.has_value());
  data.set("profil", input.load_profile);
  data.set("eigen_profil", percent(e.profile.energy.self_consumption()));
  data.set("eigen_haushalt", percent(main.energy.self_consumption()));
  data.set("haushalt_anteil", german_number(e.household_share, 2));
  data.set("ertragsfehler", german_number(e.yield_error_pct, 1));
  data.set("klimafehler", german_number(kClimateErrorPct, 0));
  data.set("nutzungsfehler", german_number(kSelfUseErrorPct, 0));
  data.set("vergleich", comparison(e, words));
}

void add_tariff(const EconomicsInput& input, const Assumptions& a, const Economics& e, const Words& words,
                TemplateData& data) {
  data.set("verguetung_satz", words.rate(e.feed_in));
  data.set("verguetung_name", a.tariff ? a.tariff->name + ", " + a.tariff->period : "Eigene Angabe");
  data.set("verguetung_quelle",
           a.tariff ? TemplateData(a.tariff->source) : TemplateData(TemplateData::type::bool_false));
  const std::string limits = a.tariff ? remarks_on(*a.tariff, e.kwp, a.years, input.today) : std::string();
  data.set("verguetung_grenzen",
           limits.empty() ? TemplateData(TemplateData::type::bool_false) : TemplateData(limits));
  data.set("volleinspeisung", a.tariff && a.tariff->full_feed_in);
}

void add_project(const EconomicsInput& input, const std::string& own_address, TemplateData& data) {
  data.set("projekt_name", input.project_name);
  data.set("projekt_url", input.project_address);
  data.set("eigene_url", own_address);
  data.set("verbrauch", german_number(input.consumption_kwh, 0));
  data.set("ohne_verbrauch", !(input.consumption_kwh > 0));
  data.set("waehrung", std::string(currency_of(input.country).name));
}

/// Names that the template asks for where there are no figures.
void add_nothing(TemplateData& data) {
  for (const char* name : {"kwp",
                           "kwh",
                           "spez",
                           "eigenverbrauch",
                           "autarkie",
                           "bezahlt",
                           "bezahlt_band",
                           "kapitalwert",
                           "kapitalwert_band",
                           "kosten_summe",
                           "profil",
                           "eigen_profil",
                           "eigen_haushalt",
                           "haushalt_anteil",
                           "ertragsfehler",
                           "klimafehler",
                           "nutzungsfehler",
                           "verguetung_satz",
                           "verguetung_name",
                           "aufteilung_html",
                           "monate_html",
                           "geld_html"})
    data.set(name, std::string());
  for (const char* name :
       {"haushalt", "verguetung_quelle", "verguetung_grenzen", "volleinspeisung", "wird_bezahlt"})
    data.set(name, TemplateData(TemplateData::type::bool_false));
  for (const char* name : {"vergleich", "tage", "monatszeilen", "stundenzeilen", "jahreszeilen"})
    data.set(name, TemplateData(TemplateData::type::list));
}

}  // namespace

TemplateData economics_page(const EconomicsInput& input, const NameValues& query,
                            const std::string& own_address) {
  const EconomicsForm form = read_economics_form(input, query);
  const auto economics = compute_economics(input, form.assumptions);
  const Currency currency = currency_of(input.country);
  const Words words(currency);
  TemplateData data(TemplateData::type::object);
  add_project(input, own_address, data);
  add_form(input, form, data);
  data.set("csv_url", input.csv_address + "?" + query_of(form));
  data.set("teilen_url", own_address + "?" + query_of(form));
  const bool without_modules = economics && !(economics->kwp > 0);
  data.set("ohne_strahlung", !economics.has_value());
  data.set("leer", without_modules);
  data.set("ergebnis", economics && !without_modules);
  if (!economics || without_modules) return add_nothing(data), data;
  add_figures(input, *economics, words, data);
  add_tariff(input, form.assumptions, *economics, words, data);
  add_charts(*economics, currency, data);
  return data;
}

}  // namespace http
