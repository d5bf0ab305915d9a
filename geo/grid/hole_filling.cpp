#include "geo/grid/hole_filling.hpp"

#include <algorithm>

namespace geo {
namespace {

constexpr int kSweeps = 6;

bool has_holes(const Grid<float>& grid) {
  return std::any_of(grid.values.begin(), grid.values.end(), [](float z) { return std::isnan(z); });
}

/// Half the resolution: the mean of what is known in each 2 x 2 block.
Grid<float> coarser(const Grid<float>& fine) {
  Grid<float> coarse((fine.width + 1) / 2, (fine.height + 1) / 2, fine.west, fine.north, fine.cell_m * 2,
                     kNoData);
  for (int row = 0; row < coarse.height; ++row)
    for (int col = 0; col < coarse.width; ++col) {
      double sum = 0;
      int known = 0;
      for (int k = 0; k < 4; ++k) {
        const int c = 2 * col + k % 2, r = 2 * row + k / 2;
        if (!fine.contains(c, r) || std::isnan(fine.at(c, r))) continue;
        sum += fine.at(c, r);
        ++known;
      }
      if (known > 0) coarse.at(col, row) = static_cast<float>(sum / known);
    }
  return coarse;
}

/// The coarse level's value at a fine cell's centre, bilinear.
float pushed(const Grid<float>& coarse, int col, int row) {
  auto clamp_col = [&](int c) { return std::clamp(c, 0, coarse.width - 1); };
  auto clamp_row = [&](int r) { return std::clamp(r, 0, coarse.height - 1); };
  const int c = clamp_col(col / 2), r = clamp_row(row / 2);
  const int c2 = clamp_col(c + (col % 2 ? 1 : -1)), r2 = clamp_row(r + (row % 2 ? 1 : -1));
  return (9 * coarse.at(c, r) + 3 * coarse.at(c2, r) + 3 * coarse.at(c, r2) + coarse.at(c2, r2)) / 16;
}

/// Each hole becomes the mean of its neighbours, in scan order: Gauss-Seidel.
void relax(Grid<float>& grid, const std::vector<std::size_t>& holes) {
  const auto width = static_cast<std::size_t>(grid.width);
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (std::size_t i : holes) {
      const auto col = static_cast<int>(i % width), row = static_cast<int>(i / width);
      float sum = 0;
      int count = 0;
      if (col > 0) sum += grid.values[i - 1], ++count;
      if (col + 1 < grid.width) sum += grid.values[i + 1], ++count;
      if (row > 0) sum += grid.values[i - width], ++count;
      if (row + 1 < grid.height) sum += grid.values[i + width], ++count;
      if (count > 0) grid.values[i] = sum / static_cast<float>(count);
    }
}

}  // namespace

Grid<float> fill_holes(const Grid<float>& grid, const RunControl& control) {
  control.checkpoint();
  if (!has_holes(grid) || (grid.width <= 1 && grid.height <= 1)) return grid;
  const Grid<float> coarse = fill_holes(coarser(grid), control);
  Grid<float> filled = grid;
  std::vector<std::size_t> holes;
  for (int row = 0; row < grid.height; ++row)
    for (int col = 0; col < grid.width; ++col)
      if (std::isnan(grid.at(col, row))) {
        filled.at(col, row) = pushed(coarse, col, row);
        holes.push_back(grid.index(col, row));
      }
  relax(filled, holes);
  return filled;
}

}  // namespace geo
