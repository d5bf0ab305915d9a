// The buildings that stand on a parcel: whole ones, and the parcel's share of a row of houses drawn as one
// footprint. Map metres.
#pragma once
#include <vector>

#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// A footprint with at least nine tenths of its area on the parcel comes whole (surveys disagree by
/// decimetres, eaves reach across). Of any other only the part on the parcel comes, if it is large and wide
/// enough.
std::vector<Polygon> buildings_on(const Polygon& parcel, const std::vector<Polygon>& footprints,
                                  const RunControl& control);

}  // namespace geo
