// How far a roof reaches beyond its walls. Across an edge the heights drop from the roof to what lies beyond;
// a cell that the edge cuts holds something between, or the roof's height where cells hold the highest
// return. The position that explains the cells along the edge best, or the mean of all that do, is found to a
// fraction of a cell. Where the heights do not drop, a neighbour is built against the wall and the roof ends
// at it. Local metres.
#pragma once
#include <vector>

#include "geo/roof/map.hpp"
#include "geo/roof/segments.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {

struct Eave {
  Point a, b;                   ///< the wall's edge, the building to its left
  double reach_m = 0;           ///< how far the roof reaches to the right of it
  bool shared = false;          ///< a wall between neighbours
  bool over_neighbour = false;  ///< the neighbour is lower and the roof reaches over its wall: a garage, say
};

struct RoofEaves {
  std::vector<Eave> edges;
  /// Within the footprint or under the overhang.
  bool covers(Point p) const;
  /// Under the overhang over a lower neighbour.
  bool covers_neighbour(Point p) const;
  /// The strips that overhang lower neighbours, as wide as the overhang.
  std::vector<Polygon> strips_over_neighbours() const;
  Polygon footprint;
};

/// Position of the roof's edge right of a->b, within [nearest_m, farthest_m]; NaN when no drop is seen.
double edge_position(const RoofSite& site, const RoofSegmentation& segmentation, const RoofMap& map, Point a,
                     Point b, double nearest_m, double farthest_m);

RoofEaves roof_eaves(const RoofSite& site, const RoofSegmentation& segmentation, const RoofMap& map);

}  // namespace geo
