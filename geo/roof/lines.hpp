// The straight lines in which a roof's surfaces may begin and end: its walls moved out to the eaves, the
// lines in which neighbouring planes meet (ridges, hips, valleys), and the edges at which heights step
// (dormers, split levels). They are candidates; which of them become edges the labelling of faces decides.
// Local metres.
#pragma once
#include <vector>

#include "geo/roof/eaves.hpp"
#include "geo/roof/map.hpp"
#include "geo/roof/segments.hpp"
#include "geo/roof/shapes.hpp"

namespace geo {

struct RoofLine {
  enum class Kind { wall, meeting, step };
  Line line;
  double from = 0, to = 0;              ///< along the line: where it is supported
  double first = -1e300, last = 1e300;  ///< farther it cannot go: a hip begins there
  Kind kind = Kind::step;
};

/// In the order in which they should cut the plan; near duplicates left out.
std::vector<RoofLine> roof_lines(const RoofSite& site, const RoofSegmentation& segmentation,
                                 const RoofMap& map, const RoofEaves& eaves);

}  // namespace geo
