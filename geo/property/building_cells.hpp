// Which cells of a surface model are building: higher than 2 m above the ground and made of planes, which
// trees are not. Method: planar segments grown from the smoothest 3 m windows (Vosselman and Dijkman 2001),
// then the edges and small superstructures around them; what is left too small or too rough is vegetation.
// Metres.
#pragma once
#include <cstdint>

#include "geo/grid/grid.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// 1 on a building, 0 elsewhere, in the cells of `dsm`. Connected (by edges) pieces under 20 m2 are left out.
Grid<std::uint8_t> building_cells(const Grid<float>& dsm, const Grid<float>& terrain,
                                  const RunControl& control);

}  // namespace geo
