// Tells roofs from crowns, façades and the mixed cells along an eave. From afar those can look like a plane;
// from near they have no patch of cells side by side that a roof of that size would have.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Removes what is no roof. Without footprints any bush is looked at, and the test is sharper.
void remove_rough(const RoofSite& site, RoofSegmentation& roof);

/// What a segment's cells say for a roof.
struct RoofOdds {
  double log_odds = 0;   ///< of a roof against a crown; each leaf below counts against it
  int leaves_below = 0;  ///< cells around it that are no plane's and lie below it
};

/// `leaves`: of leaf_cells(); `height`: the surface's.
RoofOdds roof_odds(const RoofSegmentation& roof, int segment, const Grid<char>& leaves,
                   const Grid<float>& height);

}  // namespace geo
