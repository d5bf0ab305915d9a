#include "geo/shapes/plane_frame.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace geo {
namespace {

constexpr double kFlat_deg = 0.5;

/// Direction on the ground of the outline's longest edge, always pointing east rather than west.
Eigen::Vector2d longest_edge(const Ring& ring, const Eigen::Matrix2d& true_per_map) {
  Eigen::Vector2d best(0, 0);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point a = ring[i], b = ring[(i + 1) % ring.size()];
    const Eigen::Vector2d edge = true_per_map * Eigen::Vector2d(b.x - a.x, b.y - a.y);
    if (edge.norm() > best.norm() + 1e-6) best = edge;  // of equal ones the first
  }
  if (best.norm() == 0) return {1, 0};
  return best.x() < 0 || (best.x() == 0 && best.y() < 0) ? -best.normalized() : best.normalized();
}

template <class Move>
Polygon moved(const Polygon& polygon, Move move) {
  Polygon out = polygon;
  std::transform(out.outer.begin(), out.outer.end(), out.outer.begin(), move);
  for (Ring& hole : out.holes) std::transform(hole.begin(), hole.end(), hole.begin(), move);
  return out;
}

}  // namespace

PlaneFrame::PlaneFrame(const Plane& plane, const Polygon& outline, const Eigen::Matrix2d& true_per_map)
    : plane_(plane), corner_{plane.x0, plane.y0} {
  const Eigen::Vector2d gradient = true_gradient(plane, true_per_map);
  const bool flat = tilt_deg(gradient) < kFlat_deg;
  Eigen::Vector2d along = longest_edge(outline.outer, true_per_map);
  double stretch = 1;  // a metre on the ground up the slope is this many in the plane
  if (!flat) {
    along = Eigen::Vector2d(gradient.y(), -gradient.x()).normalized();
    stretch = std::sqrt(1 + gradient.squaredNorm());
  }
  Eigen::Matrix2d uv_per_true;
  uv_per_true << along.x(), along.y(), -stretch * along.y(), stretch * along.x();
  uv_per_map_ = uv_per_true * true_per_map;
  map_per_uv_ = uv_per_map_.inverse();
  if (outline.outer.empty()) return;
  corner_ = outline.outer.front();
  Point lowest{0, 0};
  for (const Point& p : outline.outer) {
    const Point uv = to_plane(p);
    lowest = {std::min(lowest.x, uv.x), std::min(lowest.y, uv.y)};
  }
  corner_ = to_map(lowest);
}

Point PlaneFrame::to_plane(Point map) const {
  const Eigen::Vector2d uv = uv_per_map_ * Eigen::Vector2d(map.x - corner_.x, map.y - corner_.y);
  return {uv.x(), uv.y()};
}

Point PlaneFrame::to_map(Point uv) const {
  const Eigen::Vector2d d = map_per_uv_ * Eigen::Vector2d(uv.x, uv.y);
  return {corner_.x + d.x(), corner_.y + d.y()};
}

Polygon PlaneFrame::to_plane(const Polygon& map) const {
  return moved(map, [this](Point p) { return to_plane(p); });
}

Polygon PlaneFrame::to_map(const Polygon& uv) const {
  return moved(uv, [this](Point p) { return to_map(p); });
}

}  // namespace geo
