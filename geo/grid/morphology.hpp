// Erosion, dilation and opening of a height grid by a square window, in constant time per cell whatever the
// window (van Herk 1992; Gil and Werman 1993). Radii in cells: a window is 2 radius + 1 cells wide. At the
// grid's border the window is cut off.
#pragma once
#include "geo/grid/grid.hpp"

namespace geo {

/// All need a grid without NaN.
Grid<float> eroded(const Grid<float>& grid, int radius);
Grid<float> dilated(const Grid<float>& grid, int radius);
/// What remains of the relief where a window fits under it: everything narrower than the window is gone.
Grid<float> opened(const Grid<float>& grid, int radius);

}  // namespace geo
