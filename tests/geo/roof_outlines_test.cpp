// How the outlines of roofs lie that no footprint and no slope tells.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/roof/detection.hpp"
#include "geo/shapes/angle.hpp"
#include "geo/shapes/plane_geometry.hpp"
#include "tests/geo/roof_test_scene.hpp"

namespace {

using geo::Point;

TEST(RoofOutlines, OfLevelRoofsAskewToTheGridAreSquareWithoutFootprints) {
  constexpr double kHalfLong_m = 4.3, kHalfWide_m = 2.6, kRough_m = 1;
  const Point middle{20.2, 19.7};
  double outlines_m = 0, askew_m = 0;
  for (int turn_deg = 8; turn_deg < 90; turn_deg += 9) {
    const geo::Line axis{middle, {std::cos(turn_deg * geo::kDegree), std::sin(turn_deg * geo::kDegree)}};
    geo::Polygon rough;
    for (const Point at : {Point{-1, -1}, Point{1, -1}, Point{1, 1}, Point{-1, 1}})
      rough.outer.push_back(axis.point(at.x * (kHalfLong_m + kRough_m)) +
                            axis.normal() * (at.y * (kHalfWide_m + kRough_m)));
    const auto s = test::scene(
        [&](Point p) {
          const bool roof = std::abs(axis.along(p)) < kHalfLong_m && std::abs(axis.left_of(p)) < kHalfWide_m;
          return roof ? 104.0 : 100.0;
        },
        {{rough, false}});
    const auto planes = s.detect();
    ASSERT_EQ(planes.size(), 1u) << turn_deg << " degrees";
    EXPECT_NEAR(geo::area(planes[0].outline), 4 * kHalfLong_m * kHalfWide_m, 5) << turn_deg << " degrees";
    const geo::Ring& ring = planes[0].outline.outer;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point edge = ring[(i + 1) % ring.size()] - ring[i];
      const double angle_rad = geo::angle_between_rad(edge, axis.direction);
      outlines_m += geo::length(edge);
      if (std::min(angle_rad, std::numbers::pi / 2 - angle_rad) > 6 * geo::kDegree)
        askew_m += geo::length(edge);
    }
  }
  EXPECT_LT(askew_m, 0.05 * outlines_m);
}

}  // namespace
