#include "geo/shapes/ellipsoid.hpp"

#include <cmath>

#include "geo/shapes/angle.hpp"

namespace geo {

Eigen::Vector2d metres_per_degree(double lat_deg) {
  constexpr double kSemiMajor_m = 6378137.0;
  constexpr double kEccentricitySquared = 0.00669438002290;
  const double sin_lat = std::sin(lat_deg * kDegree);
  const double w = std::sqrt(1 - kEccentricitySquared * sin_lat * sin_lat);
  const double prime_vertical = kSemiMajor_m / w;
  const double meridional = kSemiMajor_m * (1 - kEccentricitySquared) / (w * w * w);
  return Eigen::Vector2d(prime_vertical * std::cos(lat_deg * kDegree), meridional) * kDegree;
}

}  // namespace geo
