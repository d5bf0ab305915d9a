// Half a roof is never reported as a whole one: what the surface model lacks of a building, at its edge, in
// its holes. German sentences for the client.
#pragma once
#include <string>
#include <vector>

#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/property/property.hpp"

namespace geo {

/// Share of the shape's cells without a height, those beyond the grid among them.
double share_without_heights(const Polygon& shape, const Grid<float>& heights);

/// Warnings of what is missing. no_roof when more than a third of the house at the address is; any other
/// building of which more is missing leaves the property, and a warning says so. An outline that was read
/// from the heights ends where they end, so nobody knows how much is missing: there its border decides.
Result<std::vector<std::string>> leave_out_unknown_buildings(Property& property, const Grid<float>& heights);

/// Why no building was found at the address: for want of heights, or because there is none.
std::string no_building_text(const Grid<float>& heights, Point address);

}  // namespace geo
