#include "http/api/errors.hpp"

#include "http/api/json.hpp"
#include "http/api/load_profiles.hpp"

namespace http {

using actors::Code;

namespace {

constexpr std::array<ErrorRow, actors::kCodes> kTable{{
    {Code::schluessel_fehlt, 401, "Schlüssel fehlt", "Es wurde kein API-Schlüssel gesendet.",
     "Senden Sie den Schlüssel im Header X-API-Key."},
    {Code::schluessel_ungueltig, 401, "Schlüssel ungültig", "Der API-Schlüssel ist nicht gültig.",
     "Prüfen Sie den Schlüssel oder erstellen Sie einen neuen."},
    {Code::lastprofil_unbekannt, 400, "Lastprofil unbekannt", "Das Lastprofil fehlt oder ist nicht bekannt.",
     "Senden Sie eine der Kennungen aus fehler.erlaubt.", Extra::allowed},
    {Code::verbrauch_fehlt, 400, "Verbrauch fehlt",
     "Der Jahresverbrauch fehlt oder liegt nicht zwischen 0 (ausgeschlossen) und 100000000 kWh.",
     "Senden Sie jahresverbrauch_kwh als Zahl größer als 0 und höchstens 100000000."},
    {Code::adresse_zu_lang, 400, "Adresse zu lang", "Die Adresse ist länger als 200 Zeichen.",
     "Kürzen Sie die Adresse auf Straße, Hausnummer, Postleitzahl und Ort."},
    {Code::adresse_nicht_gefunden, 404, "Adresse nicht gefunden",
     "Die Adresse wurde nicht gefunden; gesucht wird in Österreich, Deutschland und der Schweiz.",
     "Fragen Sie nach der vollständigen Adresse mit Straße, Hausnummer, Postleitzahl und Ort."},
    {Code::adresse_nicht_eindeutig, 404, "Adresse nicht eindeutig",
     "Zu dieser Schreibweise passt keine Adresse genau; ähnliche stehen in fehler.gefunden.",
     "Fragen Sie, welche gemeint ist, und senden Sie deren Schreibweise.", Extra::found},
    {Code::analyse_fehlt, 404, "Analyse fehlt",
     "Es ist kein Ergebnis gespeichert, oder seine Aufbewahrungszeit ist abgelaufen.",
     "Starten Sie die Analyse mit POST auf fehler.analyse_url neu; legen Sie kein neues Projekt an.",
     Extra::analysis, Wording::replaceable},
    {Code::testkontingent_erschoepft, 403, "Testkontingent erschöpft",
     "Der Testzugang erlaubt eine Adresse, und sie ist schon angelegt.",
     "Verwenden Sie das bestehende Projekt."},
    {Code::modell_fehlt, 404, "3D-Modell fehlt",
     "Das 3D-Modell gibt es erst, wenn das Projekt in der Webanwendung geöffnet und gespeichert wurde.",
     "Sagen Sie das dem Nutzer; Warten hilft nicht."},
    {Code::orthofoto_fehlt, 404, "Orthofoto fehlt",
     "Das Orthofoto gibt es erst, wenn das Projekt in der Webanwendung geöffnet und gespeichert wurde.",
     "Sagen Sie das dem Nutzer; Warten hilft nicht.", Extra::none, Wording::replaceable},
    {Code::projekt_unbekannt, 404, "Projekt unbekannt", "Dieses Konto hat kein Projekt mit dieser Nummer.",
     "Listen Sie die Projekte mit GET /projekte auf."},
    {Code::keine_belegten_flaechen, 404, "Keine belegten Flächen",
     "Zu diesem Projekt ist keine Fläche mit Modulen gespeichert.", "Rufen Sie zuerst die Analyse ab."},
    {Code::flaeche_unbekannt, 404, "Fläche unbekannt", "Diese Fläche gibt es nicht.",
     "Verwenden Sie eine der Nummern aus fehler.vorhanden.", Extra::existing},
    {Code::bild_nicht_zeichenbar, 404, "Bild nicht zeichenbar",
     "Von dieser Fläche lässt sich kein Bild zeichnen.", "Fragen Sie die Medienliste, welche Bilder es gibt.",
     Extra::none, Wording::replaceable},
    {Code::format_nicht_moeglich, 500, "Format nicht möglich",
     "Das Bild konnte nicht als PNG erzeugt werden.",
     "Rufen Sie es ohne format=png als SVG ab; Warten hilft nicht."},
    {Code::analyse_unlesbar, 500, "Analyse unlesbar", "Das gespeicherte Ergebnis ist beschädigt.",
     "Starten Sie keine neue Analyse, sie würde es überschreiben; melden Sie die Projektnummer."},
    {Code::projekt_besteht_bereits, 409, "Projekt besteht bereits",
     "Zu dieser Adresse besteht in diesem Konto schon ein Projekt.",
     "Verwenden Sie bestehendes_projekt.analyse_url und bestehendes_projekt.url.", Extra::existing_project},
    {Code::inhaltstyp_falsch, 415, "Inhaltstyp falsch", "Der Inhalt wurde nicht als JSON gesendet.",
     "Setzen Sie den Header Content-Type: application/json.", Extra::none, Wording::replaceable},
    {Code::ratengrenze, 429, "Ratengrenze erreicht", "Die Ratengrenze ist erreicht.",
     "Warten Sie {s} Sekunden."},
    {Code::dienst_ueberlastet, 503, "Dienst überlastet", "Ein benötigter Dienst ist überlastet.",
     "Warten Sie {s} Sekunden und senden Sie die Anfrage erneut; eine begonnene Analyse starten Sie mit "
     "POST neu.",
     Extra::analysis, Wording::replaceable},
    {Code::dienst_nicht_erreichbar, 503, "Dienst nicht erreichbar",
     "Ein benötigter Geodatendienst ist nicht erreichbar.",
     "Warten Sie {s} Sekunden und senden Sie die Anfrage erneut; eine begonnene Analyse starten Sie mit "
     "POST neu.",
     Extra::analysis},
    {Code::analyse_abgebrochen, 503, "Analyse abgebrochen", "Die Analyse wurde unterbrochen.",
     "Starten Sie sie einmal mit POST auf fehler.analyse_url neu.", Extra::analysis},
    {Code::kein_dach, 422, "Kein Dach", "An dieser Stelle gibt es kein auswertbares Dach.",
     "Prüfen Sie die Adresse; stimmt sie, ändert eine Wiederholung nichts.", Extra::none,
     Wording::replaceable},
    {Code::analyse_fehlgeschlagen, 500, "Analyse fehlgeschlagen", "Die Analyse ist fehlgeschlagen.",
     "Starten Sie sie mit POST auf fehler.analyse_url neu; bleibt der Fehler, melden Sie die "
     "Projektnummer.",
     Extra::analysis},
    {Code::interner_fehler, 500, "Interner Fehler", "Im Dienst ist ein Fehler aufgetreten.",
     "Senden Sie die Anfrage erneut; bleibt der Fehler, melden Sie die Nummer aus instance."},
    {Code::anfrage_ungueltig, 400, "Anfrage ungültig", "Die Anfrage ist nicht wohlgeformt.",
     "Berichtigen Sie die Anfrage; die Dokumentation nennt Felder und Grenzen.", Extra::none,
     Wording::replaceable},
    {Code::pfad_unbekannt, 404, "Pfad unbekannt", "Unter diesem Pfad gibt es nichts.",
     "Die Dokumentation nennt alle Pfade."},
    {Code::methode_nicht_erlaubt, 405, "Methode nicht erlaubt",
     "Diese Methode gibt es unter diesem Pfad nicht.",
     "Verwenden Sie eine der Methoden aus dem Header Allow."},
    {Code::anfrage_zu_gross, 413, "Anfrage zu groß", "Die Anfrage ist zu groß.", "Senden Sie weniger."},
    {Code::anfrage_zu_langsam, 408, "Anfrage zu langsam",
     "Die Anfrage ist nicht rechtzeitig vollständig angekommen.",
     "Senden Sie sie auf einer neuen Verbindung noch einmal."},
}};

constexpr bool in_order_and_whole() {
  for (std::size_t i = 0; i < kTable.size(); ++i)
    if (kTable[i].code != static_cast<Code>(i) || !kTable[i].tu) return false;
  return true;
}
static_assert(in_order_and_whole(), "each code has its row, in the order of ROOF_CODES");

}  // namespace

const std::array<ErrorRow, actors::kCodes>& error_table() { return kTable; }

const char* path_of(Extra extra) {
  switch (extra) {
    case Extra::found:
      return "fehler.gefunden";
    case Extra::allowed:
      return "fehler.erlaubt";
    case Extra::existing:
      return "fehler.vorhanden";
    case Extra::analysis:
      return "fehler.analyse_url";
    case Extra::existing_project:
      return "bestehendes_projekt";
    case Extra::none:
      break;
  }
  return "";
}

namespace {

void write_existing_project(Json& json, const actors::Refusal& refusal, const Links& links) {
  json.key("bestehendes_projekt").begin_object();
  json.field("analyse_url", links.analysis(refusal.project)).field("url", links.economics(refusal.project));
  json.end_object();
}

/// The additional members of "fehler".
void write_extra(Json& json, const actors::Refusal& refusal, Extra extra, const Links& links) {
  if (extra == Extra::found) {
    json.key("gefunden").begin_array();
    for (const std::string& spelling : refusal.found) json.text(spelling);
    json.end_array();
  } else if (extra == Extra::allowed) {
    json.key("erlaubt").begin_array();
    for (const LoadProfile& profile : kLoadProfiles) json.text(profile.code);
    json.end_array();
  } else if (extra == Extra::existing) {
    json.key("vorhanden").begin_array();
    for (const int surface : refusal.existing) json.integer(surface);
    json.end_array();
  } else if (extra == Extra::analysis && refusal.project) {
    json.field("analyse_url", links.analysis(refusal.project));
  }
}

}  // namespace

std::string meldung_of(const actors::Refusal& refusal) {
  const ErrorRow& row = error_row(refusal.code);
  return row.wording == Wording::replaceable && !refusal.text.empty() ? refusal.text : row.meldung;
}

std::string tu_of(const actors::Refusal& refusal) {
  std::string text = refusal.advice.empty() ? error_row(refusal.code).tu : refusal.advice;
  if (const auto at = text.find("{s}"); at != std::string::npos)
    text.replace(at, 3, std::to_string(refusal.retry_after_s));
  return text;
}

Response problem(const actors::Refusal& refusal, const Links& links, const std::string& request_id) {
  const ErrorRow& row = error_row(refusal.code);
  const std::string sentence = meldung_of(refusal);
  Json json;
  json.begin_object();
  json.field("type", links.error(actors::name_of(refusal.code))).field("title", row.title);
  json.field("status", row.status).field("detail", sentence);
  json.field("instance", "urn:anfrage:" + request_id).field("doku", links.documentation());
  json.key("fehler").begin_object();
  json.field("code", actors::name_of(refusal.code)).field("meldung", sentence);
  json.field("tu", tu_of(refusal));
  write_extra(json, refusal, row.extra, links);
  json.end_object();
  if (row.extra == Extra::existing_project) write_existing_project(json, refusal, links);
  json.end_object();
  Response response{.status = row.status, .content_type = kProblemJson, .body = json.str()};
  if (refusal.retry_after_s > 0) response.with("Retry-After", std::to_string(refusal.retry_after_s));
  if (row.status == 401) response.with("WWW-Authenticate", "ApiKey realm=\"dachanalyse\"");
  return response;
}

}  // namespace http
