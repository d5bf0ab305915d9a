// What a client must know about the figures: sentences for the contract's `warnungen`, German.
#pragma once
#include <string>
#include <vector>

#include "geo/data/site.hpp"
#include "geo/property/property.hpp"
#include "geo/roof_analysis.hpp"

namespace geo {

/// About the data: what was missing, old or derived.
std::vector<std::string> site_warnings(const Site& site, const Property& property);

/// About buildings of the property (numbered from 1 as in the result) that the footprints know and the
/// heights do not: they were probably built after the flight. `terrain` has the frame of `dsm`.
std::vector<std::string> building_warnings(const std::vector<Building>& buildings, const Grid<float>& dsm,
                                           const Grid<float>& terrain);

/// About single surfaces: few cells, trees.
std::vector<std::string> surface_warnings(const std::vector<RoofSurface>& surfaces);

}  // namespace geo
