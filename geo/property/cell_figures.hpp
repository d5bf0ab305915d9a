// What a cell's height tells of roof and ground, where several steps must hold it for the same. How far
// heights scatter about a slope stands in slope_noise.hpp.
#pragma once

namespace geo {

/// Above the ground. What is lower is no roof where no footprint says so; garages may be lower
/// (building_cells.cpp).
inline constexpr double kLowestRoof_m = 2;

/// Noise of a cell's height on a horizontal surface.
inline constexpr double kLevelNoise_m = 0.05;

/// Standard deviation of the height of a cell that an edge cuts: it lies between roof and ground, nobody
/// knows where. `covered` is the roof's share of the cell, 0 to 1; `drop_m` the height of the edge. A quarter
/// of the drop where the edge halves the cell, nothing where the cell is whole.
inline double mixed_cell_scatter_m(double covered, double drop_m) {
  return 4 * covered * (1 - covered) * 0.25 * drop_m;
}

}  // namespace geo
