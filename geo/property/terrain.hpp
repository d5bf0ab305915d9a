// Heights of the bare ground, where no terrain model comes with the surface model or it has holes. Method:
// the progressive morphological filter (Zhang et al. 2003) on the relief that is left when the terrain's
// coarse trend is taken away, so that a steep slope is not mistaken for a row of buildings. Metres.
#pragma once
#include "geo/grid/grid.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// Ground heights in the surface model's own cells, none missing unless `dsm` is empty of data. Buildings up
/// to 96 m across are removed.
Grid<float> derive_terrain(const Grid<float>& dsm, const RunControl& control);

/// A terrain model resampled to the cells of `dsm` (bilinear; both in the same coordinate system). Where it
/// has no data the terrain derived from `dsm` serves, shifted so that the two meet without a step.
Grid<float> terrain_on(const Grid<float>& dsm, const Grid<float>& dtm, const RunControl& control);

}  // namespace geo
