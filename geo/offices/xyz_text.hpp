// Heights as text, a line of "x y height" for each cell: read once, into a grid.
#pragma once
#include <string>

#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/shapes/box.hpp"

namespace geo::offices {

/// What a whole text ends with.
enum class XyzEnd {
  any,
  page,  ///< a page of HTML, unless the text fills its square
};

/// Rows may come in any order: each line says where it belongs. The cells' centres are where the first line's
/// point says, a whole number of cells from the others. A page of HTML that a server has appended ends the
/// text. invalid_input, naming the line, for what is no three numbers, for points off the grid or beyond
/// `square` by more than a cell, when there is no point at all, and when it does not end as it should: it was
/// cut off then. `path`: anything that GDAL reads.
Result<Grid<float>> read_xyz(const std::string& path, const Box& square, double cell,
                             XyzEnd end = XyzEnd::any);

}  // namespace geo::offices
