// Which piece of ground a picture shows: a surface, or all of them, with room around, in a form that fits a
// page. Scene metres (scene.hpp).
#pragma once
#include "geo/shapes/box.hpp"

namespace geo {

/// `shown` with a margin, widened to between 0.62 and 1.1 times as high as wide.
Box picture_area(const Box& shown);

}  // namespace geo
