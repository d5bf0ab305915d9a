#include "geo/grid/resampling.hpp"

#include <algorithm>

namespace geo {
namespace {

constexpr double kRounding = 1e-6;  // of a cell: aligned grids keep their values exactly

/// The share of cell `i` (of width 1) that lies between two positions.
double share_of(int i, double from, double to) {
  return std::min(to, i + 1.0) - std::max(from, static_cast<double>(i));
}

float mean_between(const Grid<float>& fine, double left, double right, double top, double bottom) {
  double sum = 0, known = 0;
  for (int row = std::max(0, static_cast<int>(top)); row < std::min<double>(fine.height, bottom); ++row)
    for (int col = std::max(0, static_cast<int>(left)); col < std::min<double>(fine.width, right); ++col) {
      const float z = fine.at(col, row);
      if (std::isnan(z)) continue;
      const double area = share_of(col, left, right) * share_of(row, top, bottom);
      sum += area * z;
      known += area;
    }
  return known >= 0.5 * (right - left) * (bottom - top) ? static_cast<float>(sum / known) : kNoData;
}

}  // namespace

void average_into(Grid<float>& frame, int row, int end, const Grid<float>& fine) {
  const double step = frame.cell_m / fine.cell_m;
  const double left = (frame.west - fine.west) / fine.cell_m, top = (fine.north - frame.north) / fine.cell_m;
  for (; row < end; ++row)
    for (int col = 0; col < frame.width; ++col) {
      const float mean = mean_between(fine, left + col * step, left + (col + 1) * step, top + row * step,
                                      top + (row + 1) * step);
      if (!std::isnan(mean)) frame.at(col, row) = mean;
    }
}

float height_at_point(const Grid<float>& grid, Point p) {
  const double x = (p.x - grid.west) / grid.cell_m, y = (grid.north - p.y) / grid.cell_m;
  if (!(x > -kRounding && y > -kRounding && x < grid.width + kRounding && y < grid.height + kRounding))
    return kNoData;
  const int own_col = std::clamp(static_cast<int>(x), 0, grid.width - 1);
  const int own_row = std::clamp(static_cast<int>(y), 0, grid.height - 1);
  if (std::isnan(grid.at(own_col, own_row))) return kNoData;
  const double u = x - 0.5, v = y - 0.5;
  const int col = static_cast<int>(std::floor(u)), row = static_cast<int>(std::floor(v));
  double sum = 0, weights = 0;
  for (int k = 0; k < 4; ++k) {
    const int c = col + k % 2, r = row + k / 2;
    const double weight = (k % 2 ? u - col : 1 - (u - col)) * (k / 2 ? v - row : 1 - (v - row));
    if (weight < kRounding || !grid.contains(c, r) || std::isnan(grid.at(c, r))) continue;
    sum += weight * grid.at(c, r);
    weights += weight;
  }
  return weights > 0 ? static_cast<float>(sum / weights) : grid.at(own_col, own_row);
}

}  // namespace geo
