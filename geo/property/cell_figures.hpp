// Figures about the heights of roof and ground cells that several steps share. For the scatter of heights
// about a slope see slope_noise.hpp.
#pragma once

namespace geo {

/// Height above the ground. Without a footprint nothing lower counts as a roof; garages may be lower
/// (building_cells.cpp).
inline constexpr double kLowestRoof_m = 2;

/// Noise of a cell's height on a horizontal surface.
inline constexpr double kLevelNoise_m = 0.05;

/// Standard deviation of the height of a cell that an edge cuts: the height lies somewhere between roof and
/// ground. `covered` is the roof's share of the cell, 0 to 1; `drop_m` the height of the edge. A quarter of
/// the drop where the edge halves the cell, zero where the cell is all roof or all ground.
inline double mixed_cell_scatter_m(double covered, double drop_m) {
  return 4 * covered * (1 - covered) * 0.25 * drop_m;
}

}  // namespace geo
