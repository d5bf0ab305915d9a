// Reads polygons (footprints, parcels) from anything OGR opens, in a window of the elevation model's own
// coordinate system. Map metres.
#pragma once
#include <string>
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/failure.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// The polygons of all layers of `path` that touch `window`, reprojected to `crs` (anything OGR understands;
/// the window is in it too), multi-polygons taken apart, valid, in the data set's order. data_unreachable
/// when it cannot be opened or read, invalid_input when a layer has no coordinate system.
Result<std::vector<Polygon>> read_polygons(const std::string& path, const Bounds& window,
                                           const std::string& crs, const RunControl& control);

}  // namespace geo
