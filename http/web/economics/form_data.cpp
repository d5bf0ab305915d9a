#include "http/web/economics/form_data.hpp"

#include "geo/drawing/german_text.hpp"

namespace http {
namespace {

TemplateData or_none(const std::string& text) {
  return text.empty() ? TemplateData(TemplateData::type::bool_false) : TemplateData(text);
}

TemplateData field_data(const FormField& field, const EconomicsForm& form) {
  const auto found = [&](const std::map<std::string, std::string>& texts) {
    const auto at = texts.find(field.name);
    return at == texts.end() ? std::string() : at->second;
  };
  TemplateData data(TemplateData::type::object);
  data.set("feld", field.name);
  data.set("feld_titel", field.title);
  data.set("einheit", field.unit);
  data.set("wert", found(form.shown));
  data.set("hinweis", or_none(field.hint));
  data.set("fehler", or_none(found(form.faults)));
  return data;
}

TemplateData fields_data(const std::vector<FormField>& fields, const EconomicsForm& form) {
  TemplateData list(TemplateData::type::list);
  for (const FormField& field : fields) list << field_data(field, form);
  return list;
}

TemplateData option(const std::string& value, const std::string& title, bool chosen) {
  TemplateData data(TemplateData::type::object);
  data.set("option", value);
  data.set("option_titel", title);
  data.set("gewaehlt", chosen);
  return data;
}

TemplateData layout_options(LayoutChoice chosen) {
  TemplateData list(TemplateData::type::list);
  const auto add = [&](LayoutChoice layout, const char* title) {
    list << option(layout_code(layout), title, layout == chosen);
  };
  add(LayoutChoice::recommended, "wie empfohlen");
  add(LayoutChoice::best_first, "Anzahl Module, die besten Flächen zuerst");
  add(LayoutChoice::by_surface, "je Dachfläche");
  return list;
}

TemplateData tariff_options(const EconomicsInput& input, const std::string& chosen) {
  TemplateData list(TemplateData::type::list);
  for (const TariffPreset& preset : tariff_presets(input.country))
    list << option(preset.id, preset.name + ", " + preset.period, preset.id == chosen);
  list << option("eigene", "Eigene Angabe (Feld daneben)", chosen == "eigene");
  return list;
}

}  // namespace

std::vector<FormField> plant_fields() {
  return {{"module", "Module", "Stück", "Gilt bei „Anzahl Module“."},
          {"speicher_kwh", "Speicher, nutzbar", "kWh", "0: ohne Speicher."}};
}

std::vector<FormField> price_fields(const Currency& currency) {
  const std::string unit = std::string(currency.hundredth) + " je kWh";
  return {{"preis_ct", "Strompreis", unit, "Arbeitspreis, den Sie heute zahlen, mit Steuern."},
          {"preisanstieg_pct", "Anstieg des Preises", "% im Jahr",
           "Schon wenige Prozent können das Ergebnis vervielfachen. Voreingestellt ist keiner."},
          {"verguetung_ct", "Eigene Vergütung", unit, "Gilt bei „Eigene Angabe“."}};
}

std::vector<FormField> cost_fields(const Currency& currency, const std::string& operation) {
  const std::string money(currency.name);
  return {{"kosten_kwp", "Kosten der Anlage", money + " je kWp",
           "Annahme. Setzen Sie Ihr Angebot ein, mit Steuern (Betriebe mit Vorsteuerabzug ohne)."},
          {"kosten_gesamt", "oder Kosten gesamt", money, "Ohne Speicher. Leer: aus den Kosten je kWp."},
          {"speicherkosten", "Kosten des Speichers", money + " je kWh", "Auch für den Ersatz."},
          {"betrieb", "Betrieb", money + " im Jahr",
           "Versicherung, Zähler, Wartung. Leer: 1,5 % der Kosten der Anlage" + operation + "."},
          {"alterung_pct", "Alterung der Module", "% im Jahr", ""},
          {"zins_pct", "Kalkulationszins", "% im Jahr", "Was Ihr Geld anderswo brächte."},
          {"jahre", "Betrachtet werden", "Jahre", "5 bis 40."},
          {"speicherjahre", "Speicher ersetzt alle", "Jahre", "Nicht mehr im letzten Jahr."}};
}

std::vector<FormField> surface_fields(const geo::RoofAnalysis& analysis) {
  std::vector<FormField> fields;
  for (const geo::RoofSurface& s : analysis.surfaces) {
    const std::string yield = s.yield_kwh_per_kwp ? geo::german_number(*s.yield_kwh_per_kwp, 0) + " kWh/kWp"
                                                  : "Ertrag unbekannt, nicht wählbar";
    fields.push_back({surface_field(s.id), s.name, "von " + std::to_string(s.modules_possible()) + " Modulen",
                      geo::direction_name(s.tilt_deg, s.azimuth_deg) + ", " +
                          geo::german_number(s.tilt_deg, 0) + "° geneigt, " + yield});
  }
  return fields;
}

std::string layout_code(LayoutChoice layout) {
  return layout == LayoutChoice::recommended  ? "empfohlen"
         : layout == LayoutChoice::best_first ? "module"
                                              : "flaechen";
}

void add_form(const EconomicsInput& input, const EconomicsForm& form, TemplateData& data) {
  const Currency currency = currency_of(input.country);
  const auto fault = [&](const char* name) {
    const auto at = form.faults.find(name);
    return or_none(at == form.faults.end() ? "" : at->second);
  };
  data.set("felder_anlage", fields_data(plant_fields(), form));
  data.set("felder_flaechen", fields_data(surface_fields(input.analysis), form));
  data.set("felder_strom", fields_data(price_fields(currency), form));
  // Shown only where it counts: next time the figure may be another.
  const std::string operation = form.computed_with.contains("betrieb")
                                    ? std::string()
                                    : ", hier " + geo::german_number(form.assumptions.operation_per_year, 0) +
                                          " " + std::string(currency.name);
  data.set("felder_kosten", fields_data(cost_fields(currency, operation), form));
  data.set("belegungen", layout_options(form.assumptions.layout));
  data.set("fehler_belegung", fault("belegung"));
  data.set("je_flaeche", form.assumptions.layout == LayoutChoice::by_surface);
  data.set("verguetungen", tariff_options(input, form.shown.at("verguetung")));
  data.set("fehler_verguetung", fault("verguetung"));
  data.set("fehler_da", !form.faults.empty());
}

std::string query_of(const EconomicsForm& form) {
  std::string query = "belegung=" + layout_code(form.assumptions.layout);
  for (const auto& [name, value] : form.computed_with) query += "&" + name + "=" + value;
  return query;
}

}  // namespace http
