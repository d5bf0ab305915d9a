// Rows of cells that a wall cuts. Where cells are means (cell_kind.hpp) they lie between the roof and the
// ground, and such a row looks like a steep slope. Metres.
#pragma once
#include <vector>

#include "geo/roof/segments.hpp"

namespace geo {

/// The cells of a steep segment that lie between what is higher and what is lower beside them. None unless
/// they are most of the segment's: then it is such a row of cells.
std::vector<int> wall_cells(const RoofSite& site, const RoofSegmentation& roof, int segment);

}  // namespace geo
