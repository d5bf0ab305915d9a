#include "geo/roof/map.hpp"

#include <algorithm>
#include <cmath>

#include "geo/grid/cell_block.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

/// Grows the map by one ring of cells: each unset cell takes the neighbouring segment nearest to its height.
/// `only_inside`: not beyond the footprint.
bool spread(const RoofSite& site, const RoofSegmentation& segmentation, bool only_inside, Grid<int>& map) {
  const Grid<int> before = map;
  bool changed = false;
  for (const auto [col, row] : all_cells(map)) {
    if (before.at(col, row) >= 0 || (only_inside && site.zone.at(col, row) != RoofZone::inside)) continue;
    double best = 1e300;
    for (const auto& [dc, dr] : kBeside) {
      if (!before.contains(col + dc, row + dr)) continue;
      const int s = before.at(col + dc, row + dr);
      if (s < 0) continue;
      const Plane& plane = segmentation.segments[s].fit.plane;
      const double z = site.height.at(col, row);
      const double misfit = std::isnan(z) ? 1e6 : std::abs(z - plane.height_at(map.centre(col, row)));
      if (misfit < best) {
        best = misfit;
        map.at(col, row) = s;
        changed = true;
      }
    }
  }
  return changed;
}

/// Gives filled cells near a hip to the hip, where it lies below the half of the gable that a cell was given
/// to: the roof is the lower of the two.
void let_hips_cut(const RoofSegmentation& segmentation, const Grid<int>& segmented, Grid<int>& map) {
  constexpr double kReach_m = 2.5;  // from the hip's own cells
  for (std::size_t h = 0; h < segmentation.segments.size(); ++h) {
    const RoofSegment& hip = segmentation.segments[h];
    if (!hip.hip) continue;
    const Point fall = hip.fit.plane.gradient();
    for (const auto [col, row] : all_cells(map)) {
      const int s = map.at(col, row);
      if (s < 0 || s == static_cast<int>(h) || segmented.at(col, row) >= 0) continue;
      const Plane& half = segmentation.segments[s].fit.plane;
      const Point own = half.gradient(), at = map.centre(col, row);
      const bool square = std::abs(dot(fall, own)) < 0.3 * length(fall) * length(own);
      if (square && hip.fit.plane.height_at(at) <= half.height_at(at) &&
          has_cell_within(segmentation, hip, at, kReach_m))
        map.at(col, row) = static_cast<int>(h);
    }
  }
}

}  // namespace

RoofMap make_roof_map(const RoofSite& site, const RoofSegmentation& segmentation) {
  RoofMap map;
  map.segment = site.height.like<int>(-1);
  for (const auto [col, row] : all_cells(map.segment))
    map.segment.at(col, row) = segmentation.segment_at(col, row);
  map.filled = map.segment;
  const int gap_cells = site.from_footprints ? 4 : 1;  // without a footprint nothing says that a gap is roof
  for (int round = 0; round < gap_cells; ++round)
    if (!spread(site, segmentation, true, map.filled)) break;
  let_hips_cut(segmentation, map.segment, map.filled);
  map.nearest = map.filled;
  for (int round = 0; round < 3; ++round) spread(site, segmentation, false, map.nearest);
  let_hips_cut(segmentation, map.segment, map.nearest);
  return map;
}

}  // namespace geo
