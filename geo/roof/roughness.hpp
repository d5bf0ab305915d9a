// Tells roofs from crowns, façades and the mixed cells along an eave. From afar those can look like a plane;
// from near they have no patch of cells side by side that a roof of that size would have.
#pragma once
#include "geo/roof/segments.hpp"
#include "geo/roof/site.hpp"

namespace geo {

/// Removes what is no roof. Without footprints any bush is looked at, and the test is sharper.
void remove_rough(const RoofSite& site, RoofSegmentation& roof);

/// Logarithm of the odds that a segment is a roof and no crown, by its cells and by the leaves seen around
/// and below it.
double log_odds_of_roof(const RoofSite& site, const RoofSegmentation& roof, int segment);

}  // namespace geo
