// A straight line in which surfaces of a roof may begin and end. Local metres.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "geo/shapes/plane.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {

struct RoofLine {
  Line line;
  double from = 0, to = 0;              ///< along the line: where it is supported
  double first = -1e300, last = 1e300;  ///< it goes no farther than this: a hip begins there
  bool wall = false;                    ///< a footprint's wall
};

/// Unit vector uphill; the plane is not level.
inline Point direction_of_gradient(const Plane& plane) {
  return {plane.gx / plane.slope(), plane.gy / plane.slope()};
}

/// Supported from the first of the points along it to the last.
inline RoofLine supported(const Line& line, const std::vector<Point>& points) {
  const Box box = box_along(line, points);
  return {.line = line, .from = box.min_x, .to = box.max_x};
}

/// The line where two planes have the same height; none where they are nearly parallel.
inline std::optional<Line> meeting_of(const Plane& a, const Plane& b) {
  constexpr double kNearlyParallel = 0.08;
  const Point difference = a.gradient() - b.gradient();
  const double size = length(difference);
  if (size < kNearlyParallel) return {};
  const double step = a.height_at({}) - b.height_at({});
  return Line{.at = difference * (-step / (size * size)),
              .direction = Point{-difference.y, difference.x} * (1 / size)};
}

}  // namespace geo
