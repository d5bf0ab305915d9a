// The lower slopes of mansards, and what merely looks like one. A mansard's lower slope, between the upper
// slope and the eave, is two cells wide, and the eave cuts one of them. On any other roof the row of cells
// that the eave cuts is roof for a share of its width and rises as evenly as a slope would. So both are tried
// on the cells from the slope down to the ground: the slope alone, ending at an eave, and the slope with a
// steeper one below it (a parametric primitive, in the manner of Maas & Vosselman 1999). A cell is compared
// with the mean of what it covers, or with one of the heights it covers. Only for places without footprints:
// with a footprint, planes fitted as usual are more accurate. Local metres.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Where a mansard explains the cells at less cost, its lower slope takes the place of what was found there;
/// where the upper slope alone does, what was found there is removed.
void fit_mansards(const RoofSite& site, RoofSegmentation& roof, const RunControl& control);

}  // namespace geo
