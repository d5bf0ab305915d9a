#include "geo/addresses/house.hpp"

#include <cmath>

#include "geo/addresses/countries.hpp"
#include "geo/addresses/text.hpp"
#include "geo/shapes/ellipsoid.hpp"

namespace geo {
namespace {

std::string with_space(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + " " + b;
}

/// Whether German postcodes begin with a zero there: in Saxony, Thuringia and what lies between.
bool may_begin_with_zero(const House& house) {
  constexpr double kWest = 9.8, kSouth = 50.1;
  const bool is_german = house.country.empty() || house.country == code_of(Country::de);
  return is_german && house.place.lon_deg > kWest && house.place.lat_deg > kSouth;
}

}  // namespace

const std::string& street_of(const House& house) { return house.street.empty() ? house.town : house.street; }

std::string spelling_of(const House& house) {
  const std::string where = with_space(house.postcode, house.town);
  return with_space(street_of(house), house.number) + (where.empty() ? "" : ", " + where);
}

std::string whole_postcode(const House& house) {
  constexpr std::string_view kDecimals = ".0";
  constexpr std::size_t kWithoutZero = 4;
  std::string postcode = house.postcode;
  if (postcode.ends_with(kDecimals)) postcode.resize(postcode.size() - kDecimals.size());
  if (!all_digits(postcode)) return house.postcode;
  const bool lacks_zero = postcode.size() == kWithoutZero && may_begin_with_zero(house);
  return (lacks_zero ? "0" : "") + postcode;
}

double metres_between(LonLat a, LonLat b) {
  const Eigen::Vector2d metres = metres_per_degree(a.lat_deg);
  return std::hypot((a.lon_deg - b.lon_deg) * metres.x(), (a.lat_deg - b.lat_deg) * metres.y());
}

}  // namespace geo
