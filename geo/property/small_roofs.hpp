// Garages, sheds and carports, free or against a house, in whose roofs hardly a window of cells is even: each
// group of high cells that no house has is compared with a small roof over a rectangle. Accepted is what the
// noise of the cells explains: a crown, a hedge or a lorry's load scatters many times as much. Metres.
#pragma once
#include <cstddef>
#include <vector>

#include "geo/grid/grid.hpp"
#include "geo/property/planar_segments.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct SmallRoof {
  Polygon outline;                 ///< of the eaves; drawn out to the house where it stands against one
  bool of_house = false;           ///< the house's own roof goes on in it: a wing's end, no garage
  double fitted_m2 = 0;            ///< without what it was drawn out by
  std::vector<std::size_t> cells;  ///< that it covers for the greater part, high or not
};

/// `free`: the high cells that may be one. `houses`: cells that are a house's, `house_planes`: those of them
/// that lie on its planes; the others are its edges and may be a garage's beside it. `refused`: cells looked
/// at before; a group of nothing else is passed over.
std::vector<SmallRoof> small_roofs(const Grid<float>& dsm, const Grid<float>& terrain, const Mask& free,
                                   const Mask& houses, const Mask& house_planes, const Mask& refused,
                                   const RunControl& control);

}  // namespace geo
