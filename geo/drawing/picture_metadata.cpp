#include "geo/drawing/picture_metadata.hpp"

#include <algorithm>

#include "geo/drawing/german_text.hpp"

namespace geo {
namespace {

std::string background_name(const PropertyScene& scene) {
  return scene.background.kind == BackgroundKind::orthophoto ? "Luftbild" : "Geländeschummerung";
}

}  // namespace

std::vector<Source> all_sources(const RoofAnalysis& analysis, const PropertyScene& scene) {
  std::vector<Source> all = analysis.sources;
  all.insert(all.end(), scene.sources.begin(), scene.sources.end());
  return all;
}

const RoofSurface* surface_of(const RoofAnalysis& analysis, int surface_id) {
  const auto found = std::find_if(analysis.surfaces.begin(), analysis.surfaces.end(),
                                  [&](const RoofSurface& surface) { return surface.id == surface_id; });
  return found == analysis.surfaces.end() ? nullptr : &*found;
}

std::string module_count(int modules) {
  return german_number(modules, 0) + (modules == 1 ? "\u00A0Modul" : "\u00A0Module");
}

Result<PictureMetadata> surface_metadata(const RoofAnalysis& analysis, int surface_id,
                                         const PropertyScene& scene) {
  const RoofSurface* surface = surface_of(analysis, surface_id);
  if (!surface)
    return fail(FailureKind::internal, "the analysis has no surface " + std::to_string(surface_id));
  const auto sources = all_sources(analysis, scene);
  return PictureMetadata{
      .title = surface->name + ": Neigung " + german_number(surface->tilt_deg, 1) + "°, Azimut " +
               german_number(surface->azimuth_deg, 1) + "°, " + module_count(surface->modules_possible()) +
               ", " + german_number(peak_power_kwp(analysis, surface->modules_possible()), 2) + " kWp",
      .description = "Belegung der Dachfläche mit Modulen auf dem " + background_name(scene) +
                     ", Norden oben; davon empfohlen: " + module_count(surface->modules_recommended) + ".",
      .rights = attribution_line(sources),
      .licence = licence_line(sources)};
}

PictureMetadata overview_metadata(const RoofAnalysis& analysis, const PropertyScene& scene) {
  const Totals& totals = analysis.totals;
  const auto sources = all_sources(analysis, scene);
  return {.title = "Dachübersicht: " + module_count(totals.modules_possible) + ", " +
                   german_number(peak_power_kwp(analysis, totals.modules_possible), 2) +
                   " kWp; empfohlen: " + module_count(totals.design_modules) + ", " +
                   german_number(peak_power_kwp(analysis, totals.design_modules), 2) + " kWp",
          .description = "Alle belegten Dachflächen des Grundstücks auf dem " + background_name(scene) +
                         ", Norden oben; die Nummern sind die des Ergebnisses.",
          .rights = attribution_line(sources),
          .licence = licence_line(sources)};
}

}  // namespace geo
