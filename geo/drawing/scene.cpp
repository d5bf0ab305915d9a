#include "geo/drawing/scene.hpp"

#include <algorithm>

#include "geo/drawing/picture_area.hpp"
#include "geo/drawing/scene_frame.hpp"
#include "geo/drawing/scene_ground.hpp"
#include "geo/drawing/scene_image.hpp"

namespace geo {
namespace {

constexpr double kGarden_m =
    10;  // the aerial image and the model show some of the property around the houses

/// Everything that any picture of the analysis shows, and some ground around.
Bounds scene_area(const RoofAnalysis& analysis, const SceneFrame& frame) {
  Bounds all = bounds_of(frame.to_scene(analysis.surfaces.front().outline.outer));
  for (const RoofSurface& surface : analysis.surfaces)
    all = united(all, bounds_of(frame.to_scene(surface.outline.outer)));
  Bounds area = picture_area(all);
  for (const RoofSurface& surface : analysis.surfaces)
    area = united(area, picture_area(bounds_of(frame.to_scene(surface.outline.outer))));
  return {area.west - kGarden_m, area.south - kGarden_m, area.east + kGarden_m, area.north + kGarden_m};
}

/// The elevation model serves the relief and the ground, but is named once.
void name_each_source_once(std::vector<Source>& sources) {
  std::vector<Source> once;
  for (Source& source : sources)
    if (std::none_of(once.begin(), once.end(), [&](const Source& other) {
          return other.kind == source.kind && other.name == source.name &&
                 other.attribution == source.attribution;
        }))
      once.push_back(std::move(source));
  sources = std::move(once);
}

Result<PropertyScene> scene_of(const Geodata& geodata, const RoofAnalysis& analysis,
                               const RunControl& control) {
  PropertyScene scene;
  const auto centre = scene_centre(analysis);
  if (!centre) return tl::make_unexpected(centre.error());
  scene.centre = *centre;
  const auto frame = SceneFrame::create(analysis, *centre);
  if (!frame) return tl::make_unexpected(frame.error());
  scene.area = scene_area(analysis, *frame);
  control.checkpoint();
  auto background =
      read_background(geodata.catalogue, analysis.crs_wkt, *centre, scene.area, control, scene.sources);
  if (!background) return tl::make_unexpected(background.error());
  scene.background = std::move(*background);
  control.checkpoint();
  const auto ground = read_ground(geodata.catalogue, analysis, *frame, control, scene);
  if (!ground) return tl::make_unexpected(ground.error());
  name_each_source_once(scene.sources);
  return scene;
}

}  // namespace

Result<PropertyScene> read_scene(const Geodata& geodata, const RoofAnalysis& analysis,
                                 const RunControl& control) {
  try {
    return scene_of(geodata, analysis, control);
  } catch (const Cancelled&) {
    return fail(FailureKind::cancelled, "reading the scene was cancelled");
  } catch (const std::exception& error) {  // Eigen and the containers throw
    return fail(FailureKind::internal, error.what());
  }
}

}  // namespace geo
