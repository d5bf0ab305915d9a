// How far a cell's height may lie from its plane, and the cost of saying that the cell belongs to it. Only
// the formula: its figures are measured for each building in segments.cpp (measure_noise).
#pragma once
#include <algorithm>
#include <cmath>

#include "geo/property/cell_figures.hpp"
#include "geo/property/slope_noise.hpp"
#include "geo/roof/detection.hpp"
#include "geo/shapes/plane.hpp"

namespace geo {

/// A cell's height is that of some place within it, so its noise grows with the slope.
struct CellNoise {
  double level_m = kLevelNoise_m;
  double per_slope_m = kUsualSlopeNoise;
  /// How much larger a fit's variance is than with noise that is independent from cell to cell: gridding
  /// shares returns among cells, and real roofs sag and swell.
  double variance_factor = 1;

  double sigma_m(const Plane& plane) const {
    // Beyond 50 degrees the tolerance grows no more: crowns and walls would pass for planes.
    const double slope_squared = std::min(plane.gx * plane.gx + plane.gy * plane.gy, 1.44);
    return std::sqrt(level_m * level_m + per_slope_m * per_slope_m * slope_squared);
  }
  CellNoise scaled(double factor) const { return {level_m * factor, per_slope_m * factor, variance_factor}; }
};

inline constexpr double kCutOff = 7;

/// Half the squared standardised residual, as in a log-likelihood, capped where a cell no longer belongs to
/// the plane.
inline double residual_cost(double residual_m, double sigma_m) {
  return std::min(0.5 * (residual_m / sigma_m) * (residual_m / sigma_m), kCutOff);
}

}  // namespace geo
