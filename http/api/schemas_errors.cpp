// The problem document (RFC 9457) of every refusal.
#include "http/api/errors.hpp"
#include "http/api/schemas.hpp"

namespace http {

using namespace field;  // the table reads as one

namespace {

Field code() {
  std::vector<std::string_view> codes;
  for (const ErrorRow& row : error_table()) codes.push_back(actors::name_of(row.code));
  return text("code", "fester Name des Fehlers; nach ihm wird verzweigt", "analyse_fehlt")
      .among(std::move(codes));
}

}  // namespace

std::vector<Schema> error_schemas() {
  return {
      {"Fehler",
       "Warum eine Anfrage abgelehnt ist (RFC 9457).",
       {uri("type", "Beschreibung des Fehlers", "{base_url}/doku#fehler-analyse_fehlt"),
        text("title", "Art des Fehlers", "Analyse fehlt"),
        integer("status", "der HTTP-Status", "404").at_least(400).at_most(599),
        text("detail", "ein Satz für Menschen", "Es ist kein Ergebnis gespeichert."),
        text("instance", "Nummer dieser Anfrage, für Rückfragen", "urn:anfrage:0f1e2d3c4b5a6978"),
        uri("doku", "Dokumentation", "{base_url}/doku"),
        object("fehler", "Fehlerangaben", "das Nötige zum Weitermachen"),
        object("bestehendes_projekt", "BestehendesProjekt", "nur bei projekt_besteht_bereits").optional()}},
      {"Fehlerangaben",
       "Was ein Programm über den Fehler wissen muss.",
       {code(), text("meldung", "ein Satz für Menschen", "Es ist kein Ergebnis gespeichert."),
        text("tu", "der nächste Schritt", "Starten Sie die Analyse mit POST auf fehler.analyse_url neu."),
        texts("gefunden", "nur bei adresse_nicht_eindeutig: Schreibweisen, die passen",
              "[\"Musterstraße 1, 1010 Wien\",\"Musterstraße 1, 4020 Linz\"]")
            .optional(),
        texts("erlaubt", "nur bei lastprofil_unbekannt: die Kennungen", "[\"H0\",\"G0\"]").optional(),
        integers("vorhanden", "nur bei flaeche_unbekannt: die Nummern der Flächen", "[1,2,3]").optional(),
        uri("analyse_url", "wo die Analyse mit POST neu beginnt", "{base_url}/projekte/4711/dachanalyse")
            .optional()}},
      {"BestehendesProjekt",
       "Das Projekt, das an dieser Adresse schon besteht.",
       {uri("analyse_url", "sein Stand und Ergebnis", "{base_url}/projekte/4711/dachanalyse"),
        uri("url", "seine Wirtschaftlichkeitsrechnung in der Webanwendung",
            "{web_url}/projekte/4711/wirtschaftlichkeit")}},
  };
}

}  // namespace http
