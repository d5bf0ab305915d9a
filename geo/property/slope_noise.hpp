// How far the heights of cells scatter about a slope, as the cells themselves tell. A cell's height is that
// of some place within it, so its noise grows with the slope; by how much lies in how an office makes cells
// of returns: of their mean, of the nearest one, of a plane through them the scatter differs by a factor of
// two.
#pragma once
#include "geo/grid/grid.hpp"
#include "geo/property/planar_segments.hpp"

namespace geo {

/// Of offices' models in the mean, where a place has no slopes to tell by.
inline constexpr double kUsualSlopeNoise = 0.12;

/// Standard deviation about a slope over the rise across one cell. From the windows of 3 x 3 cells that lie
/// on planes, `planar`, by the median of their residuals' sums of squares; few windows count for little
/// against the usual figure.
double slope_noise(const Grid<float>& dsm, const Mask& planar);

}  // namespace geo
