// The ground and the buildings of a property for pictures and the model, in scene metres.
#pragma once
#include "geo/drawing/scene.hpp"
#include "geo/drawing/scene_frame.hpp"

namespace geo {

/// Fills ground, buildings and other_roofs of a scene whose centre and area are known, and appends what they
/// rest on to its sources. Buildings are the property's footprints that carry a surface; without
/// footprints, the surfaces themselves. Ground beyond the terrain's window is as high as at its border.
Result<void> add_ground(const RoofAnalysis& analysis, const RunGround& ground, const SceneFrame& frame,
                        PropertyScene& scene);

}  // namespace geo
