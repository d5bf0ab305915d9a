#include "http/web/pages/project_files.hpp"

#include <array>

#include "geo/drawing/german_text.hpp"
#include "http/api/errors.hpp"
#include "http/api/media_list.hpp"
#include "http/web/pages/page_data.hpp"
#include "http/web/pages/project_result_data.hpp"

namespace http {
namespace {

constexpr int kDrawingWidth_px = 1600;
constexpr int kThumbnailWidth_px = 144;  // shown at half of it

/// A file that a renderer makes or that was saved.
struct MediumName {
  std::string_view name;
  actors::MediaKind kind;
  bool png;
  int width_px;
};
constexpr std::array<MediumName, 5> kMediumNames{
    {{"uebersicht.svg", actors::MediaKind::overview_image, false, kDrawingWidth_px},
     {"uebersicht.png", actors::MediaKind::overview_image, true, kDrawingWidth_px},
     {"vorschau.png", actors::MediaKind::overview_image, true, kThumbnailWidth_px},
     {"luftbild.jpg", actors::MediaKind::orthophoto, false, 0},
     {"modell.glb", actors::MediaKind::model, false, 0}}};

TemplateData download(const std::string& url, const std::string& name, const std::string& note) {
  TemplateData row = object();
  row.set("datei_url", url);
  row.set("datei_name", name);
  row.set("datei_hinweis", note);
  return row;
}

PageTask medium_file(PageVisitPtr visit, MediumName what) {
  actors::Command command = actors::QueryMedia{
      .project = project_of_path(*visit), .kind = what.kind, .png = what.png, .width_px = what.width_px};
  const auto answer = co_await visit->ask(std::move(command));
  if (!answer) co_return visit->unavailable();
  const auto* medium = caf::get_if<actors::Medium>(&answer->outcome);
  if (!medium) co_return visit->not_found();
  const MediumFile file = file_of(*medium);
  Response response{.status = 200, .content_type = file.type};
  response.shared_body = medium->body.text;
  visit->site->security().add_to(response);
  co_return response.with("Content-Disposition", file.disposition);
}

/// The contract's Ergebnis, byte for byte what the API answers.
PageTask result_file(PageVisitPtr visit) {
  actors::Command command = actors::QueryAnalysis{project_of_path(*visit)};
  const auto answer = co_await visit->ask(std::move(command));
  if (!answer) co_return visit->unavailable();
  const auto* finished = caf::get_if<actors::Finished>(&answer->outcome);
  if (!finished) co_return visit->not_found();
  Response response{.status = 200, .content_type = kJson};
  response.shared_body = finished->body.text;
  visit->site->security().add_to(response);
  co_return response.with("Content-Disposition", "attachment; filename=\"ergebnis.json\"");
}

PageTask surfaces_file(PageVisitPtr visit) {
  FoundAnalysis found = co_await find_analysis(visit);
  if (found.instead) co_return std::move(*found.instead);
  if (!found.analysis) co_return visit->not_found();
  Response response{.status = 200, .content_type = "application/geo+json"};
  response.body = surfaces_geojson(*found.analysis, address_of(*found.record));
  visit->site->security().add_to(response);
  co_return response.with("Content-Disposition", "attachment; filename=\"flaechen.geojson\"");
}

PageTask no_such_file(PageVisitPtr visit) { co_return visit->not_found(); }

}  // namespace

void add_downloads(const actors::ProjectRecord& record, const geo::RoofAnalysis&, TemplateData& data) {
  const std::string folder = project_path(record.project) + "/datei/";
  TemplateData rows = list();
  rows << download(folder + "uebersicht.svg", "Übersicht als SVG", "für Druck und Bearbeitung");
  rows << download(folder + "uebersicht.png", "Übersicht als PNG", "als Bild");
  rows << download(folder + "ergebnis.json", "Ergebnis als JSON", "alle Zahlen, wie die API sie gibt");
  rows << download(folder + "flaechen.geojson", "Dachflächen als GeoJSON", "Umrisse für QGIS und andere");
  if (record.orthophoto_bytes > 0)
    rows << download(folder + "luftbild.jpg", "Luftbild",
                     geo::german_number(static_cast<double>(record.orthophoto_bytes) / 1000, 0) + " kB");
  if (record.model_bytes > 0)
    rows << download(folder + "modell.glb", "3D-Modell als GLB",
                     geo::german_number(static_cast<double>(record.model_bytes) / 1000, 0) + " kB");
  data.set("downloads", rows);
  data.set("modell_url", text_or_none(record.model_bytes > 0 ? folder + "modell.glb" : std::string()));
}

PageTask project_file(PageVisitPtr visit) {
  const std::string& name = visit->parameters.at(1);
  for (const MediumName& medium : kMediumNames)
    if (medium.name == name) return medium_file(std::move(visit), medium);
  if (name == "ergebnis.json") return result_file(std::move(visit));
  if (name == "flaechen.geojson") return surfaces_file(std::move(visit));
  return no_such_file(std::move(visit));
}

}  // namespace http
