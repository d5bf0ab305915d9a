// Names for the sample region: one invented place for each coordinate system, with streets as its country
// spells them.
#pragma once
#include <string>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo::sample {

struct PlaceNames {
  std::string crs;
  std::string country;  ///< DE, AT, CH
  std::string postcode;
  std::string place;
  std::vector<std::string> streets;
  LonLat centre;  ///< where the invented place is put
  double base_m;  ///< height of the ground there
};

/// nullptr for a coordinate system without a place.
const PlaceNames* place_names_for(const std::string& crs);

}  // namespace geo::sample
