#include "geo/data/gap_filling.hpp"

#include <ogr_spatialref.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "geo/grid/resampling.hpp"

namespace geo {
namespace {

constexpr int kColumnsPerTransform = 16;  // between them positions are interpolated: far below a millimetre

/// The centres of a grid's cells in another system, row by row.
class RowPositions {
 public:
  /// `transformation`: null for the same system.
  RowPositions(const Grid<float>& grid, OGRCoordinateTransformation* transformation)
      : grid_(grid), transformation_(transformation) {}

  void go_to(int row) {
    row_ = row;
    if (!transformation_) return;
    const int knots = (grid_.width + kColumnsPerTransform - 1) / kColumnsPerTransform + 1;
    x_.resize(static_cast<std::size_t>(knots));
    y_.resize(x_.size());
    for (int i = 0; i < knots; ++i) {
      const Point p = grid_.centre(i * kColumnsPerTransform, row);
      x_[static_cast<std::size_t>(i)] = p.x;
      y_[static_cast<std::size_t>(i)] = p.y;
    }
    transformation_->Transform(knots, x_.data(), y_.data());  // what has no place becomes infinite
  }
  Point at(int col) const {
    if (!transformation_) return grid_.centre(col, row_);
    const auto i = static_cast<std::size_t>(col / kColumnsPerTransform);
    const double t = static_cast<double>(col % kColumnsPerTransform) / kColumnsPerTransform;
    return {x_[i] + t * (x_[i + 1] - x_[i]), y_[i] + t * (y_[i + 1] - y_[i])};
  }

 private:
  const Grid<float>& grid_;
  OGRCoordinateTransformation* transformation_;
  int row_ = 0;
  std::vector<double> x_, y_;
};

/// How many columns and rows one grid's first cell lies from another's whose cells it shares; none where they
/// lie otherwise.
struct Shift {
  int cols, rows;
};
std::optional<Shift> shift_between(const Grid<float>& grid, const Grid<float>& other) {
  if (grid.cell_m != other.cell_m) return {};
  const double cols = (grid.west - other.west) / grid.cell_m, rows = (other.north - grid.north) / grid.cell_m;
  constexpr double kSame = 5e-7;  // of a cell
  if (std::abs(cols - std::round(cols)) > kSame || std::abs(rows - std::round(rows)) > kSame) return {};
  return Shift{static_cast<int>(std::lround(cols)), static_cast<int>(std::lround(rows))};
}

bool copy(Grid<float>& heights, const Grid<float>& cells, Shift shift, const RunControl& control) {
  bool any = false;
  const int first_col = std::max(0, -shift.cols);
  const int end_col = std::min(heights.width, cells.width - shift.cols);
  for (int row = std::max(0, -shift.rows); row < std::min(heights.height, cells.height - shift.rows); ++row) {
    control.checkpoint();
    for (int col = first_col; col < end_col; ++col) {
      const float z = cells.at(col + shift.cols, row + shift.rows);
      if (std::isnan(z) || !std::isnan(heights.at(col, row))) continue;
      heights.at(col, row) = z;
      any = true;
    }
  }
  return any;
}

}  // namespace

bool fill_gaps(Grid<float>& heights, const Grid<float>& cells, OGRCoordinateTransformation* to_cells,
               const RunControl& control) {
  if (const auto shift = to_cells ? std::nullopt : shift_between(heights, cells))
    return copy(heights, cells, *shift, control);
  bool any = false;
  RowPositions positions(heights, to_cells);
  for (int row = 0; row < heights.height; ++row) {
    control.checkpoint();
    positions.go_to(row);
    for (int col = 0; col < heights.width; ++col) {
      float& z = heights.at(col, row);
      if (!std::isnan(z)) continue;
      z = height_at_point(cells, positions.at(col));
      any = any || !std::isnan(z);
    }
  }
  return any;
}

bool lacks_cells(const Grid<float>& heights) {
  return std::any_of(heights.values.begin(), heights.values.end(), [](float z) { return std::isnan(z); });
}

}  // namespace geo
