#include "geo/property/building_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/property/building_pieces.hpp"
#include "geo/property/planar_segments.hpp"

namespace geo {
namespace {

constexpr float kLowestRoof_m = 2;      // above the ground
constexpr float kLowestGarage_m = 1.5;  // on a hillside, where its shape alone must tell
// A house has room for windows of 3 m by 3 m in its slopes. Crowns have steep sides: steep segments must be
// larger.
PlanarSegmentOptions house_segments(int cells) {
  return {{{cells, cells}}, {0.10, 0.1}, {0.20, 0.2}, {0.11, 0.1}, 12, 2.75};
}
// Garages, sheds and the narrow slopes beside a house have not: smaller windows, which fit anywhere, so that
// the rest must be stricter.
PlanarSegmentOptions shed_segments(int cells) {
  return {{{cells, cells - 1}, {cells - 1, cells}}, {0.08, 0.1}, {0.18, 0.15}, {0.10, 0.1}, 5, 1.2};
}
constexpr double kSmallestAlone_m2 = 20;  // what is smaller must look like a garage (small_roofs.hpp)
constexpr double kSmallestAnnex_m2 = 7;   // of what the house's edges leave of a garage against its wall
constexpr double kPlanarShare = 0.5;
constexpr double kShedPlanarShare = 0.6;
constexpr double kMostHemmedIn = 0.35;
constexpr double kMostWithoutWalls = 0.1;
constexpr float kAboveRoof_m = 1.0;  // what rises more beside a roof is a tree
constexpr int kClosings = 3;

constexpr std::array<std::array<int, 2>, 8> kAround{
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

Mask higher_than(float lowest_m, const Grid<float>& dsm, const Grid<float>& terrain) {
  Mask high = dsm.like(std::uint8_t{0});
  for (std::size_t i = 0; i < high.values.size(); ++i)
    high.values[i] = dsm.values[i] - terrain.values[i] > lowest_m;  // false for NaN
  return high;
}

/// The outermost cells of a roof mix roof and ground, and its overhang is roof too: one more cell all around,
/// unless it rises above the roof, as a tree would.
Mask with_edges(const Mask& building, const Grid<float>& dsm, const Mask& high) {
  Mask out = building;
  for (int row = 0; row < out.height; ++row)
    for (int col = 0; col < out.width; ++col) {
      if (building.at(col, row) || !high.at(col, row)) continue;
      for (const auto& step : kAround) {
        const int c = col + step[0], r = row + step[1];
        if (building.contains(c, r) && building.at(c, r) && dsm.at(col, row) < dsm.at(c, r) + kAboveRoof_m)
          out.at(col, row) = 1;
      }
    }
  return out;
}

/// Dormers, chimneys and ridges between the planes: high cells mostly surrounded by building.
Mask closed(Mask building, const Mask& high) {
  for (int pass = 0; pass < kClosings; ++pass) {
    const Mask before = building;
    for (int row = 0; row < building.height; ++row)
      for (int col = 0; col < building.width; ++col) {
        if (before.at(col, row) || !high.at(col, row)) continue;
        int around = 0;
        for (const auto& step : kAround)
          around += before.contains(col + step[0], row + step[1]) && before.at(col + step[0], row + step[1]);
        if (around >= 5) building.at(col, row) = 1;
      }
  }
  return building;
}

double area_m2(const Mask& mask, const Piece& piece) {
  return static_cast<double>(piece.size()) * mask.cell_m * mask.cell_m;
}

Mask without(Mask mask, const Mask& taken) {
  for (std::size_t i = 0; i < mask.values.size(); ++i)
    if (taken.values[i]) mask.values[i] = 0;
  return mask;
}

Mask both(Mask mask, const Mask& other) {
  for (std::size_t i = 0; i < mask.values.size(); ++i)
    if (other.values[i]) mask.values[i] = 1;
  return mask;
}

Mask both_set(Mask mask, const Mask& other) {
  for (std::size_t i = 0; i < mask.values.size(); ++i)
    if (!other.values[i]) mask.values[i] = 0;
  return mask;
}

bool touches(const Mask& mask, const Piece& piece) {
  return std::any_of(piece.begin(), piece.end(), [&](std::size_t i) {
    const auto width = static_cast<std::size_t>(mask.width);
    const int col = static_cast<int>(i % width), row = static_cast<int>(i / width);
    return std::any_of(kAround.begin(), kAround.end(), [&](const auto& step) {
      return mask.contains(col + step[0], row + step[1]) && mask.at(col + step[0], row + step[1]);
    });
  });
}

struct Houses {
  Mask cells;   ///< with edges, dormers and what else the planes enclose
  Mask planar;  ///< the cells of their planes alone
};

Houses house_cells(const Grid<float>& dsm, const Mask& high, int window, const RunControl& control) {
  Mask planar = planar_segments(dsm, high, house_segments(window), control);
  const Mask cells = closed(with_edges(planar, dsm, high), high);
  Mask houses = pieces_that(
      cells,
      [&](const Piece& piece) {
        return area_m2(cells, piece) >= kSmallestAlone_m2 && share_in(planar, piece) >= kPlanarShare;
      },
      control);
  return {houses, both_set(planar, houses)};
}

/// What stands beside the houses or against them. A garage's cells beside the wall count as the house's edge
/// until a plane of its own is seen in them.
Mask shed_cells(const Grid<float>& dsm, const Mask& high, const Houses& known, int window,
                const RunControl& control) {
  const Mask free = without(high, known.planar);
  const Mask& houses = known.cells;
  const Mask planar = planar_segments(dsm, free, shed_segments(window), control);
  const Mask cells = without(closed(with_edges(planar, dsm, free), free), houses);
  const Mask roofed = both(cells, houses);
  return pieces_that(
      cells,
      [&](const Piece& piece) {
        const double smallest_m2 = touches(houses, piece) ? kSmallestAnnex_m2 : kSmallestAlone_m2;
        return area_m2(cells, piece) >= smallest_m2 && share_in(planar, piece) >= kShedPlanarShare &&
               has_core(roofed, piece) && share_hemmed_in(high, houses, piece) <= kMostHemmedIn;
      },
      control);
}

Mask without(Mask mask, const std::vector<SmallRoof>& garages) {
  for (const SmallRoof& garage : garages)
    for (std::size_t i : garage.cells) mask.values[i] = 0;
  return mask;
}

/// The ends of a house's wings become the house's; the others are left.
void give_to_house(std::vector<SmallRoof>& roofs, Houses& houses) {
  std::erase_if(roofs, [&](const SmallRoof& roof) {
    if (!roof.of_house) return false;
    for (std::size_t i : roof.cells) houses.cells.values[i] = houses.planar.values[i] = 1;
    return true;
  });
}

/// Garages among the high cells and, where these show none, among the lower ones around them; they are taken
/// out of both, and what the houses' edges held of them out of the houses.
std::vector<SmallRoof> take_garages(const Grid<float>& dsm, const Grid<float>& terrain, Houses& houses,
                                    Mask& high, Mask& raised, const RunControl& control) {
  std::vector<SmallRoof> garages;
  Mask refused = high.like(std::uint8_t{0});
  for (Mask* among : {&high, &raised}) {
    auto found = small_roofs(dsm, terrain, without(*among, houses.cells), houses.cells, houses.planar,
                             refused, control);
    give_to_house(found, houses);
    high = without(std::move(high), found);
    raised = without(std::move(raised), found);
    garages.insert(garages.end(), found.begin(), found.end());
    refused = high;
  }
  houses.cells = without(std::move(houses.cells), garages);
  return garages;
}

}  // namespace

FoundBuildings find_buildings(const Grid<float>& dsm, const Grid<float>& terrain, const RunControl& control) {
  FoundBuildings found;
  Mask high = higher_than(kLowestRoof_m, dsm, terrain);
  Mask raised = higher_than(kLowestGarage_m, dsm, terrain);
  const Mask none = high.like(std::uint8_t{0});
  Houses nothing{none, none};
  found.garages = take_garages(dsm, terrain, nothing, high, raised, control);
  const int window = 2 * std::max(1, static_cast<int>(std::lround(1 / dsm.cell_m))) + 1;
  Houses houses = house_cells(dsm, high, window, control);
  const auto beside = take_garages(dsm, terrain, houses, high, raised, control);
  found.garages.insert(found.garages.end(), beside.begin(), beside.end());
  const Mask cells = both(houses.cells, shed_cells(dsm, high, houses, window, control));
  found.cells = pieces_that(
      cells,
      [&](const Piece& piece) { return share_without_walls(dsm, terrain, high, piece) <= kMostWithoutWalls; },
      control);
  return found;
}

}  // namespace geo
