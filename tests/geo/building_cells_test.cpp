// What passes for a building where no footprints say so, and what must not.
#include "geo/property/building_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

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
  geo::RectangleFits fits;
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

/// As `with`, but each cell holds the mean of the surface and the ground that it covers.
template <class Surface>
test::Landscape means_of(Surface surface) {
  constexpr int kSamples = 5;  // each way
  test::Landscape land(80, 80, flat);
  for (int row = 0; row < 80; ++row)
    for (int col = 0; col < 80; ++col) {
      const Point centre = land.dsm.centre(col, row);
      double sum = 0;
      for (int k = 0; k < kSamples; ++k)
        for (int i = 0; i < kSamples; ++i)
          sum += std::max(100.0, static_cast<double>(surface({centre.x + (i + 0.5) / kSamples - 0.5,
                                                              centre.y + (k + 0.5) / kSamples - 0.5})));
      land.dsm.at(col, row) = static_cast<float>(sum / (kSamples * kSamples));
    }
  return land;
}

/// The eaves are 6 m high and the ridge runs along the `Askew` direction.
double askew_gable(Point p, double half_length_m, double half_width_m, double slope) {
  const Askew at(p);
  return std::abs(at.along) < half_length_m && std::abs(at.across) < half_width_m
             ? 106 + slope * (half_width_m - std::abs(at.across))
             : 0.0;
}

TEST(BuildingCells, HoldANarrowHouseWhoseWallsCutHalfOfItsCells) {
  const auto house = means_of([](Point p) { return askew_gable(p, 6, 2.9, 1); });
  EXPECT_GE(cells_of(house), 60);
}

TEST(BuildingCells, HoldAFlatRoofThreeMetresWideWhoseWallsCutMostOfItsCells) {
  for (const double half_length_m : {5, 7, 10}) {
    const auto annex = means_of([&](Point p) {
      const Askew at(p);
      return std::abs(at.along) < half_length_m && std::abs(at.across) < 1.5 ? 106 : 0.0;
    });
    EXPECT_GE(cells_of(annex), 6 * half_length_m) << half_length_m;
  }
}

TEST(BuildingCells, LeaveOutMostTrimmedShrubberies) {
  int taken = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    std::minstd_rand random(seed);
    std::uniform_real_distribution<double> leaves_m(-0.2, 0.2);
    const auto shrubs = with([&](Point p) {
      const Askew at(p);
      return std::abs(at.along) < 11 && std::abs(at.across) < 1.9 ? 102.5 + leaves_m(random) : 0.0;
    });
    taken += cells_of(shrubs) > 0;
  }
  EXPECT_LE(taken, 8);
}

TEST(BuildingCells, HoldAGableOfWhichEachSideAloneMightBeACrowns) {
  const auto whole = with([](Point p) { return askew_gable(p, 3.5, 2.9, 1.5); });
  EXPECT_GE(cells_of(whole), 35);
  const auto side = with([](Point p) { return Askew(p).across > 0 ? askew_gable(p, 3.5, 2.9, 1.5) : 0.0; });
  EXPECT_EQ(cells_of(side), 0);
}

TEST(BuildingCells, LeaveOutTwoEvenSidesThatDoNotMeetInARidge) {
  // Equally steep, but both fall the same way, as the skins of two crowns may.
  const auto sides = with([](Point p) {
    const Askew at(p);
    return std::abs(at.along) < 3.5 && std::abs(at.across) < 2.9
               ? 106 + 1.5 * (at.across > 0 ? 2.9 - at.across : -at.across)
               : 0.0;
  });
  EXPECT_EQ(cells_of(sides), 0);
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
