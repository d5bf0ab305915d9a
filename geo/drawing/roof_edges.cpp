#include "geo/drawing/roof_edges.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/drawing/german_text.hpp"
#include "geo/shapes/plane.hpp"

namespace geo {
namespace {

constexpr double kLevel_deg = 30;  // an edge that deviates more from the level is a hip or a verge
constexpr double kNearEnd = 0.35;  // of the way up the slope: a step half way up is no ridge
constexpr double kShortestEdge_m = 0.4;

}  // namespace

std::vector<RoofEdge> ridge_and_eaves(const Ring& outline, const Eigen::Vector2d& gradient) {
  std::vector<RoofEdge> edges;
  if (outline.size() < 3 || tilt_deg(gradient) < kFlat_deg) return edges;
  const Eigen::Vector2d up = gradient.normalized();
  const auto height = [&](Point p) { return up.x() * p.x + up.y() * p.y; };
  const auto by_height = [&](Point a, Point b) { return height(a) < height(b); };
  const auto [lowest, highest] = std::minmax_element(outline.begin(), outline.end(), by_height);
  const double foot = height(*lowest);
  const double rise = height(*highest) - foot;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point a = outline[i];
    const Point b = outline[(i + 1) % outline.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length < kShortestEdge_m) continue;
    // The outline runs counter-clockwise: outside lies to the right of each edge.
    const double outward_up = ((b.y - a.y) * up.x() - (b.x - a.x) * up.y()) / length;
    const double up_the_slope = (height({(a.x + b.x) / 2, (a.y + b.y) / 2}) - foot) / rise;
    if (std::abs(outward_up) < std::cos(kLevel_deg * std::numbers::pi / 180)) continue;
    if (outward_up > 0 && up_the_slope > 1 - kNearEnd) edges.push_back({EdgeKind::ridge, a, b});
    if (outward_up < 0 && up_the_slope < kNearEnd) edges.push_back({EdgeKind::eaves, a, b});
  }
  return edges;
}

}  // namespace geo
