// How long a degree is on the earth (GRS80, WGS84).
#pragma once
#include <Eigen/Core>

namespace geo {

/// Metres per degree of longitude and of latitude on the ellipsoid.
Eigen::Vector2d metres_per_degree(double lat_deg);

}  // namespace geo
