#include "geo/roof/fit.hpp"

#include <gtest/gtest.h>

#include "tests/geo/roof_test_scene.hpp"

namespace {

std::vector<geo::HeightPoint> plane_points(double noise_m) {
  std::vector<geo::HeightPoint> points;
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 8; ++x)
      points.push_back(
          {x + 0.5, y + 0.5,
           100 + 0.5 * x - 0.25 * y + noise_m * (test::hash01(static_cast<std::uint64_t>(8 * y + x)) - 0.5)});
  return points;
}

TEST(RoofFit, FindsAnExactPlaneExactly) {
  const auto fit = geo::fit_plane(plane_points(0));
  ASSERT_TRUE(fit.ok);
  EXPECT_NEAR(fit.plane.gx, 0.5, 1e-12);
  EXPECT_NEAR(fit.plane.gy, -0.25, 1e-12);
  EXPECT_NEAR(fit.rms_m, 0, 1e-9);
  EXPECT_EQ(fit.points, 48);
}

TEST(RoofFit, IsNotMovedByAChimney) {
  auto points = plane_points(0.05);
  for (int i : {10, 11, 18, 19}) points[static_cast<std::size_t>(i)].z += 1.5;
  const std::vector<double> trust(points.size(), 1.0);
  const auto robust = geo::fit_plane_robust(points, trust, 0.03);
  const auto plain = geo::fit_plane(points);
  EXPECT_NEAR(robust.plane.gx, 0.5, 0.01);
  EXPECT_NEAR(robust.plane.gy, -0.25, 0.01);
  EXPECT_GT(std::abs(plain.plane.gx - 0.5), 0.02) << "the plain fit is";
}

TEST(RoofFit, KnowsHowWellItKnows) {
  // The spread of repeated fits is what sigma squared times the cofactor says.
  const double sigma = 0.1;
  double squares = 0;
  constexpr int kRuns = 400;
  geo::PlaneFit fit;
  for (int run = 0; run < kRuns; ++run) {
    auto points = plane_points(0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      double normal = -6;  // the sum of twelve uniform numbers
      for (int k = 0; k < 12; ++k)
        normal +=
            test::hash01((static_cast<std::uint64_t>(run) * 48 + i) * 12 + static_cast<std::uint64_t>(k));
      points[i].z += sigma * normal;
    }
    fit = geo::fit_plane(points);
    squares += (fit.plane.gx - 0.5) * (fit.plane.gx - 0.5);
  }
  EXPECT_NEAR(std::sqrt(squares / kRuns) / (sigma * std::sqrt(fit.cofactor(1, 1))), 1, 0.1);
}

TEST(RoofFit, RefusesPointsOnALine) {
  EXPECT_FALSE(geo::fit_plane({{0, 0, 1}, {1, 1, 2}, {2, 2, 3}, {3, 3, 5}}).ok);
  EXPECT_FALSE(geo::fit_plane(std::vector<geo::HeightPoint>{{0, 0, 1}, {1, 1, 2}}).ok);
}

}  // namespace
