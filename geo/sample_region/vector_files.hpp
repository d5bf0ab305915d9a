// Writes the sample region's footprints and parcels as GeoPackage and its addresses as CSV (lon, lat in
// WGS84).
#pragma once
#include <string>
#include <vector>

#include "geo/data/place_frame.hpp"
#include "geo/failure.hpp"
#include "geo/sample_region/settlement.hpp"

namespace geo::sample {

/// A region polygon in map metres.
Polygon to_map(const Polygon& region, const PlaceFrame& frame);

/// Fields: gebaeude (index from 0), art. `walls`: each building's, as surveyed. invalid_input when the file
/// cannot be written.
Result<void> write_buildings(const std::string& path, const std::string& crs, const Settlement& settlement,
                             const std::vector<Polygon>& walls, const PlaceFrame& frame);
/// Field: nummer.
Result<void> write_parcels(const std::string& path, const std::string& crs, const Settlement& settlement,
                           const PlaceFrame& frame);
Result<void> write_addresses(const std::string& path, const Settlement& settlement, const PlaceNames& names,
                             const PlaceFrame& frame);

}  // namespace geo::sample
