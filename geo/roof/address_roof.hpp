// Whether the roofs that were found are those of the address. For places without footprints and parcels:
// there only the heights show which house is meant, and when its own roof was missed, its neighbours' roofs
// may have been found. Map metres.
#pragma once
#include <vector>

#include "geo/grid/grid.hpp"
#include "geo/property/building.hpp"
#include "geo/roof/roof_plane.hpp"

namespace geo {

/// `buildings` is not empty, the one at the address first. `terrain` has the frame of `dsm`.
bool roof_stands_at(Point address, const std::vector<RoofPlane>& planes,
                    const std::vector<Building>& buildings, const Grid<float>& dsm,
                    const Grid<float>& terrain);

}  // namespace geo
