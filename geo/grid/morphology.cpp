#include "geo/grid/morphology.hpp"

#include <algorithm>

namespace geo {
namespace {

/// Minimum over 2 radius + 1 rows, for all columns at once so that the inner loops run along memory. Takes
/// running minima from both ends of blocks as long as the window; every window is the end of one block and
/// the start of the next.
std::vector<float> column_minima(const std::vector<float>& in, int width, int height, int radius) {
  const auto w = static_cast<std::size_t>(width);
  const int window = 2 * radius + 1;
  const int padded = height + 2 * radius;
  constexpr float kBeyond = std::numeric_limits<float>::infinity();
  std::vector<float> forward(w * static_cast<std::size_t>(padded), kBeyond);
  for (int y = 0; y < height; ++y)
    std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(w) * y, w,
                forward.begin() + static_cast<std::ptrdiff_t>(w) * (y + radius));
  std::vector<float> backward = forward;
  auto lower_to_neighbour = [w](std::vector<float>& rows, int y, int neighbour) {
    float* row = rows.data() + w * static_cast<std::size_t>(y);
    const float* other = rows.data() + w * static_cast<std::size_t>(neighbour);
    for (std::size_t x = 0; x < w; ++x) row[x] = std::min(row[x], other[x]);
  };
  for (int y = 1; y < padded; ++y)
    if (y % window != 0) lower_to_neighbour(forward, y, y - 1);
  for (int y = padded - 2; y >= 0; --y)
    if ((y + 1) % window != 0) lower_to_neighbour(backward, y, y + 1);
  std::vector<float> out(in.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = std::min(backward[i], forward[i + w * static_cast<std::size_t>(2 * radius)]);
  return out;
}

std::vector<float> transposed(const std::vector<float>& in, int width, int height) {
  constexpr int kTile = 16;  // both sides of a tile stay in the cache
  std::vector<float> out(in.size());
  const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
  for (int y0 = 0; y0 < height; y0 += kTile)
    for (int x0 = 0; x0 < width; x0 += kTile)
      for (int y = y0; y < std::min(y0 + kTile, height); ++y)
        for (int x = x0; x < std::min(x0 + kTile, width); ++x)
          out[static_cast<std::size_t>(x) * h + static_cast<std::size_t>(y)] =
              in[static_cast<std::size_t>(y) * w + static_cast<std::size_t>(x)];
  return out;
}

void negate(std::vector<float>& values) {
  for (float& value : values) value = -value;
}

}  // namespace

Grid<float> eroded(const Grid<float>& grid, int radius) {
  Grid<float> out = grid;
  if (radius <= 0 || grid.values.empty()) return out;
  out.values = column_minima(out.values, grid.width, grid.height, radius);
  out.values = transposed(out.values, grid.width, grid.height);
  out.values = column_minima(out.values, grid.height, grid.width, radius);
  out.values = transposed(out.values, grid.height, grid.width);
  return out;
}

Grid<float> dilated(const Grid<float>& grid, int radius) {
  Grid<float> out = grid;
  negate(out.values);
  out = eroded(out, radius);
  negate(out.values);
  return out;
}

Grid<float> opened(const Grid<float>& grid, int radius) { return dilated(eroded(grid, radius), radius); }

}  // namespace geo
