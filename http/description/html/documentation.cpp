// /doku: every endpoint, field, error and limit on one page to read and to search, made from the tables.
#include "http/description/html/accuracy_figures.hpp"
#include "http/description/html/sections.hpp"
#include "http/description/html/shell.hpp"
#include "http/description/html/text.hpp"
#include "http/description/pages.hpp"

namespace http {
namespace {

constexpr std::string_view kDocumentationHeading = R"html(<a class="skip" href="#inhalt">Zum Inhalt</a>
<header class="top">
<h1>Dachanalyse: Dokumentation</h1>
<p class="lead">Adresse hinein, Dachflächen heraus: Neigung, Ausrichtung, Verschattung, Module und Ertrag, aus
amtlichen Höhenmodellen.</p>
<p>Neu hier? Die <a href="{{anleitung}}">Anleitung</a> führt vom ersten Schlüssel zum fertigen Ergebnis. Für
Maschinen: <a href="{{openapi}}">openapi.json</a> (OpenAPI 3.1.0, Fassung {{fassung}}).</p>
<p>Alle Pfade stehen hinter</p>
{{adresse}}
</header>
<div class="page">
<nav class="contents" aria-label="Inhalt">
<ul>
<li><a href="#anmeldung">Anmeldung</a></li>
<li><a href="#ablauf">Ablauf</a></li>
<li><a href="#endpunkte">Endpunkte</a><ul>{{verzeichnis}}</ul></li>
<li><a href="#fehler">Fehler</a></li>
<li><a href="#felder">Felder</a></li>
<li><a href="#grenzen">Grenzen</a></li>
<li><a href="#profile">Lastprofile</a></li>
<li><a href="#genauigkeit">Genauigkeit</a></li>
</ul>
</nav>
<main id="inhalt">
<div class="search" id="suche" role="search" hidden>
<label for="suchfeld">Dokumentation durchsuchen</label>
<input id="suchfeld" type="search" placeholder="Suchen: Feld, Fehler, Pfad" autocomplete="off">
<p id="treffer" aria-live="polite"></p>
</div>
)html";

constexpr std::string_view kUse = R"html(<section id="anmeldung">
<h2>Anmeldung</h2>
<div data-part>
<p>Jeder Aufruf außer den öffentlichen Seiten trägt einen API-Schlüssel, am besten im Header:</p>
{{befehl X-API-Key: $SCHLUESSEL}}
<p>Wer keinen Header senden kann, hängt <code>schluessel=…</code> an die Adresse. Der Schlüssel steht dann in
Zugriffsprotokollen; kommt beides, gilt der Header.</p>
<p>Schlüssel entstehen in der Webanwendung und werden genau einmal gezeigt. Ein verlorener Schlüssel lässt sich nur
widerrufen und ersetzen. Grenzen gelten je Konto: Mehr Schlüssel erhöhen sie nicht.</p>
</div>
</section>
<section id="ablauf">
<h2>Ablauf</h2>
<div data-part>
<ol>
<li><code>POST /projekte</code> legt das Projekt an und startet die Analyse: <code>202</code>.</li>
<li><code>GET</code> auf <code>analyse_url</code>, solange <code>zustand</code> „läuft“ ist; dazwischen
<code>erneut_in_s</code> Sekunden warten.</li>
<li>Ist <code>zustand</code> „fertig“, kommt mit <code>200</code> das Ergebnis.</li>
</ol>
<p>Bei <code>wartet: true</code> hat die Analyse noch keinen Platz; das zählt nicht zur Frist. {{frist}} Sekunden nach
der ersten Antwort mit <code>wartet: false</code> endet das Abfragen: Dann die Analyse genau einmal mit
<code>POST</code> neu starten und noch einmal {{frist}} Sekunden warten.</p>
<p>Endet ein Lauf mit einem Fehler, bleibt dieser stehen, bis <code>POST</code> auf <code>analyse_url</code> ihn neu
startet. Benachrichtigungen gibt es nicht.</p>
</div>
</section>
)html";

