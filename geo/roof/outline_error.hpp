// How wrong a surface's area may be, from what its edges are: a ridge is known to a few centimetres, an eave
// to a fraction of a cell, and where one roof ends at the wall of a higher one hardly at all. Local metres.
#pragma once
#include <vector>

#include "geo/roof/building_site.hpp"
#include "geo/roof/faces.hpp"
#include "geo/roof/obstacles.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Standard deviation of the outline's area in the plan, square metres. Each edge is displaced by itself, by
/// an amount that depends on what lies beyond it: another of the roof's `outlines`, which meets this surface
/// or lies higher or lower, a neighbour's footprint, or nothing. Cells that do not lie on the plane may not
/// be the surface's. The displacements were measured on building models that others made
/// (benchmarks/geo/README.md).
double plan_area_error_m2(const RoofSite& site, const RoofSegmentation& segmentation,
                          const std::vector<SegmentOutline>& outlines, int segment, const Polygon& outline,
                          const RoofObstacles& obstacles);

}  // namespace geo
