// How far the heights of cells scatter about a slope, measured from the cells themselves. A cell's height is
// that of some place within it, so its noise grows with the slope. How fast depends on how an office makes
// cells from returns: it may take their mean, the nearest one or a plane through them, and the scatter
// differs by a factor of two.
#pragma once
#include "geo/grid/grid.hpp"
#include "geo/property/planar_segments.hpp"

namespace geo {

/// The mean over survey offices' models, for places that have no slopes to measure.
inline constexpr double kUsualSlopeNoise = 0.12;

/// Standard deviation about a slope, divided by the rise across one cell. It is the median over the windows
/// of 3 x 3 cells that lie on planes (`planar`), from their sums of squared residuals; few windows count for
/// little against the usual figure.
double slope_noise(const Grid<float>& dsm, const Mask& planar);

}  // namespace geo
