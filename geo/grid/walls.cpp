#include "geo/grid/walls.hpp"

#include <algorithm>
#include <array>

namespace geo {
namespace {

constexpr double kWall_m = 1.5;     // at least so high
constexpr double kEvenSide = 0.25;  // of the jump: a side rises less from one cell to the next
// Of two cells that a wall mixes, the step between them is the largest, by this factor. A narrow roof between
// two walls has its steps at its edges.
constexpr double kSteepestWithin = 1.2;

/// Whether a wall leads over the `mixed` cells after the line's first.
bool mixes(const CellLine& line, int mixed) {
  const int end = mixed + 1;
  const double least = mixed == 1 ? CellLine::kBetween : 0;  // of two cells one may be nearly at its side
  if (!line.contains(-1) || !line.contains(end + 1) || !line.has_wall(0, end)) return false;
  for (int i = 1; i < end; ++i)
    if (const double share = line.share(i, 0, end); !(share > least && share < 1 - least)) return false;
  for (int i = 1; i < mixed; ++i) {
    const double within = line.share(i + 1, 0, end) - line.share(i, 0, end);
    if (within < kSteepestWithin * std::max(line.share(1, 0, end), 1 - line.share(mixed, 0, end)))
      return false;
  }
  return true;
}

}  // namespace

bool CellLine::has_wall(int from, int to) const {
  const double jump_m = std::abs(height(to) - height(from));
  return jump_m > kWall_m && std::abs(height(from) - height(from - 1)) < kEvenSide * jump_m &&
         std::abs(height(to + 1) - height(to)) < kEvenSide * jump_m;
}

Grid<std::uint8_t> wall_cells(const Grid<float>& heights, int mixed_cells) {
  constexpr std::array<std::array<int, 2>, 4> kAxes{{{1, 0}, {1, 1}, {0, 1}, {-1, 1}}};
  Grid<std::uint8_t> found = heights.like(std::uint8_t{0});
  for (int mixed = 1; mixed <= mixed_cells; ++mixed)
    for (int row = 0; row < heights.height; ++row)
      for (int col = 0; col < heights.width; ++col)
        for (const auto& [east, south] : kAxes)
          if (mixes({heights, col, row, east, south}, mixed))
            for (int i = 1; i <= mixed; ++i) found.at(col + i * east, row + i * south) = 1;
  return found;
}

}  // namespace geo
