// What is known about roofs before one is measured: slopes fall square to walls, and the slopes of one roof
// tend to be equally steep. This knowledge updates each plane's gradient like one more measurement (Kalman
// 1960), but only where it does not contradict the plane's own fit: a well-measured plane hardly moves.
// Footprint directions as constraint: Goebbels & Pohle-Fröhlich 2020. Radians, local metres.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Changes planes and their cofactors; which cells belong to them stays.
void regularise(const RoofSite& site, RoofSegmentation& segmentation);

/// Covariance of a segment's gradient (gx, gy) from `fit.cofactor`, as if the cells' errors were independent.
/// It weighs the gradient against what is known beforehand.
Eigen::Matrix2d gradient_covariance(const RoofSegment& segment, const CellNoise& noise);

/// Adds a segment whose plane a search found, with these cells and this error of its slope: a fit to its few
/// cells would give another error.
void add_searched(RoofSegmentation& roof, const Plane& plane, const std::vector<int>& cells,
                  double slope_error);

/// Covariance of a segment's gradient for the stated error. Unlike gradient_covariance() it includes the
/// correlation of neighbouring cells and what the robust fit weighted down.
Eigen::Matrix2d stated_gradient_covariance(const RoofSegment& segment, const CellNoise& noise);

}  // namespace geo
