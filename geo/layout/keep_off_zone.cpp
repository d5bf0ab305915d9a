#include "geo/layout/keep_off_zone.hpp"

#include <algorithm>
#include <cmath>

namespace geo {
namespace {

constexpr double kSameDirection_rad = 1e-9;

/// The outward normals of a rectangle along `direction` and of an upright one, counter-clockwise, each once.
std::vector<Point> normals(Point direction) {
  std::vector<Point> all{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (const Point n :
       {direction, {-direction.y, direction.x}, {-direction.x, -direction.y}, {direction.y, -direction.x}})
    if (std::none_of(all.begin(), all.begin() + 4, [n](Point other) {
          return std::hypot(n.x - other.x, n.y - other.y) < kSameDirection_rad;
        }))
      all.push_back(n);
  std::sort(all.begin(), all.end(),
            [](Point a, Point b) { return std::atan2(a.y, a.x) < std::atan2(b.y, b.x); });
  return all;
}

}  // namespace

KeepOffZone::KeepOffZone(Point a, Point b, double margin_m, ModuleSize module) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  const Point d{(b.x - a.x) / length, (b.y - a.y) / length};
  const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
  for (const Point n : normals(d)) {
    const double rectangle = n.x * middle.x + n.y * middle.y +
                             std::abs(n.x * d.x + n.y * d.y) * (length / 2 + margin_m) +
                             std::abs(n.y * d.x - n.x * d.y) * margin_m;
    const double module_back = std::max(0.0, -n.x * module.u_m) + std::max(0.0, -n.y * module.v_m);
    sides_.push_back({n.x, n.y, rectangle + module_back - kTolerance_m});
  }
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const HalfPlane& p = sides_[i];
    const HalfPlane& q = sides_[(i + 1) % sides_.size()];
    const double det = p.nu * q.nv - p.nv * q.nu;
    const double pc = p.limit + kTolerance_m / 2, qc = q.limit + kTolerance_m / 2;
    border_.push_back({(pc * q.nv - qc * p.nv) / det, (p.nu * qc - q.nu * pc) / det});
  }
  const auto [west, east] =
      std::minmax_element(border_.begin(), border_.end(), [](Point p, Point q) { return p.x < q.x; });
  const auto [south, north] =
      std::minmax_element(border_.begin(), border_.end(), [](Point p, Point q) { return p.y < q.y; });
  bounds_ = {west->x, south->y, east->x, north->y};
}

bool KeepOffZone::covers(Point corner) const {
  return std::all_of(sides_.begin(), sides_.end(), [corner](const HalfPlane& side) {
    return side.nu * corner.x + side.nv * corner.y < side.limit;
  });
}

Part KeepOffZone::covered_part(Point start, Point end) const {
  Part part{0, 1};
  for (const HalfPlane& side : sides_) {
    const double at_start = side.limit - side.nu * start.x - side.nv * start.y;
    const double change = side.nu * (end.x - start.x) + side.nv * (end.y - start.y);
    if (std::abs(change) < 1e-12) {
      if (at_start <= 0) return {};
    } else if (change > 0) {
      part.to = std::min(part.to, at_start / change);
    } else {
      part.from = std::max(part.from, at_start / change);
    }
    if (part.from >= part.to) return {};
  }
  return part;
}

}  // namespace geo
