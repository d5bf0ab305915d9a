// How the geocoding services differ: what they are asked, and how their answers read. Nominatim's search API
// (jsonv2), Photon's API (GeoJSON) and geo.admin's SearchServer (locations of origin address).
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/data/address_register.hpp"

namespace actors {

using Houses = std::vector<geo::House>;

struct GeocodingDialect {
  const char* name;  ///< as the option `geocoder` has it
  const char* url;   ///< where the public service is
  /// Between two requests, as its operators ask for.
  std::chrono::milliseconds pace;
  std::string (*request)(const std::string& base_url, const std::string& address);
  /// The houses of an answer in its order: places with a number of their own, never a street's or a
  /// postcode's middle. Nothing when the text is not such an answer.
  std::optional<Houses> (*houses)(std::string_view body);
  // What must be named where its answers were used:
  const char* title;
  const char* provider;
  const char* licence;
  const char* attribution;
  const char* licence_url;
};

extern const GeocodingDialect kNominatim;
extern const GeocodingDialect kPhoton;
extern const GeocodingDialect kGeoadmin;

/// Null for a name that is none of them.
const GeocodingDialect* dialect_of(std::string_view name);

}  // namespace actors
