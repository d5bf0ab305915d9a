// Rows of houses that step, seen without footprints.
#include "geo/roof/steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/geo/roof_test_scene.hpp"

namespace {

using geo::Point;

constexpr double kHouse_m = 6.5;

/// Four houses in a row along x, each `step_m` higher than the one before, under a gable of 30 degrees.
test::HeightOf row_of_houses(double step_m) {
  return [step_m](Point p) {
    const double x = p.x - 7, y = p.y - 20.3;
    if (x < 0 || x >= 4 * kHouse_m || std::abs(y) > 5) return 100.0;
    return 106 + step_m * std::floor(x / kHouse_m) + 0.577 * (5 - std::abs(y));
  };
}

/// Widths along the row of the surfaces of 10 m2 and more that fall south.
std::vector<double> southern_widths(double step_m) {
  auto scene = test::scene(row_of_houses(step_m), {});
  const Point o{scene.dsm.west, scene.dsm.north - 40};
  scene.buildings = {
      {.footprint =
           {{{o.x + 7, o.y + 15.3}, {o.x + 33, o.y + 15.3}, {o.x + 33, o.y + 25.3}, {o.x + 7, o.y + 25.3}},
            {}},
       .from_footprints = false}};
  std::vector<double> widths;
  for (const geo::RoofPlane& plane : scene.detect()) {
    if (plane.plane.gy < 0.3 || geo::area(plane.outline) < 10) continue;
    const geo::Box box = geo::bounding_box(plane.outline.outer);
    widths.push_back(box.max_x - box.min_x);
  }
  return widths;
}

TEST(RoofSteps, ARowThatStepsByThreeDecimetresIsASurfaceAHouse) {
  const auto widths = southern_widths(0.3);
  ASSERT_EQ(widths.size(), 4u);
  for (double width : widths) EXPECT_NEAR(width, kHouse_m, 1.2);
}

TEST(RoofSteps, AnEvenRowIsOneSurface) {
  const auto widths = southern_widths(0);
  ASSERT_EQ(widths.size(), 1u);
  EXPECT_NEAR(widths[0], 4 * kHouse_m, 1.2);
}

TEST(RoofSteps, NoiseAloneMakesNoStep) {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    geo::RoofCells cells;
    std::vector<int> own;
    for (int i = 0; i < 20 * 5; ++i) {
      const double x = i % 20, y = i / 20;
      // The sum of twelve even numbers is nearly normal.
      double noise = -6;
      for (std::uint64_t k = 0; k < 12; ++k)
        noise += test::hash01((trial * 1000 + static_cast<std::uint64_t>(i)) * 12 + k);
      own.push_back(static_cast<int>(cells.points.size()));
      cells.points.push_back({x, y, 100 + 0.6 * y + 0.08 * noise});
    }
    EXPECT_EQ(geo::stepped_slope(cells, own, {0, 0.6}, 0.08).pieces.size(), 1u) << "trial " << trial;
  }
}

}  // namespace
