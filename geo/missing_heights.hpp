// Finds the heights that are missing: of the buildings, so that half a roof is never reported as a whole one,
// and around them, where something unknown may cast shade. German sentences for the client.
#pragma once
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/property/property.hpp"
#include "geo/site.hpp"

namespace geo {

/// Share of the shape's cells without a height. Cells beyond the grid count as missing.
double share_without_heights(const Polygon& shape, const Grid<float>& heights);

/// Warnings of what is missing. no_roof when more than a third of the house at the address is missing; any
/// other building with so much missing leaves the property, and a warning says so. An outline that was read
/// from the heights ends where they end, so its area does not tell how much is missing: its border decides as
/// well.
Result<std::vector<std::string>> leave_out_unknown_buildings(Property& property, const Grid<float>& heights);

/// From which directions shade may be missing: the surface model has no heights there nearby, or the relief
/// ends before the mountains, or there is none.
std::vector<std::string> unknown_shade_warnings(const Site& site);

/// Why no building was found at the address: for want of heights, or because there is none.
std::string no_building_text(const Grid<float>& heights, Point address);

}  // namespace geo
