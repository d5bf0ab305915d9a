// GeoPackages with the layers `roofs` and `grounds`: polygons with heights in metres, grouped by the column
// `building`.
#pragma once
#include <string>

#include "benchmarks/geo/accuracy_models.hpp"
#include "geo/failure.hpp"

namespace bench {

geo::Result<BuildingModel> read_city_geopackage(const std::string& path);

}  // namespace bench
