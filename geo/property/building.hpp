// One building of the property, as roof detection takes it.
#pragma once
#include "geo/shapes/shapes.hpp"

namespace geo {

struct Building {
  Polygon footprint;            ///< plan view, map metres
  bool from_footprints = true;  ///< false: the outline was read from the heights and is only a hint
};

}  // namespace geo
