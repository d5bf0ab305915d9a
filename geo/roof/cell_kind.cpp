#include "geo/roof/cell_kind.hpp"

#include <cmath>

namespace geo {
namespace {

// What counts as a wall in a line of cells. Shares are of the wall's height.
constexpr double kWall_m = 1.5;     // at least so high
constexpr double kEvenSide = 0.25;  // its sides rise less from one cell to the next
constexpr double kBetween = 0.15;   // a cell nearer to a side counts as that side's
constexpr int kFewestWalls = 20;    // fewer say nothing of the raster
constexpr double kMeans = 0.64;     // the share of mixed walls from which cells are means
constexpr double kSingle = 0.4;     // and below which they are single returns
constexpr int kEnoughWalls = 100;   // to tell these from interpolated cells

struct WallCount {
  int sharp = 0, mixed = 0;
  int walls() const { return sharp + mixed; }
};

/// The walls of one line of cells; `height(i)` for i in [0, n).
template <class Height>
void count_walls(Height height, int n, WallCount& count) {
  const auto is_wall = [&](int from, int to) {
    const double jump_m = std::abs(height(to) - height(from));
    return jump_m > kWall_m && std::abs(height(from) - height(from - 1)) < kEvenSide * jump_m &&
           std::abs(height(to + 1) - height(to)) < kEvenSide * jump_m;
  };
  for (int i = 1; i + 2 < n; ++i) {
    if (is_wall(i, i + 1)) ++count.sharp;
    if (i + 3 >= n || !is_wall(i, i + 2)) continue;
    const double part = (height(i + 1) - height(i)) / (height(i + 2) - height(i));
    if (part > kBetween && part < 1 - kBetween) ++count.mixed;
  }
}

/// In lines from west to east and from north to south.
WallCount walls_of(const Grid<float>& heights) {
  WallCount count;
  for (int row = 0; row < heights.height; ++row)
    count_walls([&](int col) { return double{heights.at(col, row)}; }, heights.width, count);
  for (int col = 0; col < heights.width; ++col)
    count_walls([&](int row) { return double{heights.at(col, row)}; }, heights.height, count);
  return count;
}

double mixed_share(const WallCount& count) {
  return count.walls() < kFewestWalls ? 0 : static_cast<double>(count.mixed) / count.walls();
}

}  // namespace

double mixed_wall_share(const Grid<float>& heights) { return mixed_share(walls_of(heights)); }

CellKind cell_kind(const Grid<float>& heights) {
  const WallCount count = walls_of(heights);
  const double mixed = mixed_share(count);
  if (mixed > kMeans) return CellKind::mean;
  return count.walls() >= kEnoughWalls && mixed < kSingle ? CellKind::single_return : CellKind::unknown;
}

}  // namespace geo
