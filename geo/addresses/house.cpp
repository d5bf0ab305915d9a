#include "geo/addresses/house.hpp"

#include <cmath>

#include "geo/shapes/ellipsoid.hpp"

namespace geo {
namespace {

std::string with_space(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + " " + b;
}

}  // namespace

const std::string& street_of(const House& house) { return house.street.empty() ? house.town : house.street; }

std::string spelling_of(const House& house) {
  const std::string where = with_space(house.postcode, house.town);
  return with_space(street_of(house), house.number) + (where.empty() ? "" : ", " + where);
}

double metres_between(LonLat a, LonLat b) {
  const Eigen::Vector2d metres = metres_per_degree(a.lat_deg);
  return std::hypot((a.lon_deg - b.lon_deg) * metres.x(), (a.lat_deg - b.lat_deg) * metres.y());
}

}  // namespace geo
