// Small questions about plots and what is put on them. Region metres.
#pragma once
#include <vector>

#include "geo/sample_region/body.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo::sample {

/// Whether walls placed by `frame` keep `margin_m` from the parcel's border.
bool inside(const Polygon& parcel, const LocalFrame& frame, const Rect& walls, double margin_m);
/// The outline of rectangles that touch or overlap.
Polygon outline_of(const LocalFrame& frame, const std::vector<Rect>& walls);
/// A strip from one point to another.
Ring strip(Point from, Point to, double width_m);

}  // namespace geo::sample
