#include "geo/property/building_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "geo/grid/cell_block.hpp"
#include "geo/grid/cell_kind.hpp"
#include "geo/property/building_pieces.hpp"
#include "geo/property/cell_figures.hpp"
#include "geo/property/planar_segments.hpp"
#include "geo/property/slope_noise.hpp"

namespace geo {
namespace {

constexpr float kLowestGarage_m = 1.5;  // on a hillside; only its shape shows that it is a garage
// The tolerances below are for this scatter about slopes; they are scaled by the scatter measured at a place.
constexpr double kToleratedNoise = 0.16, kLeastOfIt = 0.5, kMostOfIt = 2;
Tolerance roof_scatter(double noise) { return {kLevelNoise_m, 0.1 * noise}; }
// A house has room for windows of 3 m by 3 m in its slopes. Crowns have steep sides: steep segments must be
// larger.
PlanarSegmentOptions house_segments(int cells, double noise) {
  return {.windows = {{cells, cells}},
          .seed_roughness = {0.10, 0.1 * noise},
          .off_plane = {0.20, 0.2 * noise},
          .segment_roughness = {0.11, 0.1 * noise},
          .smallest_m2 = 12,
          .steepest = 2.75,
          .roof_scatter = roof_scatter(noise),
          .smallest_side_m2 = 8,
          .windows_of_sides = {{cells, cells - 1}, {cells - 1, cells}}};
}
// Garages, sheds and the narrow slopes beside a house have no such room. Smaller windows fit anywhere, so the
// other limits must be stricter.
PlanarSegmentOptions shed_segments(int cells, double noise) {
  return {.windows = {{cells, cells - 1}, {cells - 1, cells}},
          .seed_roughness = {0.08, 0.1 * noise},
          .off_plane = {0.18, 0.15 * noise},
          .segment_roughness = {0.10, 0.1 * noise},
          .smallest_m2 = 5,
          .steepest = 1.2,
          .roof_scatter = roof_scatter(noise)};
}
constexpr double kSmallestAlone_m2 = 20;  // what is smaller must look like a garage (small_roofs.hpp)
constexpr double kSmallestAnnex_m2 = 7;   // what the house's edge leaves of a garage against its wall
constexpr double kPlanarShare = 0.6;      // of the cells that no wall cuts
// The odds against a crown that a building's segments must show. They may speak for a crown a little where
// something else speaks for a building: a house's large even windows, the wall that a shed stands against.
constexpr double kHouseOdds = 1 / 20.0, kShedOddsAtHouse = 1 / 20.0, kShedOddsAlone = 3;
// A segment of a large house may span a low step or a flat ridge and then scatters as leaves do. A single
// crown is smaller.
constexpr double kLargestCrown_m2 = 100;
constexpr double kMostWithoutWalls = 0.1;
constexpr float kAboveRoof_m = 1.0;  // what rises more beside a roof is a tree
constexpr int kClosings = 3;

Mask higher_than(float lowest_m, const Grid<float>& dsm, const Grid<float>& terrain) {
  Mask high = dsm.like(std::uint8_t{0});
  for (std::size_t i = 0; i < high.values.size(); ++i)
    high.values[i] = dsm.values[i] - terrain.values[i] > lowest_m;  // false for NaN
  return high;
}

/// Adds one cell all around: the outermost cells of a roof mix roof and ground, and its overhang is roof too.
/// A cell that rises above the roof, as a tree would, is left out.
Mask with_edges(const Mask& building, const Grid<float>& dsm, const Mask& high) {
  Mask out = building;
  for (const auto [col, row] : all_cells(out)) {
    if (building.at(col, row) || !high.at(col, row)) continue;
    for (const auto [c, r] : cells_around(out, {col, row}))
      if (building.at(c, r) && dsm.at(col, row) < dsm.at(c, r) + kAboveRoof_m) out.at(col, row) = 1;
  }
  return out;
}

/// Adds dormers, chimneys and ridges between the planes: high cells mostly surrounded by building.
Mask closed(Mask building, const Mask& high) {
  for (int pass = 0; pass < kClosings; ++pass) {
    const Mask before = building;
    for (const auto [col, row] : all_cells(building)) {
      if (before.at(col, row) || !high.at(col, row)) continue;
      int around = 0;
      for (const auto [c, r] : cells_around(before, {col, row})) around += before.at(c, r);
      if (around >= 5) building.at(col, row) = 1;
    }
  }
  return building;
}

/// Of a roof against a crown, from all segments in the piece.
double odds_against_crown(const PlanarSegments& segments, const Piece& piece) {
  double log_odds = 0;
  for (std::size_t i : piece) log_odds += segments.log_odds.values[i];
  return std::exp(log_odds);
}

/// Of the piece's cells that no wall cuts.
double share_of_planar(const Mask& planar, const Mask& cut, const Piece& piece) {
  const auto cells = std::count_if(piece.begin(), piece.end(), [&](std::size_t i) { return !cut.values[i]; });
  const auto even =
      std::count_if(piece.begin(), piece.end(), [&](std::size_t i) { return planar.values[i]; });
  return cells > 0 ? static_cast<double>(even) / static_cast<double>(cells) : 0;
}

double area_m2(const Mask& mask, const Piece& piece) {
  return static_cast<double>(piece.size()) * mask.cell_m * mask.cell_m;
}

Mask in_either(Mask a, const Mask& b) { return combined(std::move(a), b, std::bit_or<std::uint8_t>()); }
Mask in_both(Mask a, const Mask& b) { return combined(std::move(a), b, std::bit_and<std::uint8_t>()); }
Mask without(Mask a, const Mask& b) { return combined(std::move(a), b, std::greater<std::uint8_t>()); }

/// Cells that a wall cuts: beside a plane they are lower, and on another side is the ground. They hold some
/// mean of both and say nothing about what stands there.
Mask cut_cells(const Mask& planar, const Grid<float>& dsm, const Grid<float>& terrain, const Mask& high) {
  constexpr float kMostOfHeight = 0.8;
  Mask out = planar.like(std::uint8_t{0});
  const auto above_ground_m = [&](int col, int row) { return dsm.at(col, row) - terrain.at(col, row); };
  for (const auto [col, row] : all_cells(out)) {
    if (planar.at(col, row) || !high.at(col, row)) continue;
    bool ground = false;
    float roof_m = 0;
    for (const auto& step : kAround) {
      const int c = col + step[0], r = row + step[1];
      ground = ground || !high.contains(c, r) || !high.at(c, r);
      if (planar.contains(c, r) && planar.at(c, r)) roof_m = std::max(roof_m, above_ground_m(c, r));
    }
    out.at(col, row) = ground && above_ground_m(col, row) < kMostOfHeight * roof_m;
  }
  return out;
}

bool touches(const Mask& mask, const Piece& piece) {
  return std::any_of(piece.begin(), piece.end(), [&](std::size_t i) {
    for (const auto [c, r] : cells_around(mask, mask.cell(i)))
      if (mask.at(c, r)) return true;
    return false;
  });
}

Mask cells_of(const std::vector<SmallRoof>& roofs, const Mask& like) {
  Mask out = like.like(std::uint8_t{0});
  for (const SmallRoof& roof : roofs)
    for (std::size_t i : roof.cells) out.values[i] = 1;
  return out;
}

struct Houses {
  Mask cells;   ///< with edges, dormers and what else the planes enclose
  Mask planar;  ///< the cells of their planes alone
};

/// Moves the small roofs that are ends of a house's wings to the house; the other small roofs stay.
void give_to_house(std::vector<SmallRoof>& roofs, Houses& houses) {
  std::erase_if(roofs, [&](const SmallRoof& roof) {
    if (!roof.of_house) return false;
    for (std::size_t i : roof.cells) houses.cells.values[i] = houses.planar.values[i] = 1;
    return true;
  });
}

/// Finds the garages that stand alone, then the houses, then what stands beside the houses.
class Finder {
 public:
  Finder(const Grid<float>& dsm, const Grid<float>& terrain, const Box& garages, RectangleFits& fits,
         const RunControl& control)
      : dsm_(dsm),
        terrain_(terrain),
        where_garages_(garages),
        fits_(fits),
        control_(control),
        window_(2 * std::max(1, static_cast<int>(std::lround(1 / dsm.cell_m))) + 1),
        high_(higher_than(static_cast<float>(kLowestRoof_m), dsm, terrain)),
        raised_(higher_than(kLowestGarage_m, dsm, terrain)),
        support_m_(support_in_cells(cell_kind(dsm)) * dsm.cell_m),
        none_(high_.like(std::uint8_t{0})),
        houses_{none_, none_},
        built_(none_) {
    slope_noise_ = slope_noise(dsm, planar_segments(dsm, high_, house_segments(window_, 1), control).cells);
    noise_ = std::clamp(slope_noise_ / kToleratedNoise, kLeastOfIt, kMostOfIt);
  }

