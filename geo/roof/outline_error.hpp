// How far off a surface's area may be, by what its edges are: a ridge is known to a few centimetres, an eave
// to a fraction of a cell, a wall between two surfaces of one roof to a cell. Local metres.
#pragma once
#include <vector>

#include "geo/roof/building_site.hpp"
#include "geo/roof/faces.hpp"
#include "geo/roof/obstacles.hpp"
#include "geo/roof/segments.hpp"

namespace geo {

/// Standard deviation of the outline's area in the plan, square metres. Each edge is displaced by itself, by
/// an amount that depends on what lies beyond it: another of the roof's `outlines`, which meets this surface
/// or is parted from it by a wall, a neighbour's known wall, or nothing. Cells that do not lie on the plane
/// may not be the surface's. Holes run clockwise. The displacements were fitted so that two of three true
/// areas lie within the stated error, on building models that others made and on sample regions alike
/// (benchmarks/geo/README.md).
double plan_area_error_m2(const RoofSite& site, const RoofSegmentation& segmentation,
                          const std::vector<SegmentOutline>& outlines, int segment, const Polygon& outline,
                          const RoofObstacles& obstacles);

}  // namespace geo
