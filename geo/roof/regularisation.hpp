// What is known about roofs before one is measured: slopes fall square to walls, and the slopes of one roof
// tend to be equally steep. Each plane's gradient is updated with it as with one more measurement (Kalman
// 1960), and only where it does not contradict the plane's own fit: a well-measured plane hardly moves.
// Footprint directions as constraint: Goebbels & Pohle-Fröhlich 2020. Radians, local metres.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Changes planes and their cofactors; which cells belong to them stays.
void regularise(const RoofSite& site, RoofSegmentation& segmentation);

/// Covariance of a segment's gradient (gx, gy) as its own cells give it, taken one by one: what weighs them
/// against what is known beforehand.
Eigen::Matrix2d gradient_covariance(const RoofSegment& segment, const CellNoise& noise);

/// Scales a segment's cofactor so that the error of its slope is this one: what a search found, where a fit
/// to its few cells would say something else.
void set_slope_error(RoofSegment& segment, const CellNoise& noise, double slope_error);

/// The same as it is stated: with what goes together in neighbouring cells and what the robust fit weighed
/// down.
Eigen::Matrix2d stated_gradient_covariance(const RoofSegment& segment, const CellNoise& noise);

}  // namespace geo
