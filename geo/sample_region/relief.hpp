// The coarse terrain model for the far horizon: the region's own ground, continued to 32 km. Map metres, 80 m
// cells.
#pragma once
#include "geo/data/place_frame.hpp"
#include "geo/grid/grid.hpp"
#include "geo/sample_region/hills.hpp"

namespace geo::sample {

Grid<float> relief(const Terrain& terrain, const PlaceFrame& frame);

}  // namespace geo::sample