  FoundBuildings find() {
    take_garages();
    find_houses();
    take_garages();
    const Mask cells = in_either(houses_.cells, shed_cells());
    const auto has_walls = [&](const Piece& piece) {
      return share_without_walls(dsm_, terrain_, high_, piece) <= kMostWithoutWalls;
    };
    return {pieces_that(cells, has_walls, control_), std::move(garages_)};
  }

 private:
  void find_houses() {
    const PlanarSegments segments = planar_segments(dsm_, high_, house_segments(window_, noise_), control_);
    const Mask& planar = segments.cells;
    const Mask cells = closed(with_edges(planar, dsm_, high_), high_);
    const Mask cut = cut_cells(planar, dsm_, terrain_, high_);
    const auto is_house = [&](const Piece& piece) {
      const double house_m2 = area_m2(cells, piece);
      return house_m2 >= kSmallestAlone_m2 && share_of_planar(planar, cut, piece) >= kPlanarShare &&
             (house_m2 >= kLargestCrown_m2 || odds_against_crown(segments, piece) >= kHouseOdds);
    };
    houses_.cells = pieces_that(cells, is_house, control_);
    houses_.planar = in_both(planar, houses_.cells);
  }

  /// Looks for garages among the high cells, then, where these show none, among the lower cells around them
  /// as well. Last it looks at the even cells alone, where a crown hangs over a garage and both are one
  /// group.
  void take_garages() {
    take_garages(free(high_), free(high_), none_);
    const Mask refused = high_;
    take_garages(free(raised_), free(raised_), refused);
    const Mask around = free(raised_);
    take_garages(shed_segments_among(around).cells, around, none_);
  }

