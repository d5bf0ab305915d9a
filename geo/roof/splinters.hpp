// Small surfaces that are not roofs. Without a footprint the building was read from the same heights, and
// planes reach into the crowns and hedges that touch it. Local metres.
#pragma once
#include <vector>

#include "geo/roof/building_site.hpp"
#include "geo/roof/faces.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Removes the small pieces of a plane that lie apart from its largest, and the small surfaces that may be
/// crowns: those that stick out of their house, and those with leaves below them.
void remove_splinters(const RoofSite& site, const RoofSegmentation& roof,
                      std::vector<SegmentOutline>& surfaces);

}  // namespace geo
