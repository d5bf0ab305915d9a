#include "geo/roof/roughness.hpp"

#include <algorithm>

namespace geo {
namespace {

constexpr std::size_t kSmall = 30;  // cells; larger planes are no accident

/// A small segment amid cells of no plane is a branch that happens to be even. Only what rises above it tells:
/// below it lie the mixed cells along the eaves of any small roof.
bool among_strays(const RoofSegmentation& roof, int segment) {
  const std::vector<int>& own = roof.segments[static_cast<std::size_t>(segment)].cells;
  if (own.size() > kSmall) return false;
  const Plane& plane = roof.segments[static_cast<std::size_t>(segment)].fit.plane;
  std::vector<int> strays;
  for (int i : own)
    for (const auto* neighbours :
         {&roof.cells.near[static_cast<std::size_t>(i)], &roof.cells.diagonal[static_cast<std::size_t>(i)]})
      for (int n : *neighbours)
        if (roof.segment_of[static_cast<std::size_t>(n)] < 0 &&
            roof.cells.inside[static_cast<std::size_t>(n)] &&
            residual(roof.cells.points[static_cast<std::size_t>(n)], plane) > 0)
          strays.push_back(n);
  std::sort(strays.begin(), strays.end());
  strays.erase(std::unique(strays.begin(), strays.end()), strays.end());
  return 10 * strays.size() > 6 * own.size();
}

/// A roof's cells lie side by side, a crown's are strewn. A patch is four cells around a corner that all lie on
/// planes, three of them on this one: a slope of two rows of cells, askew to the grid, has no more than that.
bool has_patch(const RoofSegmentation& roof, int segment, bool from_footprints) {
  const Grid<int>& index = roof.cells.index;
  auto segment_at = [&](int col, int row) {
    const int cell = index.contains(col, row) ? index.at(col, row) : -1;
    return cell < 0 ? -1 : roof.segment_of[static_cast<std::size_t>(cell)];
  };
  const std::size_t cells = roof.segments[static_cast<std::size_t>(segment)].cells.size();
  std::size_t whole = 0, patches = 0;
  for (int row = 0; row < index.height; ++row)
    for (int col = 0; col < index.width; ++col) {
      int own = 0, other = 0;
      for (const auto& [c, r] : {std::pair{col, row}, {col + 1, row}, {col, row + 1}, {col + 1, row + 1}}) {
        const int s = segment_at(c, r);
        own += s == segment;
        other += s >= 0 && s != segment;
      }
      whole += own == 4;
      patches += own >= 3 && own + other == 4;
    }
  // Without a footprint any bush is looked at.
  return from_footprints ? whole >= 1 : patches >= 2 && 5 * patches >= cells;
}

}  // namespace

void remove_rough(RoofSegmentation& roof, bool from_footprints) {
  for (int s = static_cast<int>(roof.segments.size()) - 1; s >= 0; --s)
    if (!has_patch(roof, s, from_footprints) || (!from_footprints && among_strays(roof, s)))
      remove_segment(roof, s);
}

}  // namespace geo
