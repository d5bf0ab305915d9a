// The lower slopes of mansards, and what merely looks like one. Below a slope and above its eave the roof may
// be steeper. A mansard's lower slope is two cells wide and the eave cuts one of them; on any other roof the
// row of cells that the eave cuts, roof for a share of their width, rises as evenly as a slope would. So both
// are tried on the cells from the slope down to the ground: the slope alone, ending at an eave, and the slope
// with a steeper one below it (a parametric primitive, in the manner of Maas & Vosselman 1999). A cell is
// compared with the mean of what it covers, or with one of them. For places without footprints: with one,
// planes fitted as usual lie nearer (a mansard of 63 degrees came out at 69 here). Local metres.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Where a mansard explains the cells at less cost, its lower slope takes the place of what was found there;
/// where the upper slope alone does, that is removed.
void fit_mansards(const RoofSite& site, RoofSegmentation& roof, const RunControl& control);

}  // namespace geo
