// Tells roofs from crowns, façades and the mixed cells along an eave. On the whole these can look like a
// plane, but they lack the patches of cells side by side that a roof of that size has.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Removes what is no roof. Without footprints any bush is looked at, and the test is sharper.
void remove_rough(const RoofSite& site, RoofSegmentation& roof);

/// How likely it is that a segment is a roof.
struct RoofOdds {
  double log_odds = 0;   ///< of a roof against a crown; each leaf below counts against it
  int leaves_below = 0;  ///< leaves beside its cells that lie below its plane
};

/// `leaves`: of leaf_cells(); `height`: the surface's.
RoofOdds roof_odds(const RoofSegmentation& roof, int segment, const Grid<char>& leaves,
                   const Grid<float>& height);

}  // namespace geo
