// Heights of one grid in the cells of another. NaN where there are none.
#pragma once
#include <functional>

#include "geo/grid/grid.hpp"

namespace geo {

/// Sets the cells in `frame`'s rows from `row` to before `end` to the mean, by area, of the finer cells; a
/// cell of which less than half is known stays as it is.
void average_into(Grid<float>& frame, int row, int end, const Grid<float>& fine);

/// Bilinear between cell centres. Neighbours without data are left out of the mean, so that grids which only
/// touch leave no seam between them; NaN where the cell that holds the point has none.
float height_at_point(const Grid<float>& grid, Point p);

}  // namespace geo
