#include "http/api/media_list.hpp"

#include <boost/algorithm/string/replace.hpp>

#include "http/api/errors.hpp"
#include "http/api/json.hpp"

namespace http {
namespace {

using actors::MediaKind;

/// What a client reads about a kind of media.
struct KindText {
  const char* name;
  std::vector<std::string_view> types;
  const char* there;
};

const KindText& text_of(MediaKind kind) {
  static const KindText kOverview{
      "bild_uebersicht", {"image/svg+xml", "image/png"}, "Alle belegten Flächen in einem Bild."};
  static const KindText kSurface{"bild_flaeche",
                                 {"image/svg+xml", "image/png"},
                                 "Die Fläche mit dem Modulraster, das geometrisch passt (module_moeglich)."};
  static const KindText kOrthophoto{
      "orthofoto", {"image/jpeg"}, "Das gespeicherte Luftbild des Grundstücks."};
  static const KindText kModel{"modell", {"model/gltf-binary"}, "Das 3D-Modell als GLB-Datei."};
  switch (kind) {
    case MediaKind::surface_image:
      return kSurface;
    case MediaKind::orthophoto:
      return kOrthophoto;
    case MediaKind::model:
      return kModel;
    default:
      return kOverview;
  }
}

/// The text that the medium's address answers with, and the next step for the client. In this list there is
/// no fehler.analyse_url to point at.
std::string missing_text(const actors::Refusal& refusal, const Links& links) {
  if (!refusal.text.empty() && refusal.advice.empty()) return refusal.text;
  return boost::algorithm::replace_all_copy(meldung_of(refusal) + " " + tu_of(refusal),
                                            path_of(Extra::analysis), links.analysis(refusal.project));
}

std::string url_of(std::uint64_t project, const actors::MediaItem& item, const Links& links) {
  switch (item.kind) {
    case MediaKind::surface_image:
      return links.surface_image(project, item.surface);
    case MediaKind::orthophoto:
      return links.orthophoto(project);
    case MediaKind::model:
      return links.model(project);
    default:
      return links.overview_image(project);
  }
}

void write_item(Json& json, std::uint64_t project, const actors::MediaItem& item, const Links& links) {
  const KindText& text = text_of(item.kind);
  json.begin_object().field("art", text.name);
  json.field("nummer", item.kind == MediaKind::surface_image ? std::optional(item.surface) : std::nullopt);
  json.field("url", url_of(project, item, links)).key("formate").begin_array();
  for (const std::string_view type : text.types) json.text(type);
  json.end_array()
      .field("vorhanden", item.available)
      .field("hinweis", item.available ? text.there : missing_text(item.refusal, links));
  json.key("groesse_bytes");
  item.size_bytes > 0 ? json.integer(static_cast<std::int64_t>(item.size_bytes)) : json.null();
  json.text_or_null("namensnennung", item.attribution).end_object();
}

void write_quality(Json& json, const actors::SurfaceQuality& q) {
  json.begin_object().field("id", q.surface);
  json.field("neigung_fehler_grad", q.tilt_error_deg, 2).field("azimut_fehler_grad", q.azimuth_error_deg, 2);
  json.field("flaeche_fehler_m2", q.area_error_m2, 2).field("residuum_m", q.residual_m, 3);
  json.field("zellen", q.cells).field("abdeckung_pct", q.coverage_pct, 1).end_object();
}

}  // namespace

std::string media_list_json(const actors::MediaList& list, const Links& links) {
  Json json;
  json.begin_object().field("projekt_id", list.project).key("medien").begin_array();
  for (const actors::MediaItem& item : list.media) write_item(json, list.project, item, links);
  json.end_array().key("flaechen").begin_array();
  for (const actors::SurfaceQuality& quality : list.surfaces) write_quality(json, quality);
  json.end_array().end_object();
  return json.str();
}

MediumFile file_of(const actors::Medium& medium) {
  const std::string project = std::to_string(medium.project);
  const std::string picture = medium.png ? ".png" : ".svg";
  const char* picture_type = medium.png ? "image/png" : "image/svg+xml";
  const auto named = [](const char* how, const std::string& name) {
    return std::string(how) + "; filename=\"" + name + "\"";
  };
  switch (medium.kind) {
    case MediaKind::surface_image:
      return {picture_type,
              named("inline", "dach-" + project + "-flaeche-" + std::to_string(medium.surface) + picture)};
    case MediaKind::orthophoto:
      return {"image/jpeg", named("inline", "dach-" + project + "-orthofoto.jpg")};
    case MediaKind::model:
      return {"model/gltf-binary", named("attachment", "dach-" + project + "-modell.glb")};
    default:
      return {picture_type, named("inline", "dach-" + project + "-uebersicht" + picture)};
  }
}

}  // namespace http
