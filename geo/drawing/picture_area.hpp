// Which piece of ground a picture shows: a surface, or all of them, with room around, in a form that fits a
// page. Scene metres (scene.hpp).
#pragma once
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// The box around points. Empty list: a box without extent at the origin.
Bounds bounds_of(const Ring& points);
Bounds united(const Bounds& a, const Bounds& b);

/// `shown` with a margin, widened to between 0.62 and 1.1 times as high as wide.
Bounds picture_area(const Bounds& shown);

}  // namespace geo
