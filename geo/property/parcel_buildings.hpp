// The buildings that stand on a parcel: whole ones, and the parcel's share of a row of houses drawn as one
// footprint. Map metres.
#pragma once
#include <vector>

#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// A footprint that lies on the parcel but for a tenth (surveys disagree by decimetres, eaves reach across)
/// comes whole; of one that straddles the border, the part on the parcel, if it is wide enough for a house.
std::vector<Polygon> buildings_on(const Polygon& parcel, const std::vector<Polygon>& footprints,
                                  const RunControl& control);

}  // namespace geo
