// What the accuracy benchmark measures on: heights, buildings and true roof planes, from a generated sample region
// (which knows its outlines) or from Delft (real laser data, reference planes without outlines).
#pragma once
#include <string>
#include <vector>

#include "geo/building.hpp"
#include "geo/failure.hpp"
#include "geo/grid.hpp"
#include "geo/place_frame.hpp"
#include "geo/shapes.hpp"

namespace bench {

struct TruePlane {
  geo::Point at;              ///< a point on it, map metres
  double z = 0;
  double gx = 0, gy = 0;      ///< gradient per map metre
  double tilt_deg = 0;
  double azimuth_deg = 0;     ///< the contract's, true north
  double area_m2 = 0;         ///< plan; Delft: of the interior cells only
  int interior_cells = 0;
  geo::Polygon outline;       ///< empty for Delft
  int building = -1;
};

struct Scene {
  std::string name;
  geo::Grid<float> dsm, terrain;
  std::vector<geo::Building> buildings;
  geo::PlaceFrame frame;
  std::vector<TruePlane> truth;
};

geo::Result<Scene> delft_scene(const std::string& shared_dir);

}  // namespace bench
