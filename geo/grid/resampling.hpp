// Heights of one grid in the cells of another. NaN where there are none.
#pragma once
#include <functional>

#include "geo/grid/grid.hpp"

namespace geo {

/// Adds the means, by area, of the finer cells in each of `frame`'s rows from `row` to before `end`; a cell
/// of which less than half is known stays as it is.
void average_into(Grid<float>& frame, int row, int end, const Grid<float>& fine);

/// Bilinear between cell centres. Of neighbours without data the others stand in, so that grids which only
/// touch leave no seam between them; NaN where the cell that holds the point has none.
float height_at_point(const Grid<float>& grid, Point p);

}  // namespace geo
