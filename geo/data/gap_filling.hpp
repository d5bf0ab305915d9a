// Fills what one grid of heights lacks from another, which may lie in another system.
#pragma once
#include "geo/grid/grid.hpp"
#include "geo/run_control.hpp"

class OGRCoordinateTransformation;

namespace geo {

/// Copies where the two share their cells, else bilinear (height_at_point). `to_cells`: from the grid's
/// system to that of `cells`; null for the same. True when it has filled any.
bool fill_gaps(Grid<float>& heights, const Grid<float>& cells, OGRCoordinateTransformation* to_cells,
               const RunControl& control);

bool lacks_cells(const Grid<float>& heights);

}  // namespace geo
