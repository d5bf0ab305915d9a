#include "geo/grid/repeats.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace geo {
namespace {

constexpr int kMostRepeats = 8;
constexpr int kSampled = 16;         // every so many lines are looked at
constexpr float kSame_m = 1e-4f;     // averaging equal values may change their last digit
constexpr int kFewestChanges = 200;  // fewer, as on water, tell nothing
constexpr double kAlmostAll = 0.98;  // of the changes lie between squares

/// How often the height changes from each column (or row) to the next, over a sample of rows (or columns).
template <class Height>
std::vector<int> changes_along(int length, int lines, Height height) {
  std::vector<int> changes(static_cast<std::size_t>(std::max(0, length)), 0);
  for (int line = 0; line < lines; line += kSampled)
    for (int i = 1; i < length; ++i)
      if (std::abs(height(i, line) - height(i - 1, line)) > kSame_m) ++changes[static_cast<std::size_t>(i)];
  return changes;
}

/// The first line of a square, below `repeats`, when heights change between squares only.
std::optional<int> first_of_square(const std::vector<int>& changes, int repeats) {
  const int all = std::accumulate(changes.begin(), changes.end(), 0);
  if (all < kFewestChanges) return {};
  for (int first = 0; first < repeats; ++first) {
    int between = 0;
    for (auto i = static_cast<std::size_t>(first); i < changes.size(); i += static_cast<std::size_t>(repeats))
      between += changes[i];
    if (between >= kAlmostAll * all) return first;
  }
  return {};
}

/// One cell a square. Squares that the grid's edge cuts have a cell, too.
Grid<float> one_of_each(const Grid<float>& fine, int repeats, int first_col, int first_row) {
  const int before_cols = (repeats - first_col) % repeats, before_rows = (repeats - first_row) % repeats;
  Grid<float> out((before_cols + fine.width + repeats - 1) / repeats,
                  (before_rows + fine.height + repeats - 1) / repeats, fine.west - before_cols * fine.cell_m,
                  fine.north + before_rows * fine.cell_m, fine.cell_m * repeats, kNoData);
  for (int row = 0; row < out.height; ++row)
    for (int col = 0; col < out.width; ++col)
      out.at(col, row) = fine.at(std::clamp(col * repeats - before_cols + repeats / 2, 0, fine.width - 1),
                                 std::clamp(row * repeats - before_rows + repeats / 2, 0, fine.height - 1));
  return out;
}

}  // namespace

Grid<float> without_repeats(Grid<float> heights) {
  const auto by_col =
      changes_along(heights.width, heights.height, [&](int col, int row) { return heights.at(col, row); });
  const auto by_row =
      changes_along(heights.height, heights.width, [&](int row, int col) { return heights.at(col, row); });
  for (int repeats = kMostRepeats; repeats > 1; --repeats) {
    const auto first_col = first_of_square(by_col, repeats), first_row = first_of_square(by_row, repeats);
    if (first_col && first_row) return one_of_each(heights, repeats, *first_col, *first_row);
  }
  return heights;
}

}  // namespace geo
