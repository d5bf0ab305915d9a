#include "actors/geocoding/dialect.hpp"

namespace actors {

const GeocodingDialect* dialect_of(std::string_view name) {
  for (const GeocodingDialect* dialect : {&kNominatim, &kPhoton, &kGeoadmin})
    if (name == dialect->name) return dialect;
  return nullptr;
}

}  // namespace actors
