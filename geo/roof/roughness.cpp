#include "geo/roof/roughness.hpp"

#include <algorithm>

namespace geo {
namespace {

constexpr std::size_t kSmall = 30;  // cells; larger planes are no accident

/// A small segment amid cells of no plane is a branch that happens to be even.
bool among_strays(const RoofSegmentation& roof, int segment) {
  const std::vector<int>& own = roof.segments[static_cast<std::size_t>(segment)].cells;
  if (own.size() > kSmall) return false;
  std::vector<int> strays;
  for (int i : own)
    for (const auto* neighbours :
         {&roof.cells.near[static_cast<std::size_t>(i)], &roof.cells.diagonal[static_cast<std::size_t>(i)]})
      for (int n : *neighbours)
        if (roof.segment_of[static_cast<std::size_t>(n)] < 0 &&
            roof.cells.inside[static_cast<std::size_t>(n)])
          strays.push_back(n);
  std::sort(strays.begin(), strays.end());
  strays.erase(std::unique(strays.begin(), strays.end()), strays.end());
  return 10 * strays.size() > 6 * own.size();
}

bool has_patch(const RoofSegmentation& roof, int segment, bool from_footprints) {
  const Grid<int>& index = roof.cells.index;
  auto own = [&](int col, int row) {
    if (!index.contains(col, row) || index.at(col, row) < 0) return false;
    return roof.segment_of[static_cast<std::size_t>(index.at(col, row))] == segment;
  };
  const std::size_t cells = roof.segments[static_cast<std::size_t>(segment)].cells.size();
  std::size_t patches = 0;
  for (int row = 0; row < index.height; ++row)
    for (int col = 0; col < index.width; ++col)
      patches += own(col, row) && own(col + 1, row) && own(col, row + 1) && own(col + 1, row + 1);
  // Without a footprint any bush is looked at: a roof's cells lie side by side, a crown's are strewn.
  return from_footprints ? patches >= 1 : patches >= 2 && 5 * patches >= cells;
}

}  // namespace

void remove_rough(RoofSegmentation& roof, bool from_footprints) {
  for (int s = static_cast<int>(roof.segments.size()) - 1; s >= 0; --s)
    if (!has_patch(roof, s, from_footprints) || (!from_footprints && among_strays(roof, s)))
      remove_segment(roof, s);
}

}  // namespace geo
