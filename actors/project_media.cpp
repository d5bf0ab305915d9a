// A project's media: which there are, and why one of them is not to be had.
#include <algorithm>
#include <set>

#include "actors/projects.hpp"

namespace actors {
namespace {

Refusal refusal(Code code, const persistence::Project& project) { return {.code = code, .project = project.id}; }

bool has_modules(const geo::RoofSurface& surface) { return surface.modules_possible() > 0; }

bool any_modules(const geo::RoofAnalysis& analysis) {
  return std::any_of(analysis.surfaces.begin(), analysis.surfaces.end(), has_modules);
}

std::vector<int> numbers(const geo::RoofAnalysis& analysis) {
  std::vector<int> all;
  for (const geo::RoofSurface& surface : analysis.surfaces) all.push_back(surface.id);
  return all;
}

/// Everything that must be named with a picture of the analysis, each once, in the sources' order.
std::string attribution_of(const geo::RoofAnalysis& analysis) {
  std::string text;
  std::set<std::string> named;
  for (const geo::Source& source : analysis.sources) {
    if (source.attribution.empty() || !named.insert(source.attribution).second) continue;
    text += (text.empty() ? "" : "; ") + source.attribution;
  }
  return text;
}

SurfaceQuality quality_of(const geo::RoofSurface& surface) {
  const geo::FitStatistics& fit = surface.fit;
  return {surface.id,     fit.tilt_error_deg, fit.azimuth_error_deg, fit.area_error_m2,
          fit.residual_m, fit.cells,          fit.coverage_pct};
}

/// The drawing itself. `surface` is null for the overview of all occupied surfaces.
Outcome draw(const persistence::Project& project, const geo::RoofAnalysis&, const geo::RoofSurface* /*surface*/,
             const QueryMedia& /*order*/) {
  return refusal(Code::bild_nicht_zeichenbar, project);
}

}  // namespace

caf::result<Answer> ProjectsActor::media(const Ticket& ticket, const QueryMedia& order) {
  const auto found = shelf_.find(ticket.account, order.project);
  if (!found) return Answer{ticket, Refusal{.code = Code::interner_fehler, .project = order.project}};
  if (!*found) return Answer{ticket, Refusal{.code = Code::projekt_unbekannt}};
  const Entry& entry = **found;
  switch (order.kind) {
    case MediaKind::surface_image: return Answer{ticket, surface_image(entry, order)};
    case MediaKind::overview_image: return Answer{ticket, overview_image(entry, order)};
    // The web application stores these two when the project is opened and saved there; nothing else makes them.
    case MediaKind::orthophoto: return Answer{ticket, refusal(Code::orthofoto_fehlt, entry.project)};
    case MediaKind::model: return Answer{ticket, refusal(Code::modell_fehlt, entry.project)};
    case MediaKind::listing: break;
  }
  return Answer{ticket, list_media(entry)};
}

Outcome ProjectsActor::surface_image(const Entry& entry, const QueryMedia& order) const {
  const auto analysis = stored_analysis(entry);
  if (!analysis) return analysis.error();
  if (!any_modules(*analysis)) return refusal(Code::keine_belegten_flaechen, entry.project);
  const auto surface = std::find_if(analysis->surfaces.begin(), analysis->surfaces.end(),
                                    [&](const geo::RoofSurface& s) { return s.id == order.surface; });
  if (surface == analysis->surfaces.end()) {
    Refusal unknown = refusal(Code::flaeche_unbekannt, entry.project);
    unknown.existing = numbers(*analysis);
    return unknown;
  }
  if (!has_modules(*surface)) return refusal(Code::bild_nicht_zeichenbar, entry.project);
  return draw(entry.project, *analysis, &*surface, order);
}

Outcome ProjectsActor::overview_image(const Entry& entry, const QueryMedia& order) const {
  const auto analysis = stored_analysis(entry);
  if (!analysis) return analysis.error();
  if (!any_modules(*analysis)) return refusal(Code::keine_belegten_flaechen, entry.project);
  return draw(entry.project, *analysis, nullptr, order);
}

/// A project without a stored result has a list as well: it says that there is no image yet.
Outcome ProjectsActor::list_media(const Entry& entry) const {
  const auto analysis = stored_analysis(entry);
  if (!analysis && analysis.error().code != Code::analyse_fehlt) return analysis.error();
  MediaList list{.project = entry.project.id};
  if (analysis) {
    const std::string attribution = attribution_of(*analysis);
    list.media.push_back({MediaKind::overview_image, 0, any_modules(*analysis), 0, attribution});
    for (const geo::RoofSurface& surface : analysis->surfaces) {
      list.media.push_back({MediaKind::surface_image, surface.id, has_modules(surface), 0, attribution});
      list.surfaces.push_back(quality_of(surface));
    }
  } else {
    list.media.push_back({.kind = MediaKind::overview_image});
  }
  list.media.push_back({.kind = MediaKind::orthophoto});
  list.media.push_back({.kind = MediaKind::model});
  return list;
}

}  // namespace actors
