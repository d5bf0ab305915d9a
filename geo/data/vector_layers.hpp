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

/// A data set of polygons; `stated_crs` is its system as the catalogue states it, instead of the file's own.
struct VectorFile {
  std::string path;
  std::string stated_crs = {};
};

/// What makes every read fail: data_unreachable when it cannot be opened, invalid_input when it has no layer
/// of polygons or one whose coordinate system nobody states.
Result<void> check_polygon_layers(const VectorFile& file);

/// The polygons of all layers that touch `window`, reprojected to `crs` (anything OGR understands; the window
/// is in it too), multi-polygons taken apart, valid, in the data set's order. data_unreachable when it cannot
/// be opened or read, invalid_input when a layer has no coordinate system.
Result<std::vector<Polygon>> read_polygons(const VectorFile& file, const Box& window, const std::string& crs,
                                           const RunControl& control);

}  // namespace geo
