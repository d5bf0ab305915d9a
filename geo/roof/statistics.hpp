// The error statement of a surface: standard errors of tilt, azimuth and area that follow from the fit, on
// the ground (degrees, square metres).
#pragma once
#include "geo/data/place_frame.hpp"
#include "geo/roof/obstacles.hpp"
#include "geo/roof/roof_plane.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

FitStatistics fit_statistics(const RoofSegmentation& segmentation, const RoofSegment& segment,
                             const Polygon& outline, const RoofObstacles& obstacles, const PlaceFrame& frame,
                             bool from_footprints);

}  // namespace geo
