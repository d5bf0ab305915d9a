// Fills the cells without data of a height grid smoothly from those around them: a pyramid of averages (pull
// and push, Gortler et al. 1996) with a few relaxation sweeps of Laplace's equation on every level. Linear in
// the cells. Metres.
#pragma once
#include "geo/grid/grid.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// Cells with data keep their value. A grid without any data stays as it is.
Grid<float> fill_holes(const Grid<float>& grid, const RunControl& control);

}  // namespace geo
