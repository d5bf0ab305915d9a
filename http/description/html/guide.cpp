// /anleitung: from the first key to a finished result, for a person with a command line and for an agent.
// Works without scripts.
#include "http/api/errors.hpp"
#include "http/description/html/shell.hpp"
#include "http/description/html/text.hpp"
#include "http/description/pages.hpp"

namespace http {
namespace {

constexpr std::string_view kGuideHeading = R"html(<a class="skip" href="#inhalt">Zum Inhalt</a>
<header class="top">
<h1>Dachanalyse: Anleitung</h1>
<p class="lead">Vom ersten Schlüssel zum fertigen Ergebnis, in fünf Schritten.</p>
<p>Sie brauchen eine Adresse in Österreich, Deutschland oder der Schweiz und den Stromverbrauch eines Jahres.
Alles Weitere steht in der <a href="{{doku}}">Dokumentation</a>, für Maschinen in
<a href="{{openapi}}">openapi.json</a>.</p>
</header>
<div class="page">
<nav class="contents" aria-label="Inhalt">
<ul>
<li><a href="#schritte">Schritt für Schritt</a></li>
<li><a href="#ein-aufruf">In einem Aufruf</a></li>
<li><a href="#ergebnis">Das Ergebnis lesen</a></li>
<li><a href="#agenten">Für Agenten</a></li>
<li><a href="#stoerungen">Wenn etwas nicht geht</a></li>
</ul>
</nav>
<main id="inhalt">
)html";

constexpr std::string_view kSteps = R"html(<section id="schritte">
<h2>Schritt für Schritt</h2>
<ol class="steps">
<li>
<h3>Schlüssel holen</h3>
<p>Melden Sie sich in der <a href="{{web}}">Webanwendung</a> an, öffnen Sie das Modul Schnittstelle und legen Sie
einen Schlüssel an. Er wird genau einmal gezeigt; ein verlorener wird widerrufen und ersetzt. Legen Sie ihn in eine
Variable, damit er in keinem Befehl steht:</p>
{{befehl read -rs SCHLUESSEL}}
</li>
<li>
<h3>Projekt anlegen</h3>
<p>Das Anlegen startet die Analyse. Je Konto und Adresse gibt es genau ein Projekt.</p>
{{curl projektAnlegen}}
<p>Die Antwort ist <code>202</code> und nennt unter <code>analyse_url</code>, wo es weitergeht.</p>
{{antwort Angelegt}}
</li>
<li>
<h3>Abfragen, bis sie fertig ist</h3>
<p>Eine Analyse dauert etwa 10 bis 90 Sekunden. Warten Sie zwischen zwei Abfragen so viele Sekunden, wie
<code>erneut_in_s</code> sagt.</p>
{{curl analyseAbfragen}}
{{antwort Laufstand}}
</li>
<li>
<h3>Ergebnis holen</h3>
<p>Ist <code>zustand</code> „fertig“, liefert dieselbe Adresse mit <code>200</code> das Ergebnis. Es wird begrenzt
aufbewahrt; die <a href="{{doku}}#grenzen">Grenzen</a> nennen die Zeit.</p>
{{antwort Ergebnis}}
</li>
<li>
<h3>Bilder ansehen</h3>
<p>Zu jeder Fläche mit Modulen gehört ein Bild; die Liste sagt, welche es gibt.</p>
{{curl medienAuflisten}}
{{curl bildFlaeche}}
</li>
</ol>
</section>
)html";

constexpr std::string_view kSingleCall = R"html(<section id="ein-aufruf">
<h2>In einem Aufruf</h2>
<p>Werkzeuge, die weder POST noch Header senden, rufen dieselbe Adresse so lange auf, bis <code>zustand</code>
„fertig“ ist, nicht öfter als alle {{abstand}} Sekunden. Der erste Aufruf legt das Projekt an, die weiteren legen
nichts doppelt an.</p>
{{befehl {base_url}/analyse?adresse=Musterstra%C3%9Fe%201%2C%201010%20Wien&jahresverbrauch_kwh=4500&schluessel=IHR_SCHLUESSEL}}
<p>Der Schlüssel steht dabei in der Adresse und damit in Zugriffsprotokollen; wo ein Header geht, ist er der bessere
Weg.</p>
</section>
)html";

constexpr std::string_view kResult = R"html(<section id="ergebnis">
<h2>Das Ergebnis lesen</h2>
<ul>
<li><code>module_moeglich</code> sagt, was auf das Dach passt; <code>module_empfohlen</code>, was zum Verbrauch
passt. Die ertragreichsten Flächen werden zuerst belegt.</li>
<li><code>zusammenfassung.auslegung_kwp</code> ist die empfohlene Anlage. <code>leistung_moeglich_kwp</code> gibt es
in der Zusammenfassung und je Fläche: Achten Sie auf den Pfad.</li>
<li><code>ertrag_kwh_pro_kwp</code> enthält Horizont, Schnee und Systemverluste schon. Der Verschattungsverlust ist
eine Angabe; noch einmal abgezogen, wäre er doppelt gezählt.</li>
<li><code>azimut_grad</code>: Süd ist 0, Ost negativ, West positiv.</li>
<li><code>umriss</code> ist GeoJSON: erst Länge, dann Breite.</li>
<li><code>warnungen</code> sagt, was in diesem Lauf unvollständig blieb.</li>
</ul>
<p class="note">Das Ergebnis ist eine Vorplanung aus Fernerkundungsdaten, keine Ausführungsplanung, und gilt nur für
diesen Ort. Wer es weitergibt, nennt die Datenquellen: zu jedem Eintrag in <code>quellen</code> den Wortlaut aus
<code>namensnennung</code>.</p>
</section>
)html";

