// The last fit, when it is known where planes meet. A cell that a ridge runs through is lower than both
// planes, one in a valley higher, and that would flatten a slope of few cells by degrees: such cells count
// next to nothing.
#pragma once
#include "geo/roof/segments.hpp"

namespace geo {

/// Refits every plane that has a slope of its own to its cells. A second call sharpens the lines and thereby
/// the fit.
void refine_planes(RoofSegmentation& roof);

}  // namespace geo
