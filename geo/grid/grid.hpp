// A north-up raster window in memory.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo {

struct GridCell {
  int col, row;
};

/// Row-major, row 0 the northernmost. `west` and `north` are the outer edges of the first cell, in map
/// metres; cells are square. In a Grid<float> NaN means: no data.
template <class T>
struct Grid {
  int width = 0;
  int height = 0;
  double west = 0;
  double north = 0;
  double cell_m = 1;
  std::vector<T> values;

  Grid() = default;
  Grid(int w, int h, double west_edge, double north_edge, double cell, T fill = T{})
      : width(w),
        height(h),
        west(west_edge),
        north(north_edge),
        cell_m(cell),
        values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), fill) {}

  /// A grid of the same frame with other values.
  template <class U>
  Grid<U> like(U fill = U{}) const {
    return Grid<U>(width, height, west, north, cell_m, fill);
  }

  bool contains(int col, int row) const { return col >= 0 && row >= 0 && col < width && row < height; }
  std::size_t index(int col, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(col);
  }
  GridCell cell(std::size_t index) const {
    const auto w = static_cast<std::size_t>(width);
    return {static_cast<int>(index % w), static_cast<int>(index / w)};
  }
  T& at(int col, int row) { return values[index(col, row)]; }
  const T& at(int col, int row) const { return values[index(col, row)]; }

  /// Centre of a cell, map metres.
  Point centre(int col, int row) const { return {west + (col + 0.5) * cell_m, north - (row + 0.5) * cell_m}; }
  Point centre(std::size_t index) const {
    const auto [col, row] = cell(index);
    return centre(col, row);
  }
  /// Cell that holds a map point (may lie outside the grid).
  int col_of(double x) const { return static_cast<int>(std::floor((x - west) / cell_m)); }
  int row_of(double y) const { return static_cast<int>(std::floor((north - y) / cell_m)); }
};

/// `a` with each value combined with that of `b` in the same cell.
template <class T, class Combine>
Grid<T> combined(Grid<T> a, const Grid<T>& b, Combine combine) {
  std::transform(a.values.begin(), a.values.end(), b.values.begin(), a.values.begin(), combine);
  return a;
}

/// Steps from a cell to the four beside it, and to all eight around it: columns, rows.
inline constexpr std::array<std::array<int, 2>, 4> kBeside{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
inline constexpr std::array<std::array<int, 2>, 8> kAround{
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

inline constexpr float kNoData = std::numeric_limits<float>::quiet_NaN();

}  // namespace geo
