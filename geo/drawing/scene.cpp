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
Box scene_area(const RoofAnalysis& analysis, const SceneFrame& frame) {
  Box all;
  for (const RoofSurface& surface : analysis.surfaces)
    all = all.united(bounding_box(frame.to_scene(surface.outline.outer)));
  Box area = picture_area(all);
  for (const RoofSurface& surface : analysis.surfaces)
    area = area.united(picture_area(bounding_box(frame.to_scene(surface.outline.outer))));
  return area.grown(kGarden_m);
}

Result<PropertyScene> scene_of(const Catalogue& catalogue, const RoofAnalysis& analysis,
                               const RunGround& ground, const RunControl& control) {
  PropertyScene scene;
  const auto centre = scene_centre(analysis);
  if (!centre) return tl::make_unexpected(centre.error());
  scene.centre = *centre;
  const auto frame = SceneFrame::create(analysis, *centre);
  if (!frame) return tl::make_unexpected(frame.error());
  scene.area = scene_area(analysis, *frame);
  control.checkpoint();
  auto background = read_background(catalogue, analysis.crs_wkt, ground.surface, scene);
  if (!background) return tl::make_unexpected(background.error());
  scene.background = std::move(*background);
  control.checkpoint();
  const auto done = add_ground(analysis, ground, *frame, scene);
  if (!done) return tl::make_unexpected(done.error());
  return scene;
}

}  // namespace

Result<PropertyScene> read_scene(const Catalogue& catalogue, const RoofAnalysis& analysis,
                                 const RunGround& ground, const RunControl& control) {
  try {
    return scene_of(catalogue, analysis, ground, control);
  } catch (const Cancelled&) {
    return fail(FailureKind::cancelled, "reading the scene was cancelled");
  } catch (const std::exception& error) {  // Eigen and the containers throw
    return fail(FailureKind::internal, error.what());
  }
}

}  // namespace geo
