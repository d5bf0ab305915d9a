// Planar segments of a surface model: grown from the smoothest windows over the cells that continue their
// plane (Vosselman and Dijkman 2001, "3D building model reconstruction from point clouds and ground plans").
// What is planar may be a roof; crowns of trees are not. Metres.
#pragma once
#include <cstdint>
#include <vector>

#include "geo/grid/grid.hpp"
#include "geo/property/window_fit.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// A cell holds one return from an unknown place within it, so on a steep roof heights scatter by a share of
/// the rise across a cell. Each tolerance is `flat_m` plus `of_rise` times that rise.
struct Tolerance {
  double flat_m, of_rise;
  double at(double rise_m) const { return flat_m + of_rise * rise_m; }
};

struct PlanarSegmentOptions {
  std::vector<SegmentWindow> windows;  ///< sizes in cells; segments begin in such windows
  Tolerance seed_roughness;            ///< rms of a window about its plane
  Tolerance off_plane;                 ///< a cell this near to the plane joins the segment
  Tolerance segment_roughness;         ///< rms of a whole segment
  double smallest_m2;                  ///< of a level segment; times (1 + gradient) on a slope
  double steepest;                     ///< gradient
  Tolerance roof_scatter;              ///< standard deviation of a roof's cells about their plane
  double smallest_side_m2 = 1e300;     ///< of one side of a gable, when both sides together are large enough
  std::vector<SegmentWindow> windows_of_sides{};  ///< in which only such sides begin, besides `windows`
};

struct PlanarSegments {
  Mask cells;  ///< 1 on the cells of segments
  /// Of a roof against a crown (crown_odds.hpp): each cell has an equal share of its segment's. 0 beside
  /// them.
  Grid<float> log_odds;
};

/// Only cells that are 1 in `among` are looked at.
PlanarSegments planar_segments(const Grid<float>& dsm, const Mask& among, const PlanarSegmentOptions& options,
                               const RunControl& control);

}  // namespace geo
