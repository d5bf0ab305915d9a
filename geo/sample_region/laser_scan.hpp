// An airborne laser scan of the scene, gridded to the surface and terrain models that a surveying office
// would sell. About 6 returns a square metre (16 for cells of half a metre) hit the exact model with 0.1 m of
// noise in position and 0.04 m in height; crowns let a part of the pulses through. No cell's height is read
// from the model itself. Metres; grids in map metres.
#pragma once
#include "geo/data/gdal.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/sample_region/overhead_view.hpp"
#include "geo/sample_region/sample_region.hpp"

namespace geo::sample {

struct ElevationModels {
  Grid<float> surface;  ///< NaN where no return fell and no neighbour was taken
  Grid<float> terrain;
};

/// The gridding that `options` name or their seed chooses.
Gridding chosen_gridding(const SampleRegionOptions& options);
const char* name_of(Gridding gridding);

/// `area`: in whole map metres. internal when GDAL cannot interpolate the terrain below the houses.
Result<ElevationModels> scanned(const Scene& scene, const PlaceFrame& frame, const Box& area,
                                const SampleRegionOptions& options);

}  // namespace geo::sample
