// Garages, sheds and carports, free or against a house, in whose roofs hardly a window of cells is even: each
// group of high cells that no house has is compared with a small roof over a rectangle. Accepted is what the
// noise of the cells explains: a crown, a hedge or a lorry's load scatters many times as much. Metres.
#pragma once
#include <cstddef>
#include <vector>

#include "geo/grid/grid.hpp"
#include "geo/property/planar_segments.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct SmallRoof {
  Polygon outline;                 ///< of the eaves; drawn out to the house where it stands against one
  bool of_house = false;           ///< the house's own roof goes on in it: a wing's end, no garage
  std::vector<std::size_t> cells;  ///< that it covers for the greater part, high or not
};

/// What each cell is known to be, 1 where it is.
struct SmallRoofCells {
  const Mask& groups;        ///< the cells whose connected groups may be a small roof each
  const Mask& high;          ///< all that rise above the ground and are no house's
  const Mask& houses;        ///< a house's
  const Mask& house_planes;  ///< those of them that lie on its planes, and other roofs: no small roof goes
                             ///< there; the rest are a house's edges and may be a garage's beside it
  const Mask& refused;       ///< looked at before; a group of nothing else is passed over
};

/// Those of which a cell lies in `where`: each takes a millisecond to tell, and a neighbourhood has hundreds
/// of bushes. `noise_per_slope_m`: how far cells scatter about a slope, over its gradient.
std::vector<SmallRoof> small_roofs(const Grid<float>& dsm, const Grid<float>& terrain,
                                   const SmallRoofCells& cells, const Box& where, double noise_per_slope_m,
                                   const RunControl& control);

}  // namespace geo
