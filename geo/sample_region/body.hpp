// The exact model's building blocks. A body is a rectangle in plan under the lowest of its planes: gables,
// hips, mansards, dormers and chimneys all are one. Bodies that may touch share a cluster, whose height is
// the highest of theirs. Local metres: u and v are a cluster's own axes, heights are above the cluster's
// base.
#pragma once
#include <cmath>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo::sample {

/// z = c + gu u + gv v.
struct LocalPlane {
  double c = 0, gu = 0, gv = 0;
  double at(double u, double v) const { return c + gu * u + gv * v; }
};

struct Rect {
  double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
  double length() const { return u1 - u0; }
  double width() const { return v1 - v0; }
  double mid_u() const { return (u0 + u1) / 2; }
  double mid_v() const { return (v0 + v1) / 2; }
  bool contains(double u, double v) const { return u >= u0 && u <= u1 && v >= v0 && v <= v1; }
  Rect grown(double by) const { return {u0 - by, u1 + by, v0 - by, v1 + by}; }
  Ring ring() const { return {{u0, v0}, {u1, v0}, {u1, v1}, {u0, v1}}; }
};

enum class BodyRole { roof, dormer, chimney, skylight };

struct Body {
  int building = 0;
  BodyRole role = BodyRole::roof;
  Rect base;                       ///< with overhang
  std::vector<LocalPlane> planes;  ///< the lowest counts
  double height(double u, double v) const;
  /// The index of the lowest plane.
  int plane_at(double u, double v) const;
};

/// Where a cluster stands: `direction_rad` turns the u axis counter-clockwise from east.
struct LocalFrame {
  Point origin;
  double direction_rad = 0;
  Point to_region(Point local) const {
    const double c = std::cos(direction_rad), s = std::sin(direction_rad);
    return {origin.x + c * local.x - s * local.y, origin.y + s * local.x + c * local.y};
  }
  Point to_local(Point region) const {
    const double c = std::cos(direction_rad), s = std::sin(direction_rad);
    const double x = region.x - origin.x, y = region.y - origin.y;
    return {c * x + s * y, -s * x + c * y};
  }
  Ring to_region(const Ring& ring) const {
    Ring out;
    out.reserve(ring.size());
    for (const Point& p : ring) out.push_back(to_region(p));
    return out;
  }
};

struct Cluster {
  LocalFrame frame;
  double base_m = 0;  ///< height of the ground floor
  std::vector<Body> bodies;
  /// Reaches every body from the frame's origin.
  double radius_m() const;
};

}  // namespace geo::sample
