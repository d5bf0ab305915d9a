// The exact roof planes of a settlement: the parts of every body's planes that are seen from above. Outlines
// are found by clipping convex polygons with the half-planes where one plane lies below another (Sutherland &
// Hodgman 1974) and by Boost.Geometry's differences and unions. Region metres (true east and north).
#pragma once
#include <string>
#include <vector>

#include "geo/sample_region/settlement.hpp"
#include "geo/shapes/plane.hpp"

namespace geo::sample {

struct Obstacle {
  BodyRole kind = BodyRole::chimney;  ///< chimney, dormer or skylight
  Polygon outline;
};

struct RoofPatch {
  int building = 0;
  bool dormer = false;
  geo::Plane plane;  ///< over region metres
  Polygon outline;   ///< the roof's edge with its overhang, superstructures not cut out
  std::vector<Obstacle> obstacles;
  bool below_tree = false;  ///< a crown hangs over a part of it
  double area_m2 = 0;       ///< inclined
  double free_area_m2 = 0;  ///< inclined, obstacles cut out
};

/// Patches below 0.05 m2 are left out. In the order of the buildings' clusters.
std::vector<RoofPatch> roof_patches(const Settlement& settlement);

/// The part of a convex polygon where a x + b y + c >= 0.
Ring clip_convex(const Ring& ring, double a, double b, double c);

}  // namespace geo::sample
