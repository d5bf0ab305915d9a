#include "geo/grid/morphology.hpp"

#include <algorithm>

namespace geo {
namespace {

struct Lowest {
  static constexpr float kBeyond = std::numeric_limits<float>::infinity();  // outside the grid
  static float of(float a, float b) { return b < a ? b : a; }
};
struct Highest {
  static constexpr float kBeyond = -std::numeric_limits<float>::infinity();
  static float of(float a, float b) { return b > a ? b : a; }
};

/// Width and height of a grid, and its values row by row.
struct Rows {
  int width, height;
  std::vector<float> values;
};

/// The lowest or highest of 2 radius + 1 rows, for all columns at once so that the inner loops run along
/// memory. Takes running extremes from both ends of blocks as long as the window; every window is the end of
/// one block and the start of the next.
template <class Extreme>
void take_from_columns(Rows& rows, int radius) {
  const auto w = static_cast<std::size_t>(rows.width);
  const int window = 2 * radius + 1;
  const int padded = rows.height + 2 * radius;
  std::vector<float> forward(w * static_cast<std::size_t>(padded), Extreme::kBeyond);
  std::copy(rows.values.begin(), rows.values.end(),
            forward.begin() + static_cast<std::ptrdiff_t>(w) * radius);
  std::vector<float> backward = forward;
  const auto join_neighbour = [w](std::vector<float>& all, int y, int neighbour) {
    float* row = all.data() + w * static_cast<std::size_t>(y);
    const float* other = all.data() + w * static_cast<std::size_t>(neighbour);
    for (std::size_t x = 0; x < w; ++x) row[x] = Extreme::of(row[x], other[x]);
  };
  for (int y = 1; y < padded; ++y)
    if (y % window != 0) join_neighbour(forward, y, y - 1);
  for (int y = padded - 2; y >= 0; --y)
    if ((y + 1) % window != 0) join_neighbour(backward, y, y + 1);
  const float* ahead = forward.data() + w * static_cast<std::size_t>(2 * radius);
  for (std::size_t i = 0; i < rows.values.size(); ++i) rows.values[i] = Extreme::of(backward[i], ahead[i]);
}

void transpose(Rows& rows) {
  constexpr int kTile = 16;  // both sides of a tile stay in the cache
  std::vector<float> out(rows.values.size());
  const auto w = static_cast<std::size_t>(rows.width), h = static_cast<std::size_t>(rows.height);
  for (int y0 = 0; y0 < rows.height; y0 += kTile)
    for (int x0 = 0; x0 < rows.width; x0 += kTile)
      for (int y = y0; y < std::min(y0 + kTile, rows.height); ++y)
        for (int x = x0; x < std::min(x0 + kTile, rows.width); ++x)
          out[static_cast<std::size_t>(x) * h + static_cast<std::size_t>(y)] =
              rows.values[static_cast<std::size_t>(y) * w + static_cast<std::size_t>(x)];
  rows = {rows.height, rows.width, std::move(out)};
}

/// The extremes of square windows, one after the other: a square's are those of its columns' rows.
template <class... Extremes>
Grid<float> extremes(const Grid<float>& grid, int radius) {
  Grid<float> out = grid;
  if (radius <= 0 || grid.values.empty()) return out;
  Rows rows{grid.width, grid.height, std::move(out.values)};
  bool upright = true;
  const auto take = [&]<class Extreme>(Extreme) {
    take_from_columns<Extreme>(rows, radius);
    transpose(rows);
    take_from_columns<Extreme>(rows, radius);
    upright = !upright;
  };
  (take(Extremes{}), ...);
  if (!upright) transpose(rows);
  out.values = std::move(rows.values);
  return out;
}

}  // namespace

Grid<float> eroded(const Grid<float>& grid, int radius) { return extremes<Lowest>(grid, radius); }
Grid<float> dilated(const Grid<float>& grid, int radius) { return extremes<Highest>(grid, radius); }
Grid<float> opened(const Grid<float>& grid, int radius) { return extremes<Lowest, Highest>(grid, radius); }

}  // namespace geo
