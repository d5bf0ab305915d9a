#include "geo/property/terrain.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "geo/grid/cell_block.hpp"
#include "geo/grid/hole_filling.hpp"
#include "geo/grid/morphology.hpp"
#include "geo/property/window_fit.hpp"

namespace geo {
namespace {

constexpr double kTrendBlock_m = 20;
constexpr int kTrendOpening = 2;  // blocks: buildings up to 80 m across do not change the trend
constexpr std::array<double, 11> kRadii_m{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};
constexpr double kSlope = 0.2;        // of the relief about the trend
constexpr double kSmallStep_m = 0.3;  // height of grass and noise
constexpr double kLargestStep_m = 2.5;

/// A low height of a block: the second percentile, so that a lone outlier does not count.
float low_height(std::vector<float>& heights) {
  if (heights.empty()) return kNoData;
  const auto nth = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 50);
  std::nth_element(heights.begin(), nth, heights.end());
  return *nth;
}

Grid<float> low_blocks(const Grid<float>& dsm) {
  const int step = std::max(1, static_cast<int>(std::lround(kTrendBlock_m / dsm.cell_m)));
  Grid<float> blocks((dsm.width + step - 1) / step, (dsm.height + step - 1) / step, dsm.west, dsm.north,
                     dsm.cell_m * step, kNoData);
  std::vector<float> heights;
  for (const auto [col, row] : all_cells(blocks)) {
    heights.clear();
    const CellBlock block{col * step, (col + 1) * step - 1, row * step, (row + 1) * step - 1};
    for (const auto [c, r] : clipped(block, dsm))
      if (!std::isnan(dsm.at(c, r))) heights.push_back(dsm.at(c, r));
    blocks.at(col, row) = low_height(heights);
  }
  return blocks;
}

/// Bilinear between cell centres, continued linearly beyond the outermost ones. NaN where a cell it needs has
/// no data.
float interpolated(const Grid<float>& grid, Point p) {
  const double u = (p.x - grid.west) / grid.cell_m - 0.5;
  const double v = (grid.north - p.y) / grid.cell_m - 0.5;
  const int c = std::clamp(static_cast<int>(std::floor(u)), 0, std::max(0, grid.width - 2));
  const int r = std::clamp(static_cast<int>(std::floor(v)), 0, std::max(0, grid.height - 2));
  double z = 0;
  for (int k = 0; k < 4; ++k) {
    const double weight = (k % 2 ? u - c : 1 - (u - c)) * (k / 2 ? v - r : 1 - (v - r));
    if (std::abs(weight) < 1e-9) continue;  // so that aligned grids lose no cell beside a hole
    z += weight * grid.at(std::min(c + k % 2, grid.width - 1), std::min(r + k / 2, grid.height - 1));
  }
  return static_cast<float>(z);
}

Grid<float> resampled(const Grid<float>& source, const Grid<float>& frame, const RunControl& control) {
  Grid<float> out = frame.like(kNoData);
  for (const auto [col, row] : all_cells(out)) {
    control.checkpoint();
    out.at(col, row) = interpolated(source, out.centre(col, row));
  }
  return out;
}

Grid<float> difference(const Grid<float>& a, const Grid<float>& b) {
  return combined(a, b, std::minus<float>());
}
Grid<float> sum(const Grid<float>& a, const Grid<float>& b) { return combined(a, b, std::plus<float>()); }

/// The slope of the plane nearest to all cells (least squares). It is subtracted before the opening: at the
/// uphill border an opening finds no higher cells and would cut the slope off.
Grid<float> mean_slope(const Grid<float>& grid) {
  const WindowFit plane = fit_window(grid, 0, 0, {grid.width, grid.height});
  Grid<float> out = grid;
  for (const auto [col, row] : all_cells(grid))
    out.at(col, row) = static_cast<float>(plane.per_col_m * col + plane.per_row_m * row);
  return out;
}

/// The terrain's large form: slopes and hills wider than any building.
Grid<float> coarse_trend(const Grid<float>& dsm, const RunControl& control) {
  const Grid<float> blocks = fill_holes(low_blocks(dsm), control);
  const Grid<float> slope = mean_slope(blocks);
  return resampled(sum(opened(difference(blocks, slope), kTrendOpening), slope), dsm, control);
}

/// 1 where growing windows cut off something too steep to be ground (Zhang et al. 2003), and 1 m around it:
/// the cells next to a wall mix wall and ground.
Grid<float> objects_in(const Grid<float>& relief, const RunControl& control) {
  Grid<float> objects = relief.like(0.0f);
  Grid<float> before = relief;
  double radius_before_m = 0;
  for (const double radius_m : kRadii_m) {
    control.checkpoint();
    const int radius = static_cast<int>(std::lround(radius_m / relief.cell_m));
    if (radius < 1) continue;
    const double step_m = std::min(kSmallStep_m + kSlope * (radius_m - radius_before_m), kLargestStep_m);
    Grid<float> after = opened(before, radius);
    for (std::size_t i = 0; i < objects.values.size(); ++i)
      if (before.values[i] - after.values[i] > step_m) objects.values[i] = 1;
    before = std::move(after);
    radius_before_m = radius_m;
  }
  return dilated(objects, std::max(1, static_cast<int>(std::lround(1 / relief.cell_m))));
}

/// The cells whose centres lie in another grid; the others have no data.
Grid<float> within(const Grid<float>& other, Grid<float> cells) {
  for (const auto [col, row] : all_cells(cells)) {
    const Point p = cells.centre(col, row);
    if (!other.contains(other.col_of(p.x), other.row_of(p.y))) cells.at(col, row) = kNoData;
  }
  return cells;
}

}  // namespace

Grid<float> derive_terrain(const Grid<float>& dsm, const RunControl& control) {
  Grid<float> surface = fill_holes(dsm, control);
  if (surface.values.empty() || std::isnan(surface.values.front())) return surface;
  const Grid<float> trend = coarse_trend(dsm, control);
  Grid<float> relief = difference(surface, trend);
  const Grid<float> objects = objects_in(relief, control);
  for (std::size_t i = 0; i < relief.values.size(); ++i)
    if (objects.values[i] > 0 || std::isnan(dsm.values[i])) relief.values[i] = kNoData;
  relief = fill_holes(relief, control);
  return std::isnan(relief.values.front()) ? trend : sum(relief, trend);
}

Grid<float> terrain_on(const Grid<float>& dsm, const Grid<float>& dtm, const RunControl& control) {
  if (dtm.values.empty()) return derive_terrain(dsm, control);
  Grid<float> known = within(dtm, resampled(dtm, dsm, control));
  const bool whole =
      std::none_of(known.values.begin(), known.values.end(), [](float z) { return std::isnan(z); });
  if (whole) return known;
  const Grid<float> derived = derive_terrain(dsm, control);
  const Grid<float> offset = fill_holes(difference(known, derived), control);
  return offset.values.empty() || std::isnan(offset.values.front()) ? derived : sum(derived, offset);
}

}  // namespace geo
