// The position of a rigid grid of modules that carries the most, over all positions there are. True metres in
// the roof plane.
#pragma once
#include "geo/layout/placement_space.hpp"
#include "geo/run_control.hpp"

namespace geo {

struct GridPosition {
  Point corner;     ///< lower left corner of one of the grid's cells
  int modules = 0;  ///< cells whose corner is free
};

/// `pitch`: from one module to the next. No modules when none fits anywhere.
GridPosition best_grid_position(const PlacementSpace& space, ModuleSize pitch, const RunControl& control);

}  // namespace geo
