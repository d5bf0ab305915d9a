// Ends the surfaces of neighbouring buildings where the neighbour begins: nothing reaches over another
// building's footprint, and where two overhangs dispute the same strip the building named first keeps it; nor
// over the border of its parcel. Map metres.
#pragma once
#include <cstddef>
#include <vector>

#include "geo/property/building.hpp"
#include "geo/roof/roof_plane.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// What is left of a surface, or a part of that. Its obstacles and statistics are not the whole surface's.
struct ClippedOutline {
  std::size_t plane = 0;  ///< index into the surfaces given
  Polygon outline;
};

/// In the surfaces' order. Surfaces that fall apart become several; parts under `min_area_m2` are dropped.
std::vector<ClippedOutline> end_at_neighbours(const std::vector<RoofPlane>& planes,
                                              const std::vector<Building>& buildings, double min_area_m2,
                                              const RunControl& control);

}  // namespace geo
