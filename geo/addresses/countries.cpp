#include "geo/addresses/countries.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace geo {

std::string code_of(Country country) {
  switch (country) {
    case Country::at:
      return "AT";
    case Country::de:
      return "DE";
    case Country::ch:
      break;
  }
  return "CH";
}

std::optional<Country> country_named(std::string_view word) {
  static const std::unordered_map<std::string_view, Country> names = {
      {"at", Country::at},          {"oesterreich", Country::at}, {"austria", Country::at},
      {"de", Country::de},          {"deutschland", Country::de}, {"germany", Country::de},
      {"brd", Country::de},         {"ch", Country::ch},          {"schweiz", Country::ch},
      {"switzerland", Country::ch}, {"suisse", Country::ch},      {"svizzera", Country::ch}};
  const auto it = names.find(word);
  return it == names.end() ? std::nullopt : std::optional(it->second);
}

bool may_lie_in(Country country, LonLat place) {
  struct Box {
    double west, south, east, north;
  };
  constexpr Box kAustria{9.4, 46.3, 17.3, 49.1}, kGermany{5.7, 47.2, 15.2, 55.2},
      kSwitzerland{5.8, 45.7, 10.6, 47.9};
  const Box& box = country == Country::at ? kAustria : country == Country::de ? kGermany : kSwitzerland;
  return place.lon_deg >= box.west && place.lon_deg <= box.east && place.lat_deg >= box.south &&
         place.lat_deg <= box.north;
}

bool is_covered(LonLat place) {
  return std::any_of(std::begin(kCountries), std::end(kCountries),
                     [place](Country country) { return may_lie_in(country, place); });
}

}  // namespace geo
