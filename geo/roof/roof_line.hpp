// A straight line in which surfaces of a roof may begin and end. Local metres.
#pragma once
#include <cmath>
#include <optional>

#include "geo/shapes/plane.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {

struct RoofLine {
  enum class Kind { wall, meeting, step };
  Line line;
  double from = 0, to = 0;              ///< along the line: where it is supported
  double first = -1e300, last = 1e300;  ///< it goes no farther than this: a hip begins there
  Kind kind = Kind::step;
};

/// Unit vector uphill; the plane is not level.
inline Point direction_of_gradient(const Plane& plane) {
  const double slope = std::hypot(plane.gx, plane.gy);
  return {plane.gx / slope, plane.gy / slope};
}

/// The line where two planes have the same height; none where they are nearly parallel.
std::optional<Line> meeting_of(const Plane& a, const Plane& b);

}  // namespace geo
