// Which cells of a surface model are building: higher than 2 m above the ground and made of planes, which
// trees are not. Method: planar segments grown from the smoothest 3 m windows (Vosselman and Dijkman 2001),
// then the edges and small superstructures around them; pieces that remain too small or too rough are
// vegetation. Metres.
#pragma once
#include <cstdint>

#include <vector>

#include "geo/grid/grid.hpp"
#include "geo/property/small_roofs.hpp"
#include "geo/run_control.hpp"

namespace geo {

struct FoundBuildings {
  Grid<std::uint8_t> cells;        ///< 1 on a building, 0 elsewhere, in the cells of the surface model
  std::vector<SmallRoof> garages;  ///< their cells are not in `cells`
};

/// `garages`: the area to search for garages; `fits`: of this surface model and terrain.
FoundBuildings find_buildings(const Grid<float>& dsm, const Grid<float>& terrain, const Box& garages,
                              RectangleFits& fits, const RunControl& control);

}  // namespace geo
