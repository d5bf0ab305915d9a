// Projects, their runs' state, their list; the load profiles.
#include "http/api/schemas.hpp"

namespace http {

using namespace field;  // the table reads as one

namespace {

constexpr auto kProjectId = "4711";
constexpr auto kAnalysis = "{base_url}/projekte/4711/dachanalyse";
constexpr auto kEconomics = "{web_url}/projekte/4711/wirtschaftlichkeit";

Field project_id() { return integer("projekt_id", "Nummer des Projekts", kProjectId).at_least(1); }
Field running() { return text("zustand", "immer „läuft“", "läuft").among({"läuft"}); }
Field analysis_url() {
  return uri("analyse_url", "Adresse, unter der Stand und Ergebnis abgefragt werden", kAnalysis);
}
Field retry() {
  return integer("erneut_in_s", "Sekunden bis zur nächsten Abfrage; dasselbe steht in Retry-After", "5")
      .at_least(1);
}
Field latitude() {
  return number("lat", "geographische Breite, WGS84, Grad", "48.2082").at_least(-90).at_most(90);
}
Field longitude() {
  return number("lon", "geographische Länge, WGS84, Grad", "16.3738").at_least(-180).at_most(180);
}

std::vector<Schema> run_schemas() {
  return {
      {"Angelegt",
       "Das Projekt ist gespeichert, seine Analyse steht an.",
       {project_id(), text("name", "Name des Projekts", "Haus Muster"),
        text("adresse", "die Adresse, wie sie gesendet wurde", "Musterstraße 1, 1010 Wien"), latitude(),
        longitude(), running(), analysis_url(), retry(),
        text("hinweis", "Hinweis für Menschen", "Das Projekt ist angelegt, die Analyse steht an.")}},
      {"Laufstand",
       "Die Analyse rechnet oder wartet auf einen freien Platz.",
       {project_id(), running(), analysis_url(), retry(),
        boolean("wartet", "true: noch kein freier Platz, die Rechnung hat nicht begonnen", false),
        text("schritt", "was gerade geschieht", "Dachflächen erkennen").or_null(),
        integer("fertig", "Schritte, die getan sind", "3").at_least(0).or_null(),
        integer("gesamt", "Schritte im Ganzen", "8").at_least(0).or_null(),
        text("hinweis", "Hinweis für Menschen", "Die Analyse rechnet.")}},
  };
}

std::vector<Schema> list_schemas() {
  return {
      {"Projektzeile",
       "Ein Projekt in der Liste.",
       {project_id(), text("name", "Name des Projekts", "Haus Muster"),
        text("strasse", "Straße und Hausnummer", "Musterstraße 1").or_null(),
        text("plz", "Postleitzahl", "1010").or_null(), text("ort", "Ort", "Wien").or_null(),
        latitude().or_null(), longitude().or_null(), analysis_url(),
        uri("url", "Wirtschaftlichkeitsrechnung in der Webanwendung; braucht Anmeldung", kEconomics)}},
      {"Projektliste",
       "Die Projekte des Kontos, das neueste zuerst.",
       {integer("anzahl", "Projekte auf dieser Seite", "1").at_least(0),
        objects("projekte", "Projektzeile", "die Projekte dieser Seite"),
        uri("weiter", "Adresse der nächsten Seite; null: dies ist die letzte",
            "{base_url}/projekte?limit=100&vor_id=4711")
            .or_null()}},
      {"Lastprofil",
       "Ein Standardlastprofil.",
       {text("kennung", "Kennung", "H0").among(load_profile_codes()),
        text("bezeichnung", "Bezeichnung für Menschen", "Haushalt")}},
      {"Lastprofile",
       "Die Standardlastprofile, die der Dienst kennt.",
       {objects("profile", "Lastprofil", "alle Lastprofile"),
        text("vorgabe", "Kennung, die gilt, wo keine gesendet werden muss", "H0"),
        text("hinweis", "Hinweis für Menschen", "Das Lastprofil wird mit dem Projekt gespeichert.")}},
  };
}

}  // namespace

std::vector<Schema> project_schemas() {
  std::vector<Schema> all = run_schemas();
  for (Schema& schema : list_schemas()) all.push_back(std::move(schema));
  return all;
}

}  // namespace http
