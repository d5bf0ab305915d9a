// A plane over the map grid and its tilt and azimuth on the ground.
#pragma once
#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "geo/shapes/shapes.hpp"

namespace geo {

/// z = z0 + gx (x - x0) + gy (y - y0): map metres in, height in metres out.
struct Plane {
  double x0 = 0, y0 = 0, z0 = 0;
  double gx = 0, gy = 0;
  double height_at(Point p) const { return z0 + gx * (p.x - x0) + gy * (p.y - y0); }
  Point gradient() const { return {gx, gy}; }
  double slope() const { return std::hypot(gx, gy); }
};

/// Height gradient per TRUE metre towards east and north, from the gradient per map metre.
inline Eigen::Vector2d true_gradient(const Plane& plane, const Eigen::Matrix2d& true_per_map) {
  // dz = g_map . d_map and d_true = A d_map, so g_true = A^-T g_map (2x2, written out).
  const Eigen::Matrix2d& a = true_per_map;
  const double det = a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
  return {(a(1, 1) * plane.gx - a(1, 0) * plane.gy) / det, (a(0, 0) * plane.gy - a(0, 1) * plane.gx) / det};
}

/// Degrees from the horizontal.
inline double tilt_deg(const Eigen::Vector2d& gradient) {
  return std::atan(gradient.norm()) * 180 / std::numbers::pi;
}

/// The contract's azimuth of the fall line: south 0, east negative, west positive, in (-180, 180];
/// 0 for a surface of less than half a degree of tilt.
inline double azimuth_deg(const Eigen::Vector2d& gradient) {
  if (tilt_deg(gradient) < 0.5) return 0;
  // Downhill is -gradient; its bearing less 180 degrees is the bearing of +gradient.
  double azimuth = std::atan2(gradient.x(), gradient.y()) * 180 / std::numbers::pi;
  return azimuth <= -180 ? azimuth + 360 : azimuth;
}

}  // namespace geo
