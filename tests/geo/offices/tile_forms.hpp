// Heights in the forms in which offices send them.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "geo/grid/grid.hpp"

namespace test {

/// Heights that tell every cell from every other.
geo::Grid<float> made_heights(double west, double south, double size, double cell);

/// `crs` may be empty: none is stated. Strips, as most offices write them. `tall`: a cell's height in widths.
std::string tif_of(const geo::Grid<float>& grid, const std::string& crs, double tall = 1);
/// Lines of "x y h" at the cells' centres, from the south.
std::string xyz_of(const geo::Grid<float>& grid);
/// A GeoPackage with a layer of squares of 10 m, one a place, and a column "kind" that counts from 0.
std::string squares_gpkg(const std::string& layer, const std::vector<std::pair<double, double>>& places);
/// The same squares as a shapefile: its parts, by their endings (".shp", ".shx", ".dbf").
std::map<std::string, std::string> squares_shape(const std::vector<std::pair<double, double>>& places);
/// What GDAL reads, as a grid of the first band.
geo::Grid<float> heights_in(const std::string& path);
/// A window of a grid.
geo::Grid<float> cut(const geo::Grid<float>& grid, double west, double south, double size);

}  // namespace test
