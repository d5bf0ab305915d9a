// Which cells around a roof are leaves: high, on no plane, and amid others like them. The cells that mix an
// eave with the ground are high and on no plane too, but only one cell wide. Looks beyond the building's own
// zone, too: a crown does not end there. Local metres.
#pragma once
#include "geo/roof/building_site.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// 1 for leaves, in the cells of `site.height`. Cells on a neighbouring building or beside its wall are 0.
Grid<char> leaf_cells(const RoofSite& site, const RoofSegmentation& roof);

}  // namespace geo
