// Rasters that were made finer by repeating cells, as GDAL's default resampling does.
#pragma once
#include "geo/grid/grid.hpp"

namespace geo {

/// The heights with one cell for each square of up to eight by eight cells that repeat one value; as they are
/// where nothing is repeated. Taken as measured, repeated cells are a staircase: no roof lies on its steps.
Grid<float> without_repeats(Grid<float> heights);

}  // namespace geo
