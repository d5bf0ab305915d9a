// The list of a project's media, and how well the elevation model supports its surfaces.
#include "http/api/schemas.hpp"

namespace http {

using namespace field;  // the table reads as one

std::vector<Schema> media_schemas() {
  return {
      {"Medienliste",
       "Welche Bilder und Dateien es zu einem Projekt gibt, und wie genau seine Flächen bestimmt sind.",
       {integer("projekt_id", "Nummer des Projekts", "4711").at_least(1),
        objects("medien", "Medium", "die Medien"),
        objects("flaechen", "Flaechenguete", "je Fläche: wie gut das Höhenmodell sie trägt")}},
      {"Medium",
       "Ein Bild oder eine Datei.",
       {text("art", "Art des Mediums", "bild_flaeche")
            .among({"bild_uebersicht", "bild_flaeche", "orthofoto", "modell"}),
        integer("nummer", "Nummer der Fläche; null: kein Bild einer einzelnen Fläche", "1").or_null(),
        uri("url", "wo es zu holen ist", "{base_url}/projekte/4711/bilder/flaeche/1"),
        texts("formate", "Medientypen, in denen es das gibt", "[\"image/svg+xml\",\"image/png\"]"),
        boolean("vorhanden", "ob es zu holen ist", true),
        text("hinweis", "was es zeigt, oder warum es fehlt", "Die Fläche mit dem Modulraster."),
        integer("groesse_bytes", "Größe; null: wird beim Abruf erzeugt", "null").at_least(0).or_null(),
        text("namensnennung", "was mit dem Bild zu nennen ist",
             "© Landesvermessung, CC BY 4.0, Daten bearbeitet")
            .or_null()}},
      {"Flaechenguete",
       "Standardfehler einer Fläche und worauf sie beruhen.",
       {integer("id", "Nummer der Fläche", "1").at_least(1),
        number("neigung_fehler_grad", "Standardfehler der Neigung, Grad", "0.4").at_least(0),
        number("azimut_fehler_grad", "Standardfehler des Azimuts, Grad", "0.7").at_least(0),
        number("flaeche_fehler_m2", "Standardfehler der Grundfläche, m²", "1.3").at_least(0),
        number("residuum_m", "mittlere Abweichung der Zellen von der Ebene, m", "0.06").at_least(0),
        integer("zellen", "Zellen des Höhenmodells, auf denen die Ebene ruht", "41").at_least(0),
        number("abdeckung_pct", "Anteil der Zellen im Umriss, die auf der Ebene liegen, Prozent", "97.6")
            .at_least(0)
            .at_most(100)}},
  };
}

}  // namespace http
