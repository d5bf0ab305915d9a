// One building's share of the elevation model, in coordinates of its own: the window of cells around it,
// which of them may carry its roof, and the footprints of its neighbours. Local metres: map metres less
// `offset`, so that squares of coordinates stay small.
#pragma once
#include <cstdint>
#include <vector>

#include "geo/grid/cell_kind.hpp"
#include "geo/roof/detection.hpp"

namespace geo {

enum class RoofZone : std::uint8_t {
  outside,  ///< not this building's: ground, a neighbour, no data
  fringe,   ///< outside the footprint but near it: an overhanging eave, or nothing
  inside,   ///< within the footprint
};

/// How far a roof may reach over its footprint.
inline constexpr double kMostOverhang_m = 1.0;

struct RoofSite {
  int building = 0;
  bool from_footprints = true;         ///< or the outline is a rectangle that is as good
  bool rectangle = false;              ///< the outline is such a rectangle
  CellKind cells = CellKind::unknown;  ///< as the options say
  double highest_of_m2 = 0;            ///< RoofDetectionOptions::highest_of_m2
  Point offset;
  Polygon footprint;                ///< local metres
  std::vector<Polygon> neighbours;  ///< local metres; nothing of this roof lies on them
  Grid<float> height;               ///< surface, local frame, NaN where there is no data
  Grid<float> ground;               ///< terrain, local frame
  Grid<RoofZone> zone;              ///< high cells only; lower ones are outside

  /// Whether a cell's height is a mean of what it covers.
  bool holds_means() const { return cells == CellKind::mean || cells == CellKind::resampled; }
};

/// Whether a neighbour's footprint holds the point (local metres) or lies nearer to it than `reach_m`.
bool is_near_neighbour(const RoofSite& site, Point p, double reach_m);
inline bool is_on_neighbour(const RoofSite& site, Point p) { return is_near_neighbour(site, p, 0); }

/// An empty window (width 0) when the building does not touch the model.
RoofSite make_roof_site(const Grid<float>& dsm, const Grid<float>& terrain,
                        const std::vector<Building>& buildings, int building,
                        const RoofDetectionOptions& options, const RunControl& control);

}  // namespace geo
