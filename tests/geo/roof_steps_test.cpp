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

/// About normal with standard deviation 1: the sum of twelve uniform numbers.
double noise(std::uint64_t trial, std::uint64_t i) {
  double sum = -6;
  for (std::uint64_t k = 0; k < 12; ++k) sum += test::hash01((trial * 1000 + i) * 12 + k);
  return sum;
}

/// A gable over 20 by 10 cells, its ridge along x; half-way each side jumps by its own height.
struct SteppedGable {
  geo::RoofCells cells;
  geo::SlopeSide south, north;
};
SteppedGable stepped_gable(double south_jump_m, double north_jump_m, double noise_m, std::uint64_t trial) {
  SteppedGable roof{{}, {{}, {0, 0.6}}, {{}, {0, -0.6}}};
  for (int i = 0; i < 20 * 10; ++i) {
    const int col = i % 20, row = i / 20;
    const double x = col + 0.5, y = row - 4.5;
    (y < 0 ? roof.south : roof.north).cells.push_back(i);
    const double jump = x < 10 ? 0 : y < 0 ? south_jump_m : north_jump_m;
    roof.cells.points.push_back(
        {x, y, 100 - 0.6 * std::abs(y) + jump + noise_m * noise(trial, static_cast<std::uint64_t>(i))});
  }
  return roof;
}

TEST(RoofSteps, AStepTooLowForOneSideOfTheRidgeIsSeenOnBoth) {
  int of_one = 0, of_both = 0;
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    const SteppedGable roof = stepped_gable(0.2, 0.2, 0.2, trial);
    of_one += geo::stepped_slope(roof.cells, {roof.south}, 0.2).units == 2;
    of_both += geo::stepped_slope(roof.cells, {roof.south, roof.north}, 0.2).units == 2;
  }
  EXPECT_LT(of_one, 20);
  EXPECT_GE(of_both, 36);
}

TEST(RoofSteps, NoiseAloneMakesNoStep) {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    const SteppedGable roof = stepped_gable(0, 0, 0.08, trial);
    EXPECT_EQ(geo::stepped_slope(roof.cells, {roof.south}, 0.08).units, 1u) << "trial " << trial;
    EXPECT_EQ(geo::stepped_slope(roof.cells, {roof.south, roof.north}, 0.08).units, 1u) << "trial " << trial;
  }
}

TEST(RoofSteps, AStepLowerThanARoofIsEvenIsNone) {
  constexpr double kNoise_m = 0.02;
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const SteppedGable low = stepped_gable(0.09, 0.09, kNoise_m, trial),
                       high = stepped_gable(0.16, 0.16, kNoise_m, trial);
    geo::SlopeSide narrow = low.north;
    narrow.cells.resize(40);
    EXPECT_EQ(geo::stepped_slope(low.cells, {low.south, low.north}, kNoise_m).units, 1u) << "trial " << trial;
    EXPECT_EQ(geo::stepped_slope(low.cells, {low.south}, kNoise_m).units, 1u) << "trial " << trial;
    EXPECT_EQ(geo::stepped_slope(low.cells, {low.south, narrow}, kNoise_m).units, 1u) << "trial " << trial;
    EXPECT_EQ(geo::stepped_slope(high.cells, {high.south, high.north}, kNoise_m).units, 2u)
        << "trial " << trial;
    EXPECT_EQ(geo::stepped_slope(high.cells, {high.south}, kNoise_m).units, 2u) << "trial " << trial;
  }
}

}  // namespace
