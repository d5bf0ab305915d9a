// The error statement of a surface: standard errors of tilt, azimuth and area that follow from the fit, on
// the ground (degrees, square metres).
#pragma once
#include "geo/data/place_frame.hpp"
#include "geo/roof/obstacles.hpp"
#include "geo/roof/roof_plane.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// `plan_error_m2`: of the outline's area in the plan (outline_error.hpp).
FitStatistics fit_statistics(const RoofSegmentation& segmentation, const RoofSegment& segment,
                             const Polygon& outline, const RoofObstacles& obstacles, const PlaceFrame& frame,
                             double plan_error_m2);

}  // namespace geo
