// Surface models with cells of half a metre, as Switzerland has them: roofs are measured more exactly, and
// crowns pass for roofs no more often than in cells of a metre.
#include <gtest/gtest.h>

#include <cmath>

#include "geo/property/building_cells.hpp"
#include "tests/geo/roof_test_scene.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using geo::Point;

using test::flat;

double gable(Point p) {
  return test::in_rectangle(p, 12, 14, 22, 24) ? 104 + 0.7 * (5 - std::abs(p.y - 19)) : 100;
}

TEST(FinerCells, TellARoofMoreExactlyAndStateIt) {
  const auto coarse = test::scene(gable, {{test::rectangle(12, 14, 22, 24)}});
  const auto fine = test::scene(gable, {{test::rectangle(12, 14, 22, 24)}}, 40, flat, 0.5);
  const auto in_metres = coarse.detect(), in_halves = fine.detect();
  ASSERT_EQ(in_metres.size(), 2u);
  ASSERT_EQ(in_halves.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const geo::FitStatistics &before = in_metres[i].fit, &now = in_halves[i].fit;
    EXPECT_LT(now.tilt_error_deg, before.tilt_error_deg);
    EXPECT_LT(now.area_error_m2, 0.7 * before.area_error_m2);
    EXPECT_NEAR(geo::area(in_halves[i].outline), 50, 3 * now.area_error_m2);
  }
}

/// Four crowns of 2 to 4 m; leaves hang together on twigs of a metre, which rise and fall by
/// `leaves_m`.
test::HeightOf garden(std::uint64_t seed, double leaves_m) {
  return [=](Point p) {
    double z = 100;
    for (std::uint64_t n = 0; n < 4; ++n) {
      const std::uint64_t key = 100 * seed + 4 * n;
      const Point trunk{8 + 24 * test::hash01(key), 8 + 24 * test::hash01(key + 1)};
      const double radius = 2 + 2 * test::hash01(key + 2);
      const double r = std::hypot(p.x - trunk.x, p.y - trunk.y) / radius;
      const auto twig = static_cast<std::uint64_t>(std::floor(p.x) * 64 + std::floor(p.y));
      if (r < 1)
        z = std::max(z,
                     103 + 0.7 * std::sqrt(1 - r * r) + leaves_m * (test::hash01(twig + 7777 * seed) - 0.5));
    }
    return z;
  };
}

constexpr std::uint64_t kGardens = 100;

/// In all of them together.
std::size_t garages_in_gardens(double cell_m) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= kGardens; ++seed) {
    const auto scene = test::scene(garden(seed, 0.6), {}, 40, flat, cell_m);
    geo::RectangleFits fits;
    found += geo::find_buildings(scene.dsm, scene.terrain, geo::kEverywhere, fits, {}).garages.size();
  }
  return found;
}

/// How many planes are found when the crowns of a garden are taken for a building.
std::size_t planes_in_gardens(double cell_m) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    geo::Building building{test::rectangle(2, 2, 38, 38)};
    building.from_footprints = false;
    found += test::scene(garden(seed, 2), {building}, 40, flat, cell_m).detect().size();
  }
  return found;
}

TEST(FinerCells, OfCrownsHaveNoMorePlanes) {
  EXPECT_LE(planes_in_gardens(0.5), 2u);
  EXPECT_LE(planes_in_gardens(1), 2u);
}

TEST(FinerCells, OfCrownsAreNoGaragesAndLargerOnesHardlyEver) {
  // A crown may look like a box: of 1,000 gardens some 30 have a garage that is none.
  EXPECT_LE(garages_in_gardens(1), 5u);
  EXPECT_EQ(garages_in_gardens(0.5), 0u);
}

}  // namespace
