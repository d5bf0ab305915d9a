// The least-squares plane through a window of cells. Cell coordinates, metres of height.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "geo/grid/grid.hpp"

namespace geo {

using Mask = Grid<std::uint8_t>;

struct SegmentWindow {
  int cols, rows;
};

/// Whether all cells of the window whose north-western cell is given are 1.
inline bool holds_all_of(const Mask& mask, int col, int row, const SegmentWindow& window) {
  for (int r = row; r < row + window.rows; ++r)
    for (int c = col; c < col + window.cols; ++c)
      if (!mask.at(c, r)) return false;
  return true;
}

struct WindowFit {
  double rms_m = 0;                     ///< of the cells about the plane
  double per_col_m = 0, per_row_m = 0;  ///< the plane's rise from one cell to the next
  double rise_m() const { return std::hypot(per_col_m, per_row_m); }
};

/// Of the window whose north-western cell is given; no cell is NaN. In a full rectangle of cells columns,
/// rows and the mean are orthogonal, so each is fitted by itself.
inline WindowFit fit_window(const Grid<float>& heights, int col, int row, const SegmentWindow& window) {
  const double first = heights.at(col, row), cols = window.cols, rows = window.rows, cells = cols * rows;
  const double mid_col = (cols - 1) / 2, mid_row = (rows - 1) / 2;
  double sum = 0, along_cols = 0, along_rows = 0, squares = 0;
  for (int r = 0; r < window.rows; ++r)
    for (int c = 0; c < window.cols; ++c) {
      const double z = heights.at(col + c, row + r) - first;
      sum += z, along_cols += (c - mid_col) * z, along_rows += (r - mid_row) * z, squares += z * z;
    }
  const double of_cols = cells * (cols * cols - 1) / 12;  // sums of squared distances
  const double of_rows = cells * (rows * rows - 1) / 12;
  const WindowFit fit{0, of_cols > 0 ? along_cols / of_cols : 0, of_rows > 0 ? along_rows / of_rows : 0};
  const double left = squares - sum * sum / cells - fit.per_col_m * along_cols - fit.per_row_m * along_rows;
  return {std::sqrt(std::max(0.0, left) / cells), fit.per_col_m, fit.per_row_m};
}

}  // namespace geo
