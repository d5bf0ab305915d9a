// Tells roofs from crowns, façades and the mixed cells along an eave. On the whole these can look like a
// plane, but they lack the patches of cells side by side that a roof of that size has.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Removes what is no roof. Without footprints any bush is looked at, and the test is sharper.
void remove_rough(const RoofSite& site, RoofSegmentation& roof, const RunControl& control);

}  // namespace geo
