// What a client must know about the figures: sentences for the contract's `warnungen`, German.
#pragma once
#include <string>
#include <vector>

#include "geo/grid/cell_kind.hpp"
#include "geo/property/property.hpp"
#include "geo/roof_analysis.hpp"
#include "geo/site.hpp"

namespace geo {

/// About the data: what is missing, old, derived or unknown. `cells`: of the surface model.
std::vector<std::string> site_warnings(const Site& site, const Property& property, CellKind cells);

/// About buildings of the property (numbered from 1 as in the result) that carry no surface although the
/// footprints know them: they were probably built after the flight, or their roof could not be read.
/// `terrain` has the frame of `dsm`.
std::vector<std::string> building_warnings(const std::vector<Building>& buildings,
                                           const std::vector<RoofSurface>& surfaces, const Grid<float>& dsm,
                                           const Grid<float>& terrain);

/// About single surfaces: few cells, trees.
std::vector<std::string> surface_warnings(const std::vector<RoofSurface>& surfaces);

/// About the recommended installation: a consumption that is hardly meant, and why the installation stays
/// below the consumption while modules are left.
std::vector<std::string> design_warnings(const Totals& totals, const AnalysisInput& input);

}  // namespace geo
