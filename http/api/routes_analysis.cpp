// The endpoints that create projects and follow their analyses.
#include "http/api/forms.hpp"
#include "http/api/limit_table.hpp"
#include "http/api/load_profiles.hpp"
#include "http/api/routes.hpp"

namespace http {
namespace {

using actors::Code;
using actors::LimitClass;
using In = Parameter::In;

Parameter consumption(std::string_view name, std::string_view about) {
  return {In::query, field::number(name, about, "4500").more_than(0).at_most(kConsumptionMax_kwh)};
}

std::vector<Parameter> single_call_parameters() {
  Parameter other_name = consumption("verbrauch", "anderer Name für jahresverbrauch_kwh");
  other_name.field.required = false;
  return {
      {In::query,
       field::text("schluessel", "API-Schlüssel, wenn kein Header möglich ist", "IHR_SCHLUESSEL").optional()},
      {In::query,
       field::text("adresse", "Straße, Hausnummer, Postleitzahl und Ort", "Musterstraße 1, 1010 Wien")
           .up_to(kAddressMax)
           .not_blank()},
      consumption("jahresverbrauch_kwh", "Stromverbrauch eines Jahres in kWh"),
      other_name,
      {In::query, field::load_profile("Kennung des Standardlastprofils").optional().by_default("\"H0\"")},
      {In::query, field::text("name", "Name des neuen Projekts; sonst die gefundene Adresse", "Haus Muster")
                      .up_to(kNameMax)
                      .not_blank()
                      .optional()},
  };
}

Route single_call() {
  return {
      .method = "GET",
      .path = "/analyse",
      .id = "analyseEinAufruf",
      .summary = "Anlegen und abfragen in einem",
      .about =
          "Für Werkzeuge, die weder POST noch eigene Header senden. Der erste Aufruf legt das Projekt an; "
          "derselbe Aufruf, wiederholt, gibt Stand und Ergebnis und legt nichts doppelt an. Nicht öfter als "
          "alle "
          "zehn Sekunden. Ein abgelaufenes Ergebnis wird nicht neu berechnet: Das tut POST auf analyse_url.",
      .parameters = single_call_parameters(),
      .successes =
          {{200, "Die Analyse ist fertig.", "Ergebnis", {}},
           {202, "Die Analyse läuft oder wartet; beim ersten Aufruf der Inhalt Angelegt.", "Laufstand", {}},
           {202, "Das Projekt ist angelegt.", "Angelegt", {}}},
      .refusals = {Code::anfrage_ungueltig, Code::adresse_zu_lang, Code::verbrauch_fehlt,
                   Code::lastprofil_unbekannt, Code::testkontingent_erschoepft, Code::adresse_nicht_gefunden,
                   Code::adresse_nicht_eindeutig, Code::analyse_fehlt, Code::kein_dach,
                   Code::analyse_unlesbar, Code::analyse_fehlgeschlagen, Code::analyse_abgebrochen,
                   Code::dienst_nicht_erreichbar},
      .command = [](const Request& request, const PathParameters&) { return read_single_call(request); },
      .limit = LimitClass::analyse,
      .retry_at_least_s = kSingleCallPace_s,
      .head = false,  // it creates
  };
}

Route create_project() {
  return {
      .method = "POST",
      .path = "/projekte",
      .id = "projektAnlegen",
      .summary = "Projekt anlegen, Analyse starten",
      .about =
          "Je Konto und Adresse gibt es genau ein Projekt. Ein zweites zur selben Adresse wird mit 409 "
          "abgelehnt; "
          "das ist die Regel, keine Störung. Die Adresse geht an einen Geokodierdienst und wird gespeichert.",
      .body = {"ProjektAnlegen", true},
      .successes = {{202, "Das Projekt ist gespeichert, die Analyse steht an.", "Angelegt", {}}},
      .refusals = {Code::inhaltstyp_falsch, Code::anfrage_zu_gross, Code::anfrage_ungueltig,
                   Code::adresse_zu_lang, Code::verbrauch_fehlt, Code::lastprofil_unbekannt,
                   Code::projekt_besteht_bereits, Code::testkontingent_erschoepft,
                   Code::adresse_nicht_gefunden, Code::adresse_nicht_eindeutig,
                   Code::dienst_nicht_erreichbar},
      .command = [](const Request& request, const PathParameters&) { return read_create_project(request); },
      .limit = LimitClass::create,
  };
}

Route list_projects() {
  return {
      .method = "GET",
      .path = "/projekte",
      .id = "projekteAuflisten",
      .summary = "Eigene Projekte auflisten",
      .about = "Das neueste zuerst, seitenweise. Die Adresse der nächsten Seite steht in weiter.",
      .parameters = {{In::query, field::integer("limit", "Projekte je Seite", "100")
                                     .at_least(1)
                                     .at_most(kPageMax)
                                     .optional()
                                     .by_default(std::to_string(kPageDefault))},
                     {In::query, field::integer("vor_id", "nur Projekte mit kleinerer projekt_id", "4711")
                                     .at_least(1)
                                     .optional()}},
      .successes = {{200, "Eine Seite der Liste.", "Projektliste", {}}},
      .refusals = {Code::anfrage_ungueltig},
      .command = [](const Request& request, const PathParameters&) { return read_list_projects(request); },
      .limit = LimitClass::status,
  };
}

Route query_analysis() {
  return {
      .method = "GET",
      .path = "/projekte/{projekt_id}/dachanalyse",
      .id = "analyseAbfragen",
      .summary = "Stand oder Ergebnis abfragen",
      .about =
          "Solange die Analyse läuft, kommt 202 mit erneut_in_s und Retry-After. Bei wartet: true hat sie "
          "noch "
          "keinen Platz; jede Abfrage ist zugleich der Versuch, einen zu bekommen.",
      .parameters = {project_id_parameter()},
      .successes = {{200, "Die Analyse ist fertig.", "Ergebnis", {}},
                    {202, "Die Analyse läuft oder wartet.", "Laufstand", {}}},
      .refusals = {Code::projekt_unbekannt, Code::analyse_fehlt, Code::kein_dach, Code::analyse_unlesbar,
                   Code::analyse_fehlgeschlagen, Code::analyse_abgebrochen, Code::dienst_nicht_erreichbar},
      .command = [](const Request&, const PathParameters& path) { return read_query_analysis(path[0]); },
      .limit = LimitClass::status,
  };
}

Route restart_analysis() {
  return {
      .method = "POST",
      .path = "/projekte/{projekt_id}/dachanalyse",
      .id = "analyseNeuStarten",
      .summary = "Analyse neu starten",
      .about =
          "Nach einem Fehler, nach Ablauf des Ergebnisses oder mit anderem Verbrauch. Läuft schon eine, wird "
          "keine zweite gestartet: Die Antwort ist dann ihr Stand, und sie behält ihren Verbrauch und ihr "
          "Lastprofil, was hinweis sagt.",
      .parameters = {project_id_parameter()},
      .body = {"AnalyseNeu", false},
      .successes = {{202, "Die Analyse läuft oder wartet.", "Laufstand", {}}},
      .refusals = {Code::projekt_unbekannt, Code::inhaltstyp_falsch, Code::anfrage_zu_gross,
                   Code::anfrage_ungueltig, Code::verbrauch_fehlt, Code::lastprofil_unbekannt,
                   Code::analyse_unlesbar},
      .command = [](const Request& request,
                    const PathParameters& path) { return read_restart(request, path[0]); },
      .limit = LimitClass::create,
  };
}

}  // namespace

std::vector<Route> analysis_routes() {
  return {single_call(), create_project(), list_projects(), query_analysis(), restart_analysis()};
}

}  // namespace http
