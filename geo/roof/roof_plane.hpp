// What roof detection hands on: one plane of a roof, in the elevation model's own grid.
#pragma once
#include <vector>

#include "geo/shapes/plane.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// How well the elevation model carries a plane (angles and lengths on the ground, standard errors).
struct FitStatistics {
  double tilt_error_deg = 0;
  double azimuth_error_deg = 0;
  double area_error_m2 = 0;
  double residual_m = 0;          ///< root mean square of the fitted cells about the plane
  int cells = 0;                  ///< cells the plane was fitted to
  double coverage_pct = 0;        ///< share of the outline's cells that lie on the plane
  bool below_vegetation = false;  ///< trees cover a part of the outline
};

struct RoofPlane {
  int building = 0;                ///< index into the buildings given to the detection, from 0
  Plane plane;                     ///< map metres
  Polygon outline;                 ///< plan view, map metres; valid, overlaps no other surface
  std::vector<Polygon> obstacles;  ///< chimneys, dormers, windows on it: no module there
  FitStatistics fit;
  std::vector<Polygon> over_neighbours;  ///< where it may reach over lower buildings beside its own
};

}  // namespace geo
