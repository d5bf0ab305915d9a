// What the data sets say about the surroundings of an address: the windows of the rasters and the polygons
// that a run works on, all in one coordinate system except the relief. Map metres.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geo/data/geodata.hpp"
#include "geo/data/kept_relief.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/roof_analysis.hpp"
#include "geo/run_control.hpp"
#include "geo/solar/climate.hpp"

namespace geo {

/// Heights of a coarse terrain model in its own system.
struct Relief {
  std::shared_ptr<const ReliefCells> cells;
  PlaceFrame frame;
};

struct Site {
  std::string crs_wkt;              ///< the surface model's own where that is in metres
  PlaceFrame frame;                 ///< of this system, at the address
  Grid<float> surroundings;         ///< surface model, 500 m and more around: what may cast shade
  Grid<float> dsm;                  ///< surface model around the property
  double highest_of_m2 = 0;         ///< DataSet::highest_of_m2 of the model that serves the place
  bool cell_height_stated = false;  ///< whether the catalogue says what its cells hold
  std::optional<Grid<float>> dtm;   ///< terrain model there; its own cells in the same system
  std::vector<Polygon> footprints, parcels;
  std::vector<Point> other_addresses;  ///< of the neighbours
  std::optional<Relief> relief;
  std::optional<MonthlyValues> irradiation_kwh_m2;  ///< from an irradiance data set
  std::vector<Source> sources;                      ///< the data sets that were used
  /// Why a terrain model or a relief that there is was not taken; German.
  std::optional<std::string> terrain_contradiction, relief_contradiction;
};

/// Reads everything anew; what is open is kept by the thread. no_roof when no surface model covers the
/// place or all of them are too coarse; data_unreachable when a data set cannot be read.
Result<Site> read_site(const Geodata& geodata, LonLat place, const RunControl& control);

}  // namespace geo