constexpr std::string_view kTables = R"html(<section id="endpunkte">
<h2>Endpunkte</h2>
{{endpunkte}}</section>
<section id="fehler">
<h2>Fehler</h2>
<p>Jeder Fehler kommt als <code>application/problem+json</code> (RFC 9457). Verzweigen Sie nach
<code>fehler.code</code>; <code>fehler.meldung</code> ist für Menschen, <code>fehler.tu</code> sagt den nächsten
Schritt.</p>
{{fehlerliste}}</section>
<section id="felder">
<h2>Felder</h2>
{{felder}}</section>
<section id="grenzen">
<h2>Grenzen</h2>
<p>Was jetzt noch bleibt, steht in jeder Antwort mit Schlüssel in den Headern <code>RateLimit</code> und
<code>RateLimit-Policy</code>. Wer auf einer Verbindung viermal in einer Sekunde abgelehnt wurde (<code>429</code>,
<code>503</code>) und weiterfragt, bekommt die nächste Ablehnung bis zu einer halben Sekunde später.</p>
<div class="card">{{grenzen}}</div>
</section>
<section id="profile">
<h2>Lastprofile</h2>
<div class="card">{{profile}}</div>
</section>
<section id="genauigkeit">
<h2>Genauigkeit</h2>
<p>Gemessen an je zwölf erzeugten Siedlungen mit bekannten Dächern in drei Koordinatensystemen, Flächen ab 10 m²: mit
Gebäudeumrissen und ohne; in Klammern eine einfache robuste Ausgleichung der Punkte im wahren Umriss. Wiederholen lässt
sich das mit <code>./roof bench accuracy --first-seed={{saat}}</code>. Den Fehler jeder einzelnen Fläche nennt
<code>medien</code>.</p>
<div class="card">{{genauigkeit}}</div>
</section>
</main>
</div>
<footer>Das Ergebnis ist eine Vorplanung aus Fernerkundungsdaten. Wer es weitergibt, nennt die Quellen aus
<code>quellen</code>.</footer>
)html";

std::string endpoint_links() {
  std::string out;
  for (const Route& route : route_table())
    out += "<li><a href=\"#" + std::string(route.id) + "\">" + html::escaped(route.summary) + "</a></li>";
  return out;
}

template <class Table, class Card>
std::string cards(const Table& table, const Card& card) {
  std::string out;
  for (const auto& row : table) out += card(row);
  return out;
}

html::Values table_values(const PageContext& context) {
  using Argument = const std::string&;
  html::Values values = html::page_values(context);
  values["verzeichnis"] = [](Argument) { return endpoint_links(); };
  values["endpunkte"] = [&context](Argument) {
    return cards(route_table(), [&](const Route& route) { return html::endpoint_card(route, context); });
  };
  values["fehlerliste"] = [](Argument) { return cards(error_table(), html::error_card); };
  values["felder"] = [&context](Argument) {
    return cards(schema_table(), [&](const Schema& schema) { return html::schema_card(schema, context); });
  };
  values["grenzen"] = [&context](Argument) { return html::limit_list(context); };
  values["saat"] = [](Argument) { return std::to_string(html::kAccuracyFirstSeed); };
  values["genauigkeit"] = [](Argument) { return html::accuracy_list(); };
  values["profile"] = [](Argument) { return html::load_profile_list(); };
  return values;
}

}  // namespace

Response documentation_page(const PageContext& context) {
  const html::Values values = table_values(context);
  html::Page page;
  page.title = "Dachanalyse: Dokumentation";
  page.summary = "Endpunkte, Felder, Fehler und Grenzen der Dachanalyse-Schnittstelle.";
  page.script = html::documentation_script();
  for (const std::string_view part : {kDocumentationHeading, kUse, kTables})
    page.body += html::filled_in(part, values);
  return html::page_response(page);
}

}  // namespace http
