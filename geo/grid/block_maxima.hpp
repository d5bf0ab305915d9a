// The highest cell of every block of a height grid, so that a ray passes over whole blocks that cannot reach
// its line of sight. Changes no result, only the time: most of a settlement lies below the eaves.
#pragma once
#include <limits>

#include "geo/grid/grid.hpp"
#include "geo/grid/ray_patches.hpp"

namespace geo {

/// Blocks of kBlock x kBlock patches with the cells at their corners.
struct BlockMaxima {
  static constexpr int kBlock = 8;
  Grid<float> highest;  ///< NaN: no data in the block
  float of_all = -std::numeric_limits<float>::infinity();
};

BlockMaxima block_maxima(const Grid<float>& heights);

/// Calls visit(highest, enters, leaves) for every block under the ray, in order, within [from, to], until one
/// returns false.
template <class Visit>
void for_each_block(const Grid<float>& grid, const BlockMaxima& maxima, const GridRay& ray, double from,
                    double to, Visit&& visit) {
  constexpr double kShare = 1.0 / BlockMaxima::kBlock;
  const GridRay blocks{ray.x * kShare, ray.y * kShare, ray.dx * kShare, ray.dy * kShare};
  const auto [begin, end] = clipped(patch_count(grid), ray, from, to);
  for_each_patch({maxima.highest.width, maxima.highest.height}, blocks, begin, end,
                 [&](int column, int row, double enters, double leaves) {
                   return goes_on(visit, maxima.highest.at(column, row), enters, leaves);
                 });
}

/// As for_each_patch, but only within blocks for which reaches(highest, enters) says that they matter. What
/// does not reach at one distance must not reach at a larger one: so the ray ends where not even the highest
/// cell of all would.
template <class Reaches, class Visit>
void for_each_patch_that(const Grid<float>& grid, const BlockMaxima& maxima, const GridRay& ray, double from,
                         double to, Reaches&& reaches, Visit&& visit) {
  for_each_block(grid, maxima, ray, from, to, [&](float highest, double enters, double leaves) {
    if (!reaches(maxima.of_all, enters)) return false;
    if (reaches(highest, enters)) for_each_patch(patch_count(grid), ray, enters, leaves, visit);
    return true;
  });
}

}  // namespace geo
