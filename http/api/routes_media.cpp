// The endpoints of a project's images and files.
#include "http/api/forms.hpp"
#include "http/api/routes.hpp"

namespace http {
namespace {

using actors::Code;
using actors::LimitClass;
using In = Parameter::In;

Parameter format() {
  return {In::query,
          field::text("format", "png gibt PNG, alles andere SVG", "png").optional().by_default("\"svg\"")};
}

Parameter width() {
  return {In::query, field::integer("breite", "Breite in Pixeln", "1200")
                         .at_least(kWidthMin_px)
                         .at_most(kWidthMax_px)
                         .optional()
                         .by_default(std::to_string(kWidthDefault_px))};
}

Success image(std::string_view about) { return {200, about, {}, {"image/svg+xml", "image/png"}}; }

Route media_list() {
  return {
      .method = "GET",
      .path = "/projekte/{projekt_id}/medien",
      .id = "medienAuflisten",
      .summary = "Medien auflisten",
      .about = "Welche Bilder und Dateien es gibt, und wie genau die Flächen bestimmt sind.",
      .parameters = {project_id_parameter()},
      .successes = {{200, "Die Liste.", "Medienliste", {}}},
      .refusals = {Code::projekt_unbekannt, Code::analyse_unlesbar},
      .command = [](const Request&, const PathParameters& path) { return read_media_list(path[0]); },
      .limit = LimitClass::media,
  };
}

Route surface_image() {
  return {
      .method = "GET",
      .path = "/projekte/{projekt_id}/bilder/flaeche/{nummer}",
      .id = "bildFlaeche",
      .summary = "Belegungsbild einer Fläche",
      .about =
          "Das Luftbild der Fläche mit Modulraster, Nordpfeil und Maßstab. Das Raster zeigt, was geometrisch "
          "passt "
          "(module_moeglich), nicht die Empfehlung.",
      .parameters = {project_id_parameter(),
                     {In::path, field::integer("nummer", "id der Fläche im Ergebnis", "1").at_least(1)},
                     format(),
                     width()},
      .successes = {image("Das Bild.")},
      .refusals = {Code::projekt_unbekannt, Code::anfrage_ungueltig, Code::analyse_fehlt,
                   Code::keine_belegten_flaechen, Code::flaeche_unbekannt, Code::bild_nicht_zeichenbar,
                   Code::format_nicht_moeglich, Code::analyse_unlesbar},
      .command = [](const Request& request,
                    const PathParameters& path) { return read_surface_image(request, path[0], path[1]); },
      .limit = LimitClass::media,
  };
}

Route overview_image() {
  return {
      .method = "GET",
      .path = "/projekte/{projekt_id}/bilder/uebersicht",
      .id = "bildUebersicht",
      .summary = "Alle belegten Flächen in einem Bild",
      .about = "Jede Fläche mit Modulen, in einem Bild.",
      .parameters = {project_id_parameter(), format(), width()},
      .successes = {image("Das Bild.")},
      .refusals = {Code::projekt_unbekannt, Code::anfrage_ungueltig, Code::analyse_fehlt,
                   Code::keine_belegten_flaechen, Code::bild_nicht_zeichenbar, Code::format_nicht_moeglich,
                   Code::analyse_unlesbar},
      .command = [](const Request& request,
                    const PathParameters& path) { return read_overview_image(request, path[0]); },
      .limit = LimitClass::media,
  };
}

Route orthophoto() {
  return {
      .method = "GET",
      .path = "/projekte/{projekt_id}/orthofoto",
      .id = "orthofoto",
      .summary = "Gespeichertes Luftbild",
      .about = "Gibt es erst, wenn das Projekt in der Webanwendung geöffnet und gespeichert wurde.",
      .parameters = {project_id_parameter()},
      .successes = {{200, "Das Luftbild.", {}, {"image/jpeg"}}},
      .refusals = {Code::projekt_unbekannt, Code::orthofoto_fehlt},
      .command = [](const Request&, const PathParameters& path) { return read_orthophoto(path[0]); },
      .limit = LimitClass::media,
  };
}

Route model() {
  return {
      .method = "GET",
      .path = "/projekte/{projekt_id}/modell",
      .id = "modell",
      .summary = "3D-Modell als GLB-Datei",
      .about = "Gibt es erst, wenn das Projekt in der Webanwendung geöffnet und gespeichert wurde.",
      .parameters = {project_id_parameter()},
      .successes = {{200, "Das Modell.", {}, {"model/gltf-binary"}}},
      .refusals = {Code::projekt_unbekannt, Code::modell_fehlt},
      .command = [](const Request&, const PathParameters& path) { return read_model(path[0]); },
      .limit = LimitClass::media,
  };
}

}  // namespace

std::vector<Route> media_routes() {
  return {media_list(), surface_image(), overview_image(), orthophoto(), model()};
}

}  // namespace http
