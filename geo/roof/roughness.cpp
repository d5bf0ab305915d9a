#include "geo/roof/roughness.hpp"

#include <algorithm>
#include <cmath>

#include "geo/grid/cell_block.hpp"
#include "geo/property/crown_odds.hpp"
#include "geo/roof/leaves.hpp"
#include "geo/roof/roof_line.hpp"

namespace geo {
namespace {

constexpr double kMostlyRoofAround = 0.8;
constexpr double kPerLeaf = 1;              // of log-odds: neighbouring cells are correlated
constexpr double kOddsOfRoof = 100;         // to one, that a segment is a roof
constexpr double kPlaces = 100;             // places in a crown where a few cells may be even by chance
constexpr std::size_t kLargestChance = 30;  // cells; larger planes are no accident

/// Whether a cell within the outline lies on no plane, and no wall explains it.
bool is_stray(const RoofSegmentation& roof, std::size_t cell) {
  return roof.segment_of[cell] < 0 && roof.cells.inside[cell] && !roof.cells.at_wall[cell];
}

/// Share of the cells within the outline that lie on planes: nearly all on a roof, half of them on crowns.
double share_on_planes(const RoofSegmentation& roof) {
  int strays = 0, on_planes = 0;
  for (std::size_t i = 0; i < roof.segment_of.size(); ++i) {
    strays += is_stray(roof, i);
    on_planes += roof.cells.inside[i] && roof.segment_of[i] >= 0;
  }
  return on_planes > 0 ? static_cast<double>(on_planes) / (on_planes + strays) : 0;
}

/// A small segment amid cells of no plane is a branch that happens to be even. Where the rest is mostly roof
/// only cells above the segment count: below it lie the mixed cells along the eaves of any small roof.
bool among_strays(const RoofSegmentation& roof, int segment, bool mostly_roof) {
  const std::vector<int>& own = roof.segments[segment].cells;
  if (own.size() > kLargestChance) return false;
  const Plane& plane = roof.segments[segment].fit.plane;
  std::vector<int> strays;
  for (int i : own)
    for (int n : roof.cells.around[i])
      if (is_stray(roof, n) && (!mostly_roof || residual(roof.cells.points[n], plane) > 0))
        strays.push_back(n);
  std::sort(strays.begin(), strays.end());
  strays.erase(std::unique(strays.begin(), strays.end()), strays.end());
  return 10 * strays.size() > 6 * own.size();
}

/// A roof's cells lie side by side, a crown's are scattered. A patch is four cells around a corner that all
/// lie on this plane. Where the rest is mostly roof, three of them are enough if the fourth lies on another
/// plane: a slope of two rows of cells, askew to the grid, has no more.
bool has_patch(const RoofSegmentation& roof, int segment, bool from_footprints, bool mostly_roof) {
  const Grid<int>& index = roof.cells.index;
  const std::size_t cells = roof.segments[segment].cells.size();
  std::size_t whole = 0, patches = 0;
  for (const auto [col, row] : all_cells(index)) {
    int own = 0, other = 0;
    for (const auto [c, r] : clipped({col, col + 1, row, row + 1}, index)) {
      const int s = roof.segment_at(c, r);
      own += s == segment;
      other += s >= 0 && s != segment;
    }
    whole += own == 4;
    patches += own >= 3 && own + other == 4;
  }
  if (from_footprints) return whole >= 1;
  // Without a footprint any bush is looked at.
  const std::size_t counted = mostly_roof ? patches : whole;
  return counted >= 2 && 5 * counted >= cells;
}

/// A few steep cells are the side of a hedge or of a wall: roofs as steep have more.
bool is_side(const RoofSegment& segment) {
  constexpr double kSteep = 1.88;  // 62 degrees
  constexpr std::size_t kFewCells = 20;
  return segment.cells.size() < kFewCells && segment.fit.plane.slope() > kSteep;
}

/// A few steep cells in a strip that one wall could mix. Where cells are means they are nearly always a
/// wall's. walls.hpp knows a wall only by two even sides, which a narrow roof beside it does not have.
bool is_strip_at_wall(const RoofSegmentation& roof, const RoofSegment& segment) {
  constexpr double kSteep = 1.19;  // 50 degrees
  constexpr std::size_t kFewCells = 15;
  constexpr double kWidest_cells = 1.8;  // between the centres of the lowest and the highest cell
  const Plane& plane = segment.fit.plane;
  if (segment.cells.size() > kFewCells || plane.slope() < kSteep) return false;
  const Box box = box_along({{}, direction_of_gradient(plane)}, points_of(roof.cells, segment.cells));
  return box.max_x - box.min_x < kWidest_cells * roof.cells.index.cell_m;
}

/// The leaves around a segment that lie below its plane, each once.
int leaves_below(const RoofSegmentation& roof, int segment, const Grid<char>& leaves,
                 const Grid<float>& height) {
  const Plane& plane = roof.segments[segment].fit.plane;
  const double noise_m = 3 * roof.noise.sigma_m(plane);
  int below = 0;
  for (const auto [col, row] : all_cells(leaves)) {
    if (!leaves.at(col, row) || height.at(col, row) > plane.height_at(height.centre(col, row)) + noise_m)
      continue;
    bool beside = false;
    for (const auto [c, r] : cells_around(leaves, {col, row}))
      beside = beside || roof.segment_at(c, r) == segment;
    below += beside;
  }
  return below;
}

/// Where a crown looks even it is its upper skin: other leaves, seen through its gaps, lie below. Below a
/// roof nothing is seen, and what covers a roof lies above it. So each leaf below cancels what one cell on
/// the plane says for a roof.
double log_odds_of_roof(const RoofSegmentation& roof, int segment, int below) {
  constexpr double kCrownScatter = 4;
  const RoofSegment& s = roof.segments[segment];
  const double evidence = evidence_of_cell(roof.cells.index.cell_m);
  double misfit = 0;
  for (int i : s.cells) misfit += evidence * 2 * roof.cost(i, s.fit.plane);
  return log_odds_against_crown(evidence * static_cast<double>(s.cells.size()) - 3, misfit, kCrownScatter) -
         kPerLeaf * evidence * below;
}

bool may_be_crown(const RoofSegmentation& roof, int segment, const Grid<char>& leaves,
                  const Grid<float>& height) {
  const int below = leaves_below(roof, segment, leaves, height);
  return below > 0 && log_odds_of_roof(roof, segment, below) < std::log(kOddsOfRoof);
}

/// Whether a segment may be even by chance only. One that is not shaped like a roof, or stands amid strays,
/// may still be a roof that a crown partly hides. Its cells must then rule out a crown, including the places
/// that are even by chance in a crown.
bool is_chance(const RoofSite& site, const RoofSegmentation& roof, int segment, bool mostly_roof) {
  if (has_patch(roof, segment, false, mostly_roof) && !among_strays(roof, segment, mostly_roof)) return false;
  // Computed anew for each segment: the cells of segments removed meanwhile count as leaves.
  const int below = leaves_below(roof, segment, leaf_cells(site, roof), site.height);
  return log_odds_of_roof(roof, segment, below) < std::log(kOddsOfRoof * kPlaces);
}

/// True when it removed a segment. Only then do the leaves that the segment held count around the other
/// segments.
bool remove_crowns(const RoofSite& site, RoofSegmentation& roof, const RunControl& control) {
  const Grid<char> leaves = leaf_cells(site, roof);
  return remove_segments_if(roof, [&](int s) {
    control.checkpoint();
    return may_be_crown(roof, s, leaves, site.height);
  });
}

}  // namespace

void remove_rough(const RoofSite& site, RoofSegmentation& roof, const RunControl& control) {
  const bool mostly_roof = share_on_planes(roof) >= kMostlyRoofAround;
  remove_segments_if(roof, [&](int s) {
    control.checkpoint();
    const RoofSegment& segment = roof.segments[s];
    if (!site.from_footprints) return is_side(segment) || is_chance(site, roof, s, mostly_roof);
    // A plane whose slope is known needs no patch: a row of cells tells its height.
    return (!segment.borrowed && !has_patch(roof, s, true, mostly_roof)) ||
           (site.holds_means() && is_strip_at_wall(roof, segment));
  });
  while (!site.from_footprints && remove_crowns(site, roof, control)) {
  }
}

}  // namespace geo
