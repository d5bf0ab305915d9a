// A made-up settlement as official data would show it: a data set of the service's own for demonstrations,
// tests and benchmarks, with the exact roofs beside it. Heights come from simulated laser returns, never from
// the exact model. Metres and degrees; the design is made in true metres (east, north) and then mapped into
// the system asked for.
#pragma once
#include <cstdint>
#include <string>

#include "geo/failure.hpp"
#include "geo/sample_region/cadastral_survey.hpp"

namespace geo {

/// How the returns of a cell become its height.
enum class Gridding {
  by_seed,   ///< one of the three below, chosen by the seed
  levelled,  ///< a plane through the cell's returns, taken at the cell's centre
  mean,      ///< the mean of the cell's returns
  nearest,   ///< the return nearest the cell's centre
};

struct SampleRegionOptions {
  std::string out_dir;     ///< is created; files of the same name are replaced
  std::uint32_t seed = 1;  ///< the same seed gives the same region
  std::string crs =
      "EPSG:25832";    ///< EPSG:25832 a German place, EPSG:3035 an Austrian, EPSG:2056 a Swiss one
  int addresses = 40;  ///< main buildings, each with an address: 1 to 5000
  Gridding gridding = Gridding::by_seed;
  /// Of the height models: 1 as in Germany and Austria, or 0.5 as in swisstopo's swissSURFACE3D, from 15 to
  /// 20 returns a square metre.
  double cell_m = 1;
  sample::SurveyErrors survey;  ///< of the footprints; truth knows none
};

/// Writes dsm.tif, dtm.tif, buildings.gpkg, parcels.gpkg, addresses.csv, orthophoto.tif, relief.tif,
/// geodata.json and truth.json (described in truth_file.hpp) into `out_dir`. invalid_input for another
/// system, for a number of addresses, survey errors or cells out of range, and for a folder that cannot be
/// written.
Result<void> write_sample_region(const SampleRegionOptions& options);

}  // namespace geo
