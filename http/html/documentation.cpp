// /doku: every endpoint, field, error and limit on one page to read and to search, made from the tables.
#include "http/html/sections.hpp"
#include "http/html/shell.hpp"
#include "http/limits.hpp"
#include "http/pages.hpp"

namespace http {

using namespace html;

namespace {

std::string contents() {
  std::string endpoints;
  for (const Route& route : route_table())
    endpoints += "<li><a href=\"#" + std::string(route.id) + "\">" + escaped(route.summary) + "</a></li>";
  return "<nav class=\"contents\" aria-label=\"Inhalt\">\n<ul>\n<li><a href=\"#anmeldung\">Anmeldung</a></li>\n"
         "<li><a href=\"#ablauf\">Ablauf</a></li>\n<li><a href=\"#endpunkte\">Endpunkte</a><ul>" +
         endpoints +
         "</ul></li>\n<li><a href=\"#fehler\">Fehler</a></li>\n<li><a href=\"#felder\">Felder</a></li>\n"
         "<li><a href=\"#grenzen\">Grenzen</a></li>\n<li><a href=\"#profile\">Lastprofile</a></li>\n"
         "</ul>\n</nav>\n";
}

std::string heading(const PageContext& context) {
  return "<a class=\"skip\" href=\"#inhalt\">Zum Inhalt</a>\n<header class=\"top\">\n<h1>Dachanalyse: Dokumentation</h1>\n"
         "<p class=\"lead\">Adresse hinein, Dachflächen heraus: Neigung, Ausrichtung, Verschattung, Module und Ertrag, "
         "aus amtlichen Höhenmodellen.</p>\n"
         "<p>Neu hier? Die <a href=\"" + escaped(context.links.guide()) + "\">Anleitung</a> führt vom ersten Schlüssel zum "
         "fertigen Ergebnis. Für Maschinen: <a href=\"" + escaped(context.links.description()) + "\">openapi.json</a> "
         "(OpenAPI 3.1.0, Fassung " + kDescriptionVersion + ").</p>\n"
         "<p>Alle Pfade stehen hinter</p>\n" + code_block(context.links.base_url) + "</header>\n";
}

std::string search_field() {
  return "<div class=\"search\" id=\"suche\" role=\"search\" hidden>\n<label for=\"suchfeld\">Dokumentation durchsuchen</label>\n"
         "<input id=\"suchfeld\" type=\"search\" placeholder=\"Suchen: Feld, Fehler, Pfad\" autocomplete=\"off\">\n"
         "<p id=\"treffer\" aria-live=\"polite\"></p>\n</div>\n";
}

std::string key_section() {
  return "<section id=\"anmeldung\">\n<h2>Anmeldung</h2>\n<div data-part>\n"
         "<p>Jeder Aufruf außer den öffentlichen Seiten trägt einen API-Schlüssel, am besten im Header:</p>\n" +
         code_block("X-API-Key: $SCHLUESSEL") +
         "<p>Wer keinen Header senden kann, hängt <code>schluessel=…</code> an die Adresse. Der Schlüssel steht dann in "
         "Zugriffsprotokollen; kommt beides, gilt der Header.</p>\n"
         "<p>Schlüssel entstehen in der Webanwendung und werden genau einmal gezeigt. Ein verlorener Schlüssel lässt sich nur "
         "widerrufen und ersetzen. Grenzen gelten je Konto: Mehr Schlüssel erhöhen sie nicht.</p>\n</div>\n</section>\n";
}

std::string flow_section() {
  const std::string deadline = std::to_string(kPollingDeadline_s);
  return "<section id=\"ablauf\">\n<h2>Ablauf</h2>\n<div data-part>\n<ol>\n"
         "<li><code>POST /projekte</code> legt das Projekt an und startet die Analyse: <code>202</code>.</li>\n"
         "<li><code>GET</code> auf <code>analyse_url</code>, so lange <code>zustand</code> „läuft“ ist; dazwischen "
         "<code>erneut_in_s</code> Sekunden warten.</li>\n"
         "<li>Ist <code>zustand</code> „fertig“, kommt mit <code>200</code> das Ergebnis.</li>\n</ol>\n"
         "<p>Bei <code>wartet: true</code> hat die Analyse noch keinen Platz; das zählt nicht zur Frist. " + deadline +
         " Sekunden nach der ersten Antwort mit <code>wartet: false</code> endet das Abfragen: Dann die Analyse genau einmal "
         "mit <code>POST</code> neu starten und noch einmal " + deadline + " Sekunden warten.</p>\n"
         "<p>Endet ein Lauf mit einem Fehler, bleibt dieser stehen, bis <code>POST</code> auf <code>analyse_url</code> ihn neu "
         "startet. Benachrichtigungen gibt es nicht.</p>\n</div>\n</section>\n";
}

std::string endpoint_section(const PageContext& context) {
  std::string out = "<section id=\"endpunkte\">\n<h2>Endpunkte</h2>\n";
  for (const Route& route : route_table()) out += endpoint_card(route, context);
  return out + "</section>\n";
}

std::string error_section() {
  std::string out = "<section id=\"fehler\">\n<h2>Fehler</h2>\n"
                    "<p>Jeder Fehler kommt als <code>application/problem+json</code> (RFC 9457). Verzweigen Sie nach "
                    "<code>fehler.code</code>; <code>fehler.meldung</code> ist für Menschen, <code>fehler.tu</code> sagt den "
                    "nächsten Schritt.</p>\n";
  for (const ErrorRow& row : error_table()) out += error_card(row);
  return out + "</section>\n";
}

std::string field_section(const PageContext& context) {
  std::string out = "<section id=\"felder\">\n<h2>Felder</h2>\n";
  for (const Schema& schema : schema_table()) out += schema_card(schema, context);
  return out + "</section>\n";
}

std::string limit_section(const PageContext& context) {
  return "<section id=\"grenzen\">\n<h2>Grenzen</h2>\n<p>Was jetzt noch bleibt, steht in jeder Antwort in den Headern "
         "<code>RateLimit</code> und <code>RateLimit-Policy</code>.</p>\n<div class=\"card\">" +
         limit_list(context) + "</div>\n</section>\n<section id=\"profile\">\n<h2>Lastprofile</h2>\n<div class=\"card\">" +
         load_profile_list() + "</div>\n</section>\n";
}

}  // namespace

Response documentation_page(const PageContext& context) {
  Page page;
  page.title = "Dachanalyse: Dokumentation";
  page.summary = "Endpunkte, Felder, Fehler und Grenzen der Dachanalyse-Schnittstelle.";
  page.script = documentation_script();
  page.body = heading(context) + "<div class=\"page\">\n" + contents() + "<main id=\"inhalt\">\n" + search_field() +
              key_section() + flow_section() + endpoint_section(context) + error_section() + field_section(context) +
              limit_section(context) + "</main>\n</div>\n";
  page.body += "<footer>Das Ergebnis ist eine Vorplanung aus Fernerkundungsdaten. Wer es weitergibt, nennt die Quellen aus "
               "<code>quellen</code>.</footer>\n";
  return page_response(page);
}

}  // namespace http
