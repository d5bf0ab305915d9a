#include "actors/projects/project_media.hpp"

#include <algorithm>
#include <set>

#include "persistence/keys.hpp"

namespace actors {
namespace {

Refusal refusal(Code code, const persistence::Project& project) {
  return {.code = code, .project = project.id};
}

bool has_modules(const geo::RoofSurface& surface) { return surface.modules_possible() > 0; }

bool any_modules(const geo::RoofAnalysis& analysis) {
  return std::any_of(analysis.surfaces.begin(), analysis.surfaces.end(), has_modules);
}

std::vector<int> numbers(const geo::RoofAnalysis& analysis) {
  std::vector<int> all;
  for (const geo::RoofSurface& surface : analysis.surfaces) all.push_back(surface.id);
  return all;
}

SurfaceQuality quality_of(const geo::RoofSurface& surface) {
  const geo::FitStatistics& fit = surface.fit;
  return {surface.id,     fit.tilt_error_deg, fit.azimuth_error_deg, fit.area_error_m2,
          fit.residual_m, fit.cells,          fit.coverage_pct};
}

constexpr const char* kNoModules = "Auf diese Fläche passt kein Modul.";
constexpr const char* kNoScene =
    "Zu diesem Ergebnis ist nichts gespeichert, woraus Bilder gezeichnet werden könnten; starten Sie die "
    "Analyse neu.";
constexpr const char* kNoAerialImage = "Zu diesem Ort gibt es kein Luftbild, das gespeichert werden könnte.";

/// Why the image cannot be drawn; `surface` is ignored for the overview.
std::optional<Refusal> image_refusal(const ProjectEntry& entry, const geo::RoofAnalysis& analysis,
                                     MediaKind kind, int surface) {
  if (!any_modules(analysis)) return refusal(Code::keine_belegten_flaechen, entry.project);
  Refusal not_drawable = refusal(Code::bild_nicht_zeichenbar, entry.project);
  if (kind == MediaKind::surface_image) {
    const auto found = std::find_if(analysis.surfaces.begin(), analysis.surfaces.end(),
                                    [&](const geo::RoofSurface& s) { return s.id == surface; });
    if (found == analysis.surfaces.end()) {
      Refusal unknown = refusal(Code::flaeche_unbekannt, entry.project);
      unknown.existing = numbers(analysis);
      return unknown;
    }
    not_drawable.text = kNoModules;
    if (!has_modules(*found)) return not_drawable;
  }
  not_drawable.text = kNoScene;
  if (entry.run.scene_bytes == 0) return not_drawable;
  return {};
}

/// Why the file is not available; `saved` is null until the owner has saved the project.
std::optional<Refusal> file_refusal(const ProjectEntry& entry, const persistence::SavedMedia* saved,
                                    MediaKind kind) {
  const bool model = kind == MediaKind::model;
  if (saved && (model ? saved->model_bytes : saved->orthophoto_bytes) > 0) return {};
  Refusal missing = refusal(model ? Code::modell_fehlt : Code::orthofoto_fehlt, entry.project);
  if (saved && !model) missing.text = kNoAerialImage;
  return missing;
}

MediaItem item_of(MediaKind kind, int surface, const std::optional<Refusal>& refusal,
                  std::uint64_t size_bytes, const std::string& attribution) {
  MediaItem item{.kind = kind, .surface = surface, .available = !refusal};
  if (refusal) item.refusal = *refusal;
  if (!refusal) item.size_bytes = size_bytes;
  item.attribution = attribution;
  return item;
}

}  // namespace

std::string attribution_of(const geo::RoofAnalysis& analysis) {
  std::string text;
  std::set<std::string> named;
  for (const geo::Source& source : analysis.sources) {
    if (source.attribution.empty() || !named.insert(source.attribution).second) continue;
    text += (text.empty() ? "" : "; ") + source.attribution;
  }
  return text;
}

tl::expected<RenderOrder, Refusal> ProjectMedia::order(const ProjectEntry& entry,
                                                       const QueryMedia& query) const {
  const bool file = query.kind == MediaKind::model || query.kind == MediaKind::orthophoto;
  return file ? file_order(entry, query.kind) : image_order(entry, query);
}

tl::expected<RenderOrder, Refusal> ProjectMedia::image_order(const ProjectEntry& entry,
                                                             const QueryMedia& query) const {
  const auto analysis = results_.analysis(entry);
  if (!analysis) return tl::make_unexpected(analysis.error());
  if (const auto no = image_refusal(entry, *analysis, query.kind, query.surface))
    return tl::make_unexpected(*no);
  return RenderOrder{.account = entry.project.account,
                     .project = entry.project.id,
                     .version = entry.run.id,
                     .kind = query.kind,
                     .surface = query.surface,
                     .png = query.png,
                     .width_px = query.width_px};
}

tl::expected<RenderOrder, Refusal> ProjectMedia::file_order(const ProjectEntry& entry, MediaKind kind) const {
  const auto saved = saved_media(entry);
  if (!saved) return tl::make_unexpected(refusal(Code::interner_fehler, entry.project));
  if (const auto no = file_refusal(entry, *saved ? &**saved : nullptr, kind)) return tl::make_unexpected(*no);
  return RenderOrder{.account = entry.project.account,
                     .project = entry.project.id,
                     .version = static_cast<std::uint64_t>((*saved)->saved_ms),
                     .kind = kind};
}

persistence::Stored<ProjectMedia::SavedMedia> ProjectMedia::saved_media(const ProjectEntry& entry) const {
  const auto bytes = store_.get(persistence::Table::media,
                                persistence::project_key(entry.project.account, entry.project.id));
  if (!bytes) return tl::make_unexpected(bytes.error());
  if (!*bytes) return SavedMedia{};
  auto saved = persistence::decode_saved_media(**bytes);
  if (!saved) return tl::make_unexpected(persistence::StoreFault::unreadable);
  return saved;
}

Outcome ProjectMedia::list(const ProjectEntry& entry) const {
  const auto analysis = results_.analysis(entry);
  if (!analysis && analysis.error().code != Code::analyse_fehlt) return analysis.error();
  const auto saved = saved_media(entry);
  if (!saved) return refusal(Code::interner_fehler, entry.project);
  MediaList list{.project = entry.project.id};
  const auto add_image = [&](MediaKind kind, int surface) {
    list.media.push_back(
        item_of(kind, surface,
                analysis ? image_refusal(entry, *analysis, kind, surface) : std::optional(analysis.error()),
                0, analysis ? attribution_of(*analysis) : std::string()));
  };
  add_image(MediaKind::overview_image, 0);
  if (analysis)
    for (const geo::RoofSurface& surface : analysis->surfaces) {
      add_image(MediaKind::surface_image, surface.id);
      list.surfaces.push_back(quality_of(surface));
    }
  const persistence::SavedMedia* files = *saved ? &**saved : nullptr;
  const std::string attribution = files ? files->attribution : std::string();
  list.media.push_back(item_of(MediaKind::orthophoto, 0, file_refusal(entry, files, MediaKind::orthophoto),
                               files ? files->orthophoto_bytes : 0, attribution));
  list.media.push_back(item_of(MediaKind::model, 0, file_refusal(entry, files, MediaKind::model),
                               files ? files->model_bytes : 0, attribution));
  return list;
}

}  // namespace actors
