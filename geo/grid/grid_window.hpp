// A part of a grid, and the grid that a window asks for.
#pragma once
#include <algorithm>
#include <cmath>

#include "geo/grid/grid.hpp"
#include "geo/shapes/box.hpp"

namespace geo {

/// The cells that touch `window`, as a grid of their own; empty where the two do not meet.
template <class T>
Grid<T> cells_in(const Grid<T>& grid, const Box& window) {
  const int col0 = std::clamp(grid.col_of(window.min_x), 0, grid.width);
  const int col1 = std::clamp(grid.col_of(window.max_x) + 1, 0, grid.width);
  const int row0 = std::clamp(grid.row_of(window.max_y), 0, grid.height);
  const int row1 = std::clamp(grid.row_of(window.min_y) + 1, 0, grid.height);
  Grid<T> part(std::max(0, col1 - col0), std::max(0, row1 - row0), grid.west + col0 * grid.cell_m,
               grid.north - row0 * grid.cell_m, grid.cell_m);
  if (part.values.empty()) return part;
  for (int row = 0; row < part.height; ++row)
    std::copy_n(&grid.at(col0, row0 + row), part.width, &part.at(0, row));
  return part;
}

/// Cells without data that touch `window`, laid out so that `corner` is a corner of a cell; empty for an
/// empty window.
inline Grid<float> grid_over(const Box& window, Point corner, double cell_m) {
  constexpr double kRounding = 1e-6;  // of a cell
  const double west = std::floor((window.min_x - corner.x) / cell_m + kRounding);
  const double east = std::ceil((window.max_x - corner.x) / cell_m - kRounding);
  const double north = std::floor((corner.y - window.max_y) / cell_m + kRounding);
  const double south = std::ceil((corner.y - window.min_y) / cell_m - kRounding);
  if (!(east > west && south > north)) return {};
  return Grid<float>(static_cast<int>(east - west), static_cast<int>(south - north), corner.x + west * cell_m,
                     corner.y - north * cell_m, cell_m, kNoData);
}

}  // namespace geo
