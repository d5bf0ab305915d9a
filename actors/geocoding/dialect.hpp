// How the geocoding services differ: the requests they take and the answers they give. Nominatim's search API
// (jsonv2), Photon's API (GeoJSON) and geo.admin's SearchServer (locations of origin address).
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/addresses/register.hpp"

namespace actors {

using Houses = std::vector<geo::House>;

struct GeocodingDialect {
  const char* name;  ///< as the option `geocoder` has it
  const char* url;   ///< the public service's address
  /// Time between two requests, as the service's operators ask for.
  std::chrono::milliseconds pace;
  std::string (*request)(const std::string& base_url, const std::string& address);
  /// The houses of an answer, in its order: only places with a house number, never the middle of a street or
  /// a postcode. Nothing when the text is no answer of this service.
  std::optional<Houses> (*houses)(std::string_view body);
  // The attribution that results with its answers must carry:
  const char* title;
  const char* provider;
  const char* licence;
  const char* attribution;
  const char* licence_url;
};

extern const GeocodingDialect kNominatim;
extern const GeocodingDialect kPhoton;
extern const GeocodingDialect kGeoadmin;

/// Null for an unknown name.
const GeocodingDialect* dialect_of(std::string_view name);

}  // namespace actors
