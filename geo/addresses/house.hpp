// A house of an address register, and how its address is written.
#pragma once
#include <string>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo {

struct House {
  std::string street, number, postcode, town, country;
  LonLat place;
  /// Other names of its place that people write: the municipality, the district, the postal town.
  std::vector<std::string> also_in{};
};

/// The street that numbers the house; the village itself where it has no streets.
const std::string& street_of(const House& house);

/// "Hauptstraße 5, 4020 Linz"
std::string spelling_of(const House& house);

/// The house's postcode where a table program took it for a number and wrote "86987.0", or "1067" for
/// Dresden's 01067. Any other stays as it is.
std::string whole_postcode(const House& house);

/// Metres between two places, right up to a few kilometres and rough beyond.
double metres_between(LonLat a, LonLat b);

}  // namespace geo
