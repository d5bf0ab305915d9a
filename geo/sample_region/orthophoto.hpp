// An aerial image of the sample region, seen straight from above at 0.2 m: tiled roofs lit by their
// orientation, shadows, gardens, streets, fields. Colour is a matter of taste here; geometry is the exact
// model's.
#pragma once
#include "geo/data/gdal.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/sample_region/overhead_view.hpp"
#include "geo/sample_region/raster_files.hpp"

namespace geo::sample {

/// `area`: in whole map metres. internal when GDAL cannot draw the ground's uses.
Result<Grid<Rgb>> orthophoto(const Scene& scene, const Settlement& settlement, const PlaceFrame& frame,
                             const Box& area);

}  // namespace geo::sample
