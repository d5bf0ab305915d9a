// The ground and the buildings of a property for pictures and the model, in scene metres.
#pragma once
#include "geo/drawing/scene.hpp"
#include "geo/drawing/scene_frame.hpp"

namespace geo {

/// Fills ground, buildings and other_roofs of a scene whose centre and area are known; appends what was used
/// to its sources. Buildings are the analysis' footprints that carry a surface, without footprints the
/// surfaces themselves.
Result<void> read_ground(const Catalogue& catalogue, const RoofAnalysis& analysis, const SceneFrame& frame,
                         const RunControl& control, PropertyScene& scene);

}  // namespace geo
