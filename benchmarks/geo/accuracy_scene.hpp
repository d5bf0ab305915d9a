// What the accuracy benchmark measures on: heights, buildings and true roof planes, from a generated sample
// region (which knows its outlines) or from Delft (real laser data, reference planes without outlines).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "geo/data/place_frame.hpp"
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/property/building.hpp"
#include "geo/roof/detection.hpp"
#include "geo/shapes/plane.hpp"
#include "geo/shapes/shapes.hpp"

namespace bench {

struct TruePlane {
  geo::Point at;     ///< Delft: a point on it, map metres
  geo::Plane plane;  ///< map metres
  double tilt_deg = 0;
  double azimuth_deg = 0;  ///< the contract's, true north
  double area_m2 = 0;      ///< inclined; Delft: of the interior cells only
  int interior_cells = 0;  ///< Delft
  geo::Polygon outline;    ///< empty for Delft
  int building = -1;
  std::string kind;  ///< gable, hip, ...; dormers by themselves
  bool below_tree = false;
  bool judged = true;  ///< large enough to be looked for
};

struct Scene {
  std::string name;
  geo::Grid<float> dsm, terrain;
  std::vector<geo::Building> buildings;
  std::vector<geo::Polygon> parcels;  ///< none for Delft and where footprints are forgotten
  geo::PlaceFrame frame;
  std::vector<TruePlane> truth{};
  geo::RoofDetectionOptions detection{};
};

std::vector<geo::Building> read_footprints(const std::string& path);

/// `shared_dir` holds data/delft.
geo::Result<Scene> delft_scene(const std::string& shared_dir);

/// Writes the region into `work_dir` and reads it as the service would.
geo::Result<Scene> sample_scene(const std::string& crs, std::uint32_t seed, int addresses, double cell_m,
                                const std::string& work_dir);

/// The same place as it is where no footprints exist: buildings as read from the heights.
geo::Result<void> forget_footprints(Scene& scene);

/// The union of two outlines that touch, without holes; empty when they do not touch.
geo::Polygon joined_outline(const geo::Polygon& a, const geo::Polygon& b);

}  // namespace bench
