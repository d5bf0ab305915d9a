#include "geo/solar/shading.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/shapes/angle.hpp"

namespace geo {
namespace {

/// Integral of cos(incidence) cos(e) de from `from` to the zenith, for a plane whose normal has the
/// components `up` and `along` (towards the direction looked at).
double light_above(double from, double up, double along) {
  const double c = std::cos(from), s = std::sin(from);
  return up * c * c / 2 + along * ((std::numbers::pi / 2 - from) / 2 - s * c / 2);
}

}  // namespace

double sky_view_factor(const HorizonLine& horizon, double tilt_deg, double azimuth_deg) {
  const double up = std::cos(tilt_deg * kDegree), across = std::sin(tilt_deg * kDegree);
  double seen = 0, all = 0;
  for (int i = 0; i < kHorizonSectors; ++i) {
    const double along = across * std::cos((HorizonLine::azimuth_deg(i) - azimuth_deg) * kDegree);
    // Uphill the plane itself bounds the sky.
    const double plane_edge = std::max(0.0, std::atan2(-along, up));
    all += light_above(plane_edge, up, along);
    seen += light_above(std::max(plane_edge, horizon.elevation_deg[i] * kDegree), up, along);
  }
  return all > 0 ? seen / all : 1;
}

}  // namespace geo
