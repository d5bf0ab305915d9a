// Small surfaces that are no roof. Without a footprint what looks like the building was read from the same
// heights, and planes reach into the crowns and hedges that touch it. Local metres.
#pragma once
#include <vector>

#include "geo/roof/building_site.hpp"
#include "geo/roof/faces.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Removes the small pieces of a plane that lie apart from its largest, and the small surfaces that stand out
/// of their house where a crown may.
void remove_splinters(const RoofSite& site, const RoofSegmentation& roof,
                      std::vector<SegmentOutline>& surfaces);

}  // namespace geo
