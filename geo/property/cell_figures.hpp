// Figures about the heights of roof and ground cells that several steps share. For the scatter of heights
// about a slope see slope_noise.hpp.
#pragma once
#include <cmath>

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

/// How many of a cell's laser returns to reckon with where the highest of them is its height. Returns do not
/// fall evenly, so it is fewer than there are: a share that was fitted on building models
/// (benchmarks/geo/README.md). 0 where cells do not hold the highest.
inline double returns_that_count(double highest_of_m2, double cell_m) {
  return 0.65 * highest_of_m2 * cell_m * cell_m;
}

/// The roof's expected share in the height of a cell that it covers in part. In a mean it is the share
/// `covered`. The highest of some returns lies on the roof unless all of them miss it.
inline double share_in_height(double covered, double returns) {
  return returns > 1 ? 1 - std::pow(1 - covered, returns) : covered;
}

}  // namespace geo
