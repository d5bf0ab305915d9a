#include "geo/data/house.hpp"

#include <cmath>
#include <numbers>

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
  constexpr double kDegree_m = 111'320;
  const double narrower = std::cos(a.lat_deg * std::numbers::pi / 180);
  return kDegree_m * std::hypot((a.lon_deg - b.lon_deg) * narrower, a.lat_deg - b.lat_deg);
}

}  // namespace geo
