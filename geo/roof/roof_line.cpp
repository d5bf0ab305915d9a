#include "geo/roof/roof_line.hpp"

namespace geo {

std::optional<Line> meeting_of(const Plane& a, const Plane& b) {
  constexpr double kNearlyParallel = 0.08;
  const Point difference{a.gx - b.gx, a.gy - b.gy};
  const double size = length(difference);
  if (size < kNearlyParallel) return {};
  const double step = a.height_at({}) - b.height_at({});
  return Line{.at = difference * (-step / (size * size)),
              .direction = Point{-difference.y, difference.x} * (1 / size)};
}

}  // namespace geo
