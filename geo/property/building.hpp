// One building of the property, as roof detection takes it.
#pragma once
#include <optional>

#include "geo/shapes/shapes.hpp"

namespace geo {

struct Building {
  Polygon footprint;              ///< plan view, map metres
  bool from_footprints = true;    ///< false: the outline was read from the heights and is only a hint
  bool rectangle = false;         ///< a rectangle fitted to the heights: as good as a footprint
  std::optional<Polygon> parcel;  ///< the parcel it stands on; its roof ends at the border
};

}  // namespace geo