  /// Removes the garages it finds from the cells still to be searched, and from the houses' edges.
  void take_garages(const Mask& groups, const Mask& high, const Mask& refused) {
    std::vector<SmallRoof> found = small_roofs(
        dsm_, terrain_, {groups, high, houses_.cells, in_either(houses_.planar, built_), refused},
        where_garages_,
        {.cell_m = dsm_.cell_m, .support_m = support_m_, .noise_per_slope_m = slope_noise_ * dsm_.cell_m},
        fits_, control_);
    give_to_house(found, houses_);
    const Mask garages = cells_of(found, high_);
    high_ = without(std::move(high_), garages), raised_ = without(std::move(raised_), garages);
    houses_.cells = without(std::move(houses_.cells), garages);
    built_ = in_either(std::move(built_), garages);
    garages_.insert(garages_.end(), found.begin(), found.end());
  }

  Mask free(const Mask& cells) const { return without(without(cells, houses_.cells), built_); }

  /// What stands beside the houses or against them. A garage's cells beside the wall count as the house's
  /// edge until a plane of its own is seen in them.
  Mask shed_cells() const {
    const Mask free = without(high_, houses_.planar);
    const PlanarSegments segments = shed_segments_among(free);
    const Mask cells = without(closed(with_edges(segments.cells, dsm_, free), free), houses_.cells);
    const Mask cut = cut_cells(segments.cells, dsm_, terrain_, free);
    const Mask roofed = in_either(cells, houses_.cells);
    const auto is_shed = [&](const Piece& piece) {
      const bool at_house = touches(houses_.cells, piece);
      return area_m2(cells, piece) >= (at_house ? kSmallestAnnex_m2 : kSmallestAlone_m2) &&
             share_of_planar(segments.cells, cut, piece) >= kPlanarShare &&
             odds_against_crown(segments, piece) >= (at_house ? kShedOddsAtHouse : kShedOddsAlone) &&
             has_core(roofed, piece) && share_hemmed_in(high_, houses_.cells, piece) <= kMostHemmedIn;
    };
    return pieces_that(cells, is_shed, control_);
  }

  PlanarSegments shed_segments_among(const Mask& cells) const {
    return planar_segments(dsm_, cells, shed_segments(window_, noise_), control_);
  }

  const Grid<float>&dsm_, &terrain_;
  const Box& where_garages_;
  RectangleFits& fits_;
  const RunControl& control_;
  int window_;          // cells
  Mask high_, raised_;  // without what was taken as garages
  const double support_m_;
  const Mask none_;
  Houses houses_;
  Mask built_;              // the garages' cells
  double slope_noise_ = 0;  // over the rise across a cell
  double noise_ = 0;        // over kToleratedNoise, within limits
  std::vector<SmallRoof> garages_;
};

}  // namespace

FoundBuildings find_buildings(const Grid<float>& dsm, const Grid<float>& terrain, const Box& garages,
                              RectangleFits& fits, const RunControl& control) {
  return Finder(dsm, terrain, garages, fits, control).find();
}

}  // namespace geo
