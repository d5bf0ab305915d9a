// What the ground is used for, drawn into a raster: streets, drives, pools, gardens, fields. For the
// orthophoto.
#pragma once
#include <cstdint>

#include "geo/data/gdal.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/sample_region/settlement.hpp"

namespace geo::sample {

/// Values from kGarden upwards are gardens: kGarden + the parcel's index.
enum Cover : std::uint16_t { kField = 0, kPavement, kRoad, kPaving, kPool, kGarden };

/// internal when GDAL cannot draw.
Result<Grid<std::uint16_t>> ground_cover(const Settlement& settlement, const PlaceFrame& frame,
                                         const Box& area, double cell_m);

}  // namespace geo::sample
