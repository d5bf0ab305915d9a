#include "geo/roof/mansards.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geo/roof/lower_slope.hpp"
#include "geo/roof/regularisation.hpp"

namespace geo {
namespace {

constexpr std::size_t kFewestAbove = 12;      // cells of a slope that may have a lower one
constexpr std::size_t kFewestLowerCells = 4;  // of a lower one
constexpr double kSlopingUpper = 0.15;        // the upper slope has a direction

/// Empties the segments that stood for a lower slope; their cells go to the upper slope where they lie on it.
void give_back(RoofSegmentation& roof, const LowerSlope& lower, int upper) {
  for (int s : lower.found_before())
    for (int i : roof.segments[s].cells) roof.segment_of[i] = lower.upper_explains(i) ? upper : -1;
}

void fit_below(const RoofSite& site, RoofSegmentation& roof, int upper, const RunControl& control) {
  const LowerSlope lower(site, roof, upper);
  if (!lower.ends_over_ground()) return;
  const LowerSlope::Profile alone = lower.alone();
  if (lower.found_before().empty() && lower.most_gained(alone) <= kPerPlane) return;
  const LowerSlope::Found found = lower.with_lower(alone, control);
  const std::vector<int> cells = found.gain > kPerPlane ? lower.cells_of(found.profile) : std::vector<int>{};
  const bool is_mansard = cells.size() >= kFewestLowerCells;
  if (!is_mansard && lower.found_before().empty()) return;
  const Plane plane = lower.lower_plane(found.profile);
  give_back(roof, lower, upper);
  if (is_mansard) add_searched(roof, plane, cells, found.slope_error);
  gather_cells(roof);
}

bool may_have_lower(const RoofSegment& s) {
  return s.cells.size() >= kFewestAbove && s.fit.plane.slope() > kSlopingUpper;
}

}  // namespace

void fit_mansards(const RoofSite& site, RoofSegmentation& roof, const RunControl& control) {
  std::vector<int> largest_first(roof.segments.size());
  std::iota(largest_first.begin(), largest_first.end(), 0);
  std::stable_sort(largest_first.begin(), largest_first.end(), [&](int a, int b) {
    return roof.segments[a].cells.size() > roof.segments[b].cells.size();
  });
  for (int s : largest_first) {
    control.checkpoint();
    if (may_have_lower(roof.segments[s])) fit_below(site, roof, s, control);
  }
  remove_segments_if(roof, [&](int s) { return roof.segments[s].cells.empty(); });
}

}  // namespace geo
