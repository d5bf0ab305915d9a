// /anleitung: from the first key to a finished result, for a person with a command line and for an agent. Needs no
// script.
#include "http/errors.hpp"
#include "http/html/sections.hpp"
#include "http/html/shell.hpp"
#include "http/limits.hpp"
#include "http/pages.hpp"

namespace http {

using namespace html;

namespace {

const Route& route_of(std::string_view id) {
  for (const Route& route : route_table())
    if (route.id == id) return route;
  throw std::out_of_range("there is no endpoint " + std::string(id));
}

std::string command(std::string_view id, const PageContext& context) { return code_block(curl_of(route_of(id), context)); }

std::string example(std::string_view schema, const PageContext& context) {
  return "<details><summary>So sieht die Antwort aus</summary>\n" +
         code_block(pretty_json(context.filled(example_of(schema_of(schema))))) + "</details>\n";
}

std::string step(const char* title, const std::string& body) {
  return std::string("<li>\n<h3>") + title + "</h3>\n" + body + "</li>\n";
}

std::string error_link(actors::Code code, const PageContext& context) {
  const std::string name = actors::name_of(code);
  return "<a href=\"" + escaped(context.links.error(name)) + "\"><code>" + name + "</code></a>";
}

std::string heading(const PageContext& context) {
  return "<a class=\"skip\" href=\"#inhalt\">Zum Inhalt</a>\n<header class=\"top\">\n<h1>Dachanalyse: Anleitung</h1>\n"
         "<p class=\"lead\">Vom ersten Schlüssel zum fertigen Ergebnis, in fünf Schritten.</p>\n"
         "<p>Sie brauchen eine Adresse in Österreich, Deutschland oder der Schweiz und den Stromverbrauch eines Jahres. Alles "
         "Weitere steht in der <a href=\"" + escaped(context.links.documentation()) + "\">Dokumentation</a>, für Maschinen in "
         "<a href=\"" + escaped(context.links.description()) + "\">openapi.json</a>.</p>\n</header>\n";
}

std::string contents() {
  return "<nav class=\"contents\" aria-label=\"Inhalt\">\n<ul>\n<li><a href=\"#schritte\">Schritt für Schritt</a></li>\n"
         "<li><a href=\"#ein-aufruf\">In einem Aufruf</a></li>\n<li><a href=\"#ergebnis\">Das Ergebnis lesen</a></li>\n"
         "<li><a href=\"#agenten\">Für Agenten</a></li>\n<li><a href=\"#stoerungen\">Wenn etwas nicht geht</a></li>\n"
         "</ul>\n</nav>\n";
}

std::string first_steps(const PageContext& context) {
  return step("Schlüssel holen",
              "<p>Melden Sie sich in der <a href=\"" + escaped(context.links.web_url) + "\">Webanwendung</a> an, öffnen Sie das "
              "Modul Schnittstelle und legen Sie einen Schlüssel an. Er wird genau einmal gezeigt; ein verlorener wird "
              "widerrufen und ersetzt. Legen Sie ihn in eine Variable, damit er in keinem Befehl steht:</p>\n" +
                  code_block("read -rs SCHLUESSEL")) +
         step("Projekt anlegen",
              "<p>Das Anlegen startet die Analyse. Je Konto und Adresse gibt es genau ein Projekt.</p>\n" +
                  command("projektAnlegen", context) +
                  "<p>Die Antwort ist <code>202</code> und nennt unter <code>analyse_url</code>, wo es weitergeht.</p>\n" +
                  example("Angelegt", context));
}

std::string next_steps(const PageContext& context) {
  return step("Abfragen, bis sie fertig ist",
              "<p>Eine Analyse dauert etwa 10 bis 90 Sekunden. Warten Sie zwischen zwei Abfragen so viele Sekunden, wie "
              "<code>erneut_in_s</code> sagt.</p>\n" + command("analyseAbfragen", context) + example("Laufstand", context)) +
         step("Ergebnis holen",
              "<p>Ist <code>zustand</code> „fertig“, liefert dieselbe Adresse mit <code>200</code> das Ergebnis. Es wird "
              "begrenzt aufbewahrt; die <a href=\"" + escaped(context.links.documentation()) + "#grenzen\">Grenzen</a> nennen "
              "die Zeit.</p>\n" + example("Ergebnis", context)) +
         step("Bilder ansehen", "<p>Zu jeder Fläche mit Modulen gehört ein Bild; die Liste sagt, welche es gibt.</p>\n" +
                                    command("medienAuflisten", context) + command("bildFlaeche", context));
}

std::string single_call_section(const PageContext& context) {
  return "<section id=\"ein-aufruf\">\n<h2>In einem Aufruf</h2>\n"
         "<p>Werkzeuge, die weder POST noch Header senden, rufen dieselbe Adresse so lange auf, bis <code>zustand</code> "
         "„fertig“ ist, nicht öfter als alle " + std::to_string(kSingleCallPace_s) + " Sekunden. Der erste Aufruf legt das "
         "Projekt an, die weiteren legen nichts doppelt an.</p>\n" +
         code_block(context.links.base_url +
                    "/analyse?adresse=Musterstra%C3%9Fe%201%2C%201010%20Wien&jahresverbrauch_kwh=4500&schluessel=IHR_SCHLUESSEL") +
         "<p>Der Schlüssel steht dabei in der Adresse und damit in Zugriffsprotokollen; wo ein Header geht, ist er der "
         "bessere Weg.</p>\n</section>\n";
}

std::string result_section() {
  return "<section id=\"ergebnis\">\n<h2>Das Ergebnis lesen</h2>\n<ul>\n"
         "<li><code>module_moeglich</code> sagt, was auf das Dach passt; <code>module_empfohlen</code>, was zum Verbrauch "
         "passt. Die ertragreichsten Flächen werden zuerst belegt.</li>\n"
         "<li><code>zusammenfassung.auslegung_kwp</code> ist die empfohlene Anlage. <code>leistung_moeglich_kwp</code> gibt es "
         "in der Zusammenfassung und je Fläche: Achten Sie auf den Pfad.</li>\n"
         "<li><code>ertrag_kwh_pro_kwp</code> enthält Horizont, Schnee und Systemverluste schon. Der Verschattungsverlust ist "
         "eine Angabe; noch einmal abgezogen, wäre er doppelt gezählt.</li>\n"
         "<li><code>azimut_grad</code>: Süd ist 0, Ost negativ, West positiv.</li>\n"
         "<li><code>umriss</code> ist GeoJSON: erst Länge, dann Breite.</li>\n"
         "<li><code>warnungen</code> sagt, was in diesem Lauf unvollständig blieb.</li>\n</ul>\n"
         "<p class=\"note\">Das Ergebnis ist eine Vorplanung aus Fernerkundungsdaten, keine Ausführungsplanung, und gilt nur "
         "für diesen Ort. Wer es weitergibt, nennt die Datenquellen: zu jedem Eintrag in <code>quellen</code> den Wortlaut aus "
         "<code>namensnennung</code>.</p>\n</section>\n";
}

std::string agent_section(const PageContext& context) {
  using actors::Code;
  const auto error = [&context](Code code) { return error_link(code, context); };
  const std::string deadline = std::to_string(kPollingDeadline_s);
  return "<section id=\"agenten\">\n<h2>Für Agenten</h2>\n<p>Dieselbe Aufgabe als Regeln.</p>\n<ol>\n"
         "<li>Fragen Sie nach, was fehlt: vollständige Adresse und Jahresverbrauch in kWh. Erfinden Sie nichts davon. Ohne "
         "Angabe zum Lastprofil gilt <code>H0</code>.</li>\n"
         "<li>Senden Sie den Schlüssel im Header <code>X-API-Key</code>. Schreiben Sie ihn nie in eine Antwort.</li>\n"
         "<li><code>POST /projekte</code>. Bei <code>202</code> fragen Sie <code>analyse_url</code> ab.</li>\n"
         "<li>Bei <code>409</code> " + error(Code::projekt_besteht_bereits) + " besteht das Projekt schon. Das ist keine Störung: "
         "Nehmen Sie <code>bestehendes_projekt.analyse_url</code>, legen Sie nichts neu an.</li>\n"
         "<li>Warten Sie zwischen zwei Abfragen <code>erneut_in_s</code> Sekunden (dasselbe steht in "
         "<code>Retry-After</code>), auf <code>GET /analyse</code> mindestens " + std::to_string(kSingleCallPace_s) + ".</li>\n"
         "<li>Solange <code>wartet</code> true ist, läuft keine Frist. Ab der ersten Antwort mit <code>wartet: false</code> "
         "warten Sie höchstens " + deadline + " Sekunden, starten dann genau einmal mit <code>POST</code> auf "
         "<code>analyse_url</code> neu und warten noch einmal höchstens " + deadline + " Sekunden. Danach geben Sie auf und "
         "nennen die <code>projekt_id</code>.</li>\n"
         "<li>Bei <code>503</code> warten Sie, was <code>Retry-After</code> sagt. Kam der Fehler beim Abfragen, starten Sie mit "
         "<code>POST</code> auf <code>fehler.analyse_url</code> neu; kam er beim Anlegen, senden Sie die Anfrage noch einmal.</li>\n"
         "<li>Bei " + error(Code::analyse_fehlt) + " senden Sie <code>POST</code> an <code>fehler.analyse_url</code>. Bei " +
         error(Code::analyse_unlesbar) + " starten Sie nichts neu: Ein neuer Lauf würde das Gespeicherte überschreiben.</li>\n"
         "<li>Bei " + error(Code::adresse_nicht_eindeutig) + " fragen Sie, welche aus <code>fehler.gefunden</code> gemeint ist, und "
         "senden deren Schreibweise.</li>\n"
         "<li>Verzweigen Sie nach <code>fehler.code</code>, nie nach dem Wortlaut. <code>fehler.tu</code> nennt zu jedem Fehler "
         "den nächsten Schritt.</li>\n"
         "<li>Geben Sie Zahlen mit der Namensnennung aus <code>quellen</code> weiter, und sagen Sie dazu, dass es eine "
         "Vorplanung ist.</li>\n"
         "<li>Orthofoto und 3D-Modell gibt es erst, wenn das Projekt in der Webanwendung geöffnet und gespeichert wurde. "
         "Warten hilft nicht.</li>\n</ol>\n</section>\n";
}

std::string trouble_section(const PageContext& context) {
  using actors::Code;
  std::string out = "<section id=\"stoerungen\">\n<h2>Wenn etwas nicht geht</h2>\n<p>Die häufigsten Fälle; alle stehen in der "
                    "<a href=\"" + escaped(context.links.documentation()) + "#fehler\">Dokumentation</a>.</p>\n<dl class=\"fields\">\n";
  for (const Code code : {Code::schluessel_ungueltig, Code::adresse_nicht_gefunden, Code::projekt_besteht_bereits,
                          Code::kein_dach, Code::analyse_fehlgeschlagen, Code::testkontingent_erschoepft}) {
    const ErrorRow& row = error_row(code);
    out += "<div><dt>" + error_link(code, context) + "</dt><dd>" + escaped(row.meldung) + " " + escaped(row.tu) + "</dd></div>\n";
  }
  return out + "</dl>\n</section>\n";
}

}  // namespace

Response guide_page(const PageContext& context) {
  Page page;
  page.title = "Dachanalyse: Anleitung";
  page.summary = "Vom ersten Schlüssel zum fertigen Ergebnis der Dachanalyse, für Menschen und für Agenten.";
  page.body = heading(context) + "<div class=\"page\">\n" + contents() + "<main id=\"inhalt\">\n<section id=\"schritte\">\n" +
              "<h2>Schritt für Schritt</h2>\n<ol class=\"steps\">\n" + first_steps(context) + next_steps(context) +
              "</ol>\n</section>\n" + single_call_section(context) + result_section() + agent_section(context) +
              trouble_section(context) + "</main>\n</div>\n";
  return page_response(page);
}

}  // namespace http
