// How many modules a roof surface carries and where. The model: ONE rigid grid of equal modules, parallel to
// the eaves, with one pitch each way; every cell of the grid that keeps its distances carries a module. The
// best position of that grid is found exactly. Any grid can be moved, without losing a module, until a module
// touches a keep-off zone. So walking along the zones' borders, and counting all cells on the way, passes the
// best position (an arrangement of line segments: Halperin and Sharir 2017). True metres in the roof plane.
#pragma once
#include <array>
#include <vector>

#include "geo/layout/module_options.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

enum class Orientation { portrait, landscape };  ///< long side up the slope; long side along the eaves

struct ModuleRect {
  std::array<Point, 4> corners;  ///< uv, counter-clockwise from the lower left one
  int row = 0;                   ///< from the eaves, from 0
  int col = 0;                   ///< from the left, from 0
};

/// Row by row from the eaves, from the left. Obstacles may reach over the outline. No module is nearer to an
/// edge or obstacle than its margin (tolerance 1 micrometre), and no position of the grid carries more.
std::vector<ModuleRect> layout_modules(const Polygon& outline_uv, const std::vector<Polygon>& obstacles_uv,
                                       double tilt_deg, const ModuleOptions& options, Orientation orientation,
                                       const RunControl& control);

}  // namespace geo
