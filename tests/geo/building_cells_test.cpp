// What passes for a building where no footprints say so, and what must not.
#include "geo/property/building_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/geo/landscape.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using geo::Point;

using test::flat;

/// A landscape with any shape put on it: the surface's height at each cell.
template <class Surface>
test::Landscape with(Surface surface) {
  test::Landscape land(80, 80, flat);
  for (int row = 0; row < 80; ++row)
    for (int col = 0; col < 80; ++col)
      land.dsm.at(col, row) =
          std::max(land.dsm.at(col, row), static_cast<float>(surface(land.dsm.centre(col, row))));
  return land;
}

long cells_of(const test::Landscape& land) {
  geo::KnownFits fits;
  const auto found = geo::find_buildings(land.dsm, land.terrain, geo::kEverywhere, fits, {});
  long cells = std::count(found.cells.values.begin(), found.cells.values.end(), 1);
  for (const geo::SmallRoof& garage : found.garages) cells += static_cast<long>(garage.cells.size());
  return cells;
}

/// Along the direction (1, 0.4): askew to the grid, as most buildings are.
struct Askew {
  double along, across;
  explicit Askew(Point p) {
    const double x = p.x - 40, y = p.y - 40, size = std::hypot(1, 0.4);
    along = (x + 0.4 * y) / size;
    across = (y - 0.4 * x) / size;
  }
};

TEST(BuildingCells, HoldAGabledGarageAskewToTheGrid) {
  const auto garage = with([](Point p) {
    const Askew at(p);
    return std::abs(at.along) < 3.3 && std::abs(at.across) < 2 ? 102.5 + 0.5 * (2 - std::abs(at.across))
                                                               : 0.0;
  });
  EXPECT_GE(cells_of(garage), 18);
}

TEST(BuildingCells, HoldAFlatGarageOfEighteenSquareMetres) {
  const auto garage = with([](Point p) {
    const Askew at(p);
    return std::abs(at.along) < 3 && std::abs(at.across) < 1.5 ? 102.6 : 0.0;
  });
  EXPECT_GE(cells_of(garage), 14);
}

TEST(BuildingCells, LeaveOutACrownsEvenSide) {
  // As even as a roof, but steeper than a garage's: four metres and a half across, of 40 degrees.
  const auto side = with(
      [](Point p) { return std::hypot(p.x - 40, p.y - 40) < 2.3 ? 104.5 + 0.84 * (Askew(p).along) : 0.0; });
  EXPECT_EQ(cells_of(side), 0);
}

TEST(BuildingCells, LeaveOutACranesJib) {
  EXPECT_EQ(cells_of(with([](Point p) { return std::abs(Askew(p).across) < 1 ? 130.0 : 0.0; })), 0);
}

TEST(BuildingCells, LeaveOutAHighHedge) {
  EXPECT_EQ(cells_of(with([](Point p) { return std::abs(p.y - 40) < 1 ? 102.6 : 0.0; })), 0);
}

TEST(BuildingCells, LeaveOutABridgeThatRampsLeadUpTo) {
  // 8 m wide, 4 m above the ground, ramps of one in eight at both ends.
  const auto bridge = with([](Point p) {
    return std::abs(p.y - 40) < 4 ? 100 + std::clamp((40 - std::abs(p.x - 40)) / 8, 0.0, 4.0) : 0.0;
  });
  EXPECT_EQ(cells_of(bridge), 0);
}

TEST(BuildingCells, LeaveOutAnEmbankment) {
  // 6 m wide at the top, slopes of two in three.
  const auto embankment =
      with([](Point p) { return 100 + std::clamp((9 - std::abs(Askew(p).across)) / 1.5, 0.0, 4.0); });
  EXPECT_EQ(cells_of(embankment), 0);
}

}  // namespace
