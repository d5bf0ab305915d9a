// START HERE: the two pictures of an analysis. SVG with the aerial image embedded, without scripts and
// without anything from elsewhere, true north up; the same input gives the same bytes.
#pragma once
#include <string>

#include "geo/drawing/scene.hpp"
#include "geo/failure.hpp"
#include "geo/roof_analysis.hpp"

namespace geo {

inline constexpr int kNarrowestPicture_px = 200;
inline constexpr int kWidestPicture_px = 2000;

/// One surface with all modules that fit, edges, obstacles and measuring points. `width_px` is clamped to the
/// range above. internal for an id that the analysis does not have, or when the scene is damaged.
Result<std::string> draw_surface_svg(const RoofAnalysis& analysis, int surface_id, const PropertyScene& scene,
                                     int width_px);

/// All surfaces with modules, numbered as in the result.
Result<std::string> draw_overview_svg(const RoofAnalysis& analysis, const PropertyScene& scene, int width_px);

}  // namespace geo