constexpr std::string_view kAgents = R"html(<section id="agenten">
<h2>Für Agenten</h2>
<p>Dieselbe Aufgabe als Regeln.</p>
<ol>
<li>Fragen Sie nach, was fehlt: vollständige Adresse und Jahresverbrauch in kWh. Erfinden Sie nichts davon. Ohne
Angabe zum Lastprofil nehmen Sie <code>H0</code>.</li>
<li>Senden Sie den Schlüssel im Header <code>X-API-Key</code>. Schreiben Sie ihn nie in eine Antwort.</li>
<li>Senden Sie <code>POST /projekte</code>. Bei <code>202</code> fragen Sie <code>analyse_url</code> ab.</li>
<li>Bei <code>409</code> {{fehler projekt_besteht_bereits}} besteht das Projekt schon. Das ist keine Störung: Nehmen
Sie <code>bestehendes_projekt.analyse_url</code> und legen Sie nichts neu an.</li>
<li>Warten Sie zwischen zwei Abfragen <code>erneut_in_s</code> Sekunden (dasselbe steht in
<code>Retry-After</code>), bei <code>GET /analyse</code> mindestens {{abstand}}.</li>
<li>Solange <code>wartet</code> true ist, läuft keine Frist. Ab der ersten Antwort mit <code>wartet: false</code>
warten Sie höchstens {{frist}} Sekunden, starten dann genau einmal mit <code>POST</code> auf
<code>analyse_url</code> neu und warten noch einmal höchstens {{frist}} Sekunden. Danach geben Sie auf und nennen die
<code>projekt_id</code>.</li>
<li>Bei <code>503</code> warten Sie, was <code>Retry-After</code> sagt. Kam der Fehler beim Abfragen, starten Sie mit
<code>POST</code> auf <code>fehler.analyse_url</code> neu; kam er beim Anlegen, senden Sie die Anfrage noch
einmal.</li>
<li>Bei {{fehler analyse_fehlt}} senden Sie <code>POST</code> an <code>fehler.analyse_url</code>. Bei
{{fehler analyse_unlesbar}} starten Sie nichts neu: Ein neuer Lauf würde das Gespeicherte überschreiben.</li>
<li>Bei {{fehler adresse_nicht_eindeutig}} fragen Sie, welche aus <code>fehler.gefunden</code> gemeint ist, und
senden deren Schreibweise.</li>
<li>Verzweigen Sie nach <code>fehler.code</code>, nie nach dem Wortlaut. <code>fehler.tu</code> nennt zu jedem Fehler
den nächsten Schritt.</li>
<li>Geben Sie Zahlen mit der Namensnennung aus <code>quellen</code> weiter, und sagen Sie dazu, dass es eine
Vorplanung ist.</li>
<li>Orthofoto und 3D-Modell gibt es erst, wenn das Projekt in der Webanwendung geöffnet und gespeichert wurde. Warten
hilft nicht.</li>
</ol>
</section>
)html";

constexpr std::string_view kTrouble = R"html(<section id="stoerungen">
<h2>Wenn etwas nicht geht</h2>
<p>Die häufigsten Fälle; alle stehen in der <a href="{{doku}}#fehler">Dokumentation</a>.</p>
<dl class="fields">
{{zeile schluessel_ungueltig}}
{{zeile adresse_nicht_gefunden}}
{{zeile projekt_besteht_bereits}}
{{zeile kein_dach}}
{{zeile analyse_fehlgeschlagen}}
{{zeile testkontingent_erschoepft}}
</dl>
</section>
</main>
</div>
)html";

}  // namespace

Response guide_page(const PageContext& context) {
  html::Values values = html::page_values(context);
  values["zeile"] = [link = values.at("fehler")](const std::string& code) {
    const ErrorRow& row = error_row(actors::code_of(code));
    return "<div><dt>" + link(code) + "</dt><dd>" + html::escaped(row.meldung) + " " + html::escaped(row.tu) +
           "</dd></div>";
  };
  html::Page page;
  page.title = "Dachanalyse: Anleitung";
  page.summary = "Vom ersten Schlüssel zum fertigen Ergebnis der Dachanalyse, für Menschen und für Agenten.";
  for (const std::string_view part : {kGuideHeading, kSteps, kSingleCall, kResult, kAgents, kTrouble})
    page.body += html::filled_in(part, values);
  return html::page_response(page);
}

}  // namespace http
