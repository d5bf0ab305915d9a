#include "geo/roof/walls.hpp"

#include <algorithm>
#include <cmath>

namespace geo {
namespace {

// What counts as a row of cells at a wall.
constexpr double kSteep = 0.3;          // its slope, at least
constexpr double kMostly = 0.8;         // of its cells, at least so many lie between what is beside them
constexpr double kApartInSigmas = 1.0;  // by which these are lower and higher

/// What stands on the sides of a cell besides its segment: planes as they are at the cell, else the cells'
/// own heights.
struct Sides {
  double low_m = 1e300, high_m = -1e300;
};

Sides sides_of(const RoofSite& site, const RoofSegmentation& roof, int cell, int segment) {
  const HeightPoint& p = roof.cells.points[static_cast<std::size_t>(cell)];
  const int col = site.height.col_of(p.x), row = site.height.row_of(p.y);
  Sides sides;
  for (int dr = -1; dr <= 1; ++dr)
    for (int dc = -1; dc <= 1; ++dc) {
      if (!site.height.contains(col + dc, row + dr)) continue;
      const int other = roof.cells.index.at(col + dc, row + dr);
      const int s = other < 0 ? -1 : roof.segment_of[static_cast<std::size_t>(other)];
      if (s == segment) continue;
      const double z = s >= 0 ? roof.segments[static_cast<std::size_t>(s)].fit.plane.height_at({p.x, p.y})
                              : double{site.height.at(col + dc, row + dr)};
      sides.low_m = std::min(sides.low_m, z), sides.high_m = std::max(sides.high_m, z);
    }
  return sides;
}

}  // namespace

std::vector<int> wall_cells(const RoofSite& site, const RoofSegmentation& roof, int segment) {
  const RoofSegment& s = roof.segments[static_cast<std::size_t>(segment)];
  if (std::hypot(s.fit.plane.gx, s.fit.plane.gy) < kSteep) return {};
  const double apart_m = kApartInSigmas * roof.noise.sigma_m({});
  std::vector<int> found;
  for (int cell : s.cells) {
    const double z = roof.cells.points[static_cast<std::size_t>(cell)].z;
    const Sides sides = sides_of(site, roof, cell, segment);
    if (sides.low_m < z - apart_m && sides.high_m > z + apart_m) found.push_back(cell);
  }
  if (static_cast<double>(found.size()) < kMostly * static_cast<double>(s.cells.size())) found.clear();
  return found;
}

}  // namespace geo
