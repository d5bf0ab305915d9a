// The Ergebnis: a finished analysis, and everything in it.
#include "http/api/schemas.hpp"

namespace http {

using namespace field;  // the table reads as one

namespace {

std::vector<Field> surface_fields() {
  return {
      integer("id", "Nummer der Fläche, ab 1; dieselbe wie im Pfad ihres Bildes", "1").at_least(1),
      text("name", "Name der Fläche", "Fläche 1 (Süd)"),
      integer("gebaeude", "Nummer des Gebäudes", "1").or_null(),
      number("grundflaeche_m2", "Fläche im Grundriss, m²", "48.6").at_least(0),
      number("dachflaeche_m2", "geneigte Fläche: Grundfläche durch Kosinus der Neigung, m²", "59.33")
          .at_least(0),
      number("neigung_grad", "Neigung, aus einem Höhenmodell mit 1 m Raster", "35").at_least(0).at_most(90),
      number("azimut_grad", "Ausrichtung: Süd 0, Ost negativ, West positiv", "-12.4")
          .more_than(-180)
          .at_most(180),
      number("firsthoehe_m", "Höhe ihres höchsten Punktes über dem Gelände, m", "9.1").or_null(),
      integer("module_moeglich", "Module, die geometrisch passen: mit Randabstand, ohne Aufbauten", "22")
          .at_least(0),
      number("leistung_moeglich_kwp", "Leistung dieser Module, kWp", "9.68").at_least(0),
      integer("module_empfohlen",
              "Module der Auslegung auf den Verbrauch; die ertragreichsten Flächen zuerst, keine für ein "
              "einzelnes Modul",
              "12")
          .at_least(0),
      number("leistung_empfohlen_kwp", "Leistung dieser Module, kWp", "5.28").at_least(0),
      number("ertrag_kwh_pro_kwp", "Jahresertrag je kWp, mit Horizont, Schnee und Systemverlusten", "1050")
          .at_least(0)
          .or_null(),
      boolean("ertrag_enthaelt_verschattung",
              "immer true: der Verschattungsverlust ist eine Angabe, kein Faktor; nicht noch einmal abziehen",
              true),
      boolean("empfohlen", "die Fläche gehört zur Empfehlung", true),
      object("verschattung", "Verschattung", "null: keine Messpunkte").or_null(),
      object("umriss", "Umriss", "Umriss der Fläche"),
      uri("bild_url", "Belegungsbild der Fläche", "{base_url}/projekte/4711/bilder/flaeche/1"),
  };
}

std::vector<Schema> surface_schemas() {
  return {
      {"Dachflaeche", "Eine ebene Dachfläche.", surface_fields()},
      {"Verschattung",
       "Verlust durch Schatten, gemessen an fünf Punkten: den vier Ecken und der Mitte.",
       {text("verfahren", "Name des Verfahrens", "5-Punkt-Verfahren"),
        number("verlust_mittel_pct", "mittlerer Verlust der fünf Punkte, Prozent", "3.2").or_null(),
        objects("messpunkte", "Messpunkt", "die Punkte")}},
      {"Messpunkt",
       "Ein Punkt auf der Fläche, an dem die Verschattung gemessen ist.",
       {text("punkt", "Lage, von unten die Neigung hinauf gesehen", "traufe_links")
            .among({"traufe_links", "traufe_rechts", "first_rechts", "first_links", "mitte"}),
        number("lat", "geographische Breite, WGS84, Grad", "48.2082001").at_least(-90).at_most(90),
        number("lon", "geographische Länge, WGS84, Grad", "16.3738002").at_least(-180).at_most(180),
        number("verlust_pct", "Verlust an der Jahreseinstrahlung, Prozent", "2.8")}},
      {"Umriss",
       "GeoJSON-Polygon (RFC 7946), WGS84, Länge vor Breite.",
       {text("type", "immer „Polygon“", "Polygon").among({"Polygon"}),
        coordinates("coordinates", "Ringe aus [lon, lat]; der erste ist außen, jeder ist geschlossen",
                    "[[[16.37378,48.20815],[16.37389,48.20815],[16.37389,48.20819],[16.37378,48.20819],"
                    "[16.37378,48.20815]]]")}},
  };
}

std::vector<Field> summary_fields() {
  return {
      integer("flaechen_anzahl", "Zahl der Flächen", "1").at_least(0),
      number("grundflaeche_m2", "Summe der Grundflächen, m²", "48.6").or_null(),
      number("dachflaeche_m2", "Summe der geneigten Flächen, m²", "59.33").or_null(),
      integer("gebaeude", "Zahl der Gebäude", "1").or_null(),
      integer("module_moeglich", "Module, die im Ganzen passen", "22").or_null(),
      number("leistung_moeglich_kwp", "geometrisches Potential des Daches im Ganzen, kWp", "9.68").or_null(),
      number("empfehlung_kwp", "was der Verbrauch allein verlangt, kWp", "5.1").or_null(),
      number("auslegung_kwp", "empfohlene Anlage aus ganzen Modulen auf diesem Dach, kWp", "5.28").or_null(),
      integer("auslegung_module", "Module der empfohlenen Anlage", "12").or_null(),
      integer("auslegung_flaechen", "Flächen, auf denen sie liegen", "1").or_null(),
      number("bestand_kwp", "vorhandene Anlage, kWp; null: nicht bekannt", "null").or_null(),
      number("modulleistung_w", "Leistung eines Moduls, W", "440").or_null(),
      number("ertrag_kwh", "Jahresertrag der empfohlenen Anlage, kWh", "5544").or_null(),
      number("spez_ertrag_kwh_kwp", "ihr Jahresertrag je kWp, kWh", "1050").or_null(),
  };
}

std::vector<Schema> part_schemas() {
  return {
      {"Zusammenfassung", "Das ganze Dach in Zahlen.", summary_fields()},
      {"Wirtschaftlichkeit",
       "Die Wirtschaftlichkeitsrechnung; in der Schnittstelle vorbereitet, aber nicht verfügbar.",
       {boolean("verfuegbar", "ob die Schnittstelle sie gibt", false),
        uri("url", "Rechnung in der Webanwendung", "{web_url}/projekte/4711/wirtschaftlichkeit"),
        boolean("anmeldung_noetig", "ob url eine Anmeldung braucht", true),
        text("hinweis", "Hinweis für Menschen",
             "Die Wirtschaftlichkeitsrechnung steht in der Webanwendung.")}},
      {"Medien",
       "Wo Bilder und Modell zu finden sind.",
       {uri("uebersicht_url", "Liste der Medien", "{base_url}/projekte/4711/medien"),
        uri("bild_uebersicht_url", "Bild mit allen belegten Flächen",
            "{base_url}/projekte/4711/bilder/uebersicht")}},
      {"Quelle",
       "Ein Datensatz, auf dem das Ergebnis ruht. Wer das Ergebnis weitergibt, nennt ihn.",
       {text("art", "Art der Daten", "oberflaechenmodell"),
        text("name", "Name des Datensatzes", "DOM 1 m").or_null(),
        text("anbieter", "wer ihn bereitstellt", "Landesvermessung").or_null(),
        text("lizenz", "Lizenz", "CC BY 4.0").or_null(),
        text("namensnennung", "der Wortlaut, der zu nennen ist",
             "© Landesvermessung, CC BY 4.0, Daten bearbeitet")
            .or_null(),
        uri("url", "Adresse des Datensatzes", "https://example.org/dom").or_null(),
        integer("jahr", "Jahr der Aufnahme", "2022").or_null(),
        number("raster_m", "Rasterweite, m", "1").or_null()}},
  };
}

}  // namespace

std::vector<Schema> result_schemas() {
  std::vector<Schema> all{
      {"Ergebnis",
       "Die fertige Analyse: eine Vorplanung aus Fernerkundungsdaten, keine Ausführungsplanung.",
       {text("zustand", "immer „fertig“", "fertig").among({"fertig"}),
        integer("projekt_id", "Nummer des Projekts", "4711").at_least(1),
        number("jahresverbrauch_kwh", "Verbrauch, mit dem gerechnet ist, kWh im Jahr", "4500").more_than(0),
        load_profile("Kennung des Lastprofils"),
        number("dauer_s", "Rechenzeit in Sekunden", "12.4").at_least(0),
        objects("flaechen", "Dachflaeche", "jede Dachfläche des Grundstücks"),
        object("zusammenfassung", "Zusammenfassung", "das ganze Dach"),
        object("wirtschaftlichkeit", "Wirtschaftlichkeit", "Verweis in die Webanwendung"),
        object("medien", "Medien", "Bilder und Modell"),
        objects("quellen", "Quelle", "Datenquellen, die zu nennen sind"),
        texts("warnungen", "was in diesem Lauf unvollständig blieb",
              "[\"Das Gelände ist aus dem Oberflächenmodell abgeleitet.\"]")}},
  };
  for (auto* part : {surface_schemas, part_schemas})
    for (Schema& schema : part()) all.push_back(std::move(schema));
  return all;
}

}  // namespace http
