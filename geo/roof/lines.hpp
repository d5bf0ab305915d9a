// The straight lines in which a roof's surfaces may begin and end: its walls moved out to the eaves, the
// lines in which neighbouring planes meet (ridges, hips, valleys), and the edges at which heights step
// (dormers, split levels). They are candidates; the labelling of faces decides which of them become edges.
// Local metres.
#pragma once
#include <vector>

#include "geo/roof/eaves.hpp"
#include "geo/roof/map.hpp"
#include "geo/roof/roof_line.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// In the order in which they should cut the plan; near duplicates left out.
std::vector<RoofLine> roof_lines(const RoofSite& site, const RoofSegmentation& segmentation,
                                 const RoofMap& map, const RoofEaves& eaves);

}  // namespace geo
