// The terrain model from the ground returns alone: interpolated below houses and crowns (inverse distances,
// GDAL's FillNodata), with noise of its own, because offices make it as a separate product. Metres.
#pragma once
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/sample_region/cell_returns.hpp"
#include "geo/sample_region/random.hpp"

namespace geo::sample {

/// internal when GDAL cannot interpolate.
Result<Grid<float>> terrain_model(const Grid<CellReturns>& ground, Random random);

}  // namespace geo::sample
