// The scene's own coordinate system for GDAL, and windows of data sets in theirs.
#pragma once
#include <string>

#include "geo/data/gdal.hpp"
#include "geo/failure.hpp"
#include "geo/roof_analysis.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct DataSet;

/// Azimuthal equidistant about the centre: true metres and true north over a property. A PROJ string.
std::string scene_system(LonLat centre);

/// The map window, in `crs`, that holds an area of scene metres with `skirt_m` around it.
Result<Bounds> map_window(const std::string& crs, LonLat centre, const Bounds& area, double skirt_m);

/// What must be named when the data set is used.
Source source_of(const DataSet& set);

}  // namespace geo
