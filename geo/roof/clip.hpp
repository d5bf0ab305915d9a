// Ends the surfaces of neighbouring buildings where the neighbour begins. A surface reaches over another
// building's footprint only within its RoofPlane::over_neighbours, and never over the border of its own
// parcel. Where two overhangs claim the same strip, the building named first keeps it. Map metres.
#pragma once
#include <cstddef>
#include <vector>

#include "geo/property/building.hpp"
#include "geo/roof/roof_plane.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// What is left of a surface, or one part of it. The whole surface's obstacles and statistics do not apply to
/// it.
struct ClippedOutline {
  std::size_t plane = 0;  ///< index into the surfaces given
  Polygon outline;
};

/// In the surfaces' order. Surfaces that fall apart become several; parts under `min_area_m2` are dropped.
std::vector<ClippedOutline> end_at_neighbours(const std::vector<RoofPlane>& planes,
                                              const std::vector<Building>& buildings, double min_area_m2,
                                              const RunControl& control);

}  // namespace geo
