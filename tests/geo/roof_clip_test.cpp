#include "geo/roof/clip.hpp"

#include <gtest/gtest.h>

#include "geo/roof/shapes.hpp"
#include "geo/shapes/shape_algebra.hpp"
#include "tests/geo/roof_test_scene.hpp"

namespace {

geo::RoofPlane surface(int building, geo::Polygon outline) {
  geo::RoofPlane p;
  p.building = building;
  p.outline = std::move(outline);
  return p;
}

TEST(RoofClip, EndsASurfaceAtTheNeighboursFootprint) {
  const std::vector<geo::Building> buildings{{test::rectangle(0, 0, 10, 10)},
                                             {test::rectangle(10, 0, 20, 10)}};
  const auto planes =
      geo::end_at_neighbours({surface(0, test::rectangle(-0.5, -0.5, 10.6, 10.5))}, buildings, 4, {});
  ASSERT_EQ(planes.size(), 1u);
  EXPECT_NEAR(geo::area(planes[0].outline), 11.1 * 11 - 0.6 * 10, 1e-6);
}

TEST(RoofClip, LeavesTheDisputedStripToTheFirst) {
  const std::vector<geo::Building> buildings{{test::rectangle(0, 0, 10, 10)},
                                             {test::rectangle(11, 0, 20, 10)}};
  const auto planes = geo::end_at_neighbours(
      {surface(0, test::rectangle(0, 0, 10.8, 10)), surface(1, test::rectangle(10.4, 0, 20, 10))}, buildings,
      4, {});
  ASSERT_EQ(planes.size(), 2u);
  EXPECT_NEAR(geo::area(planes[0].outline), 108, 1e-6);
  EXPECT_NEAR(geo::area(planes[1].outline), 92, 1e-6);
}

TEST(RoofClip, EndsAtTheParcelsBorderButNotWithinTheOwnWalls) {
  geo::Building garage{test::rectangle(0, 0, 6, 4)};
  garage.parcel = test::rectangle(0.2, -0.3, 30, 30);  // the western wall stands on the neighbour's ground
  const auto planes =
      geo::end_at_neighbours({surface(0, test::rectangle(-0.5, -0.7, 6.5, 4.5))}, {garage}, 4, {});
  ASSERT_EQ(planes.size(), 1u);
  // Inside the parcel 6.3 by 4.8; of the strip beside it what the walls hold, 0.2 by 4.
  EXPECT_NEAR(geo::area(planes[0].outline), 6.3 * 4.8 + 0.2 * 4, 1e-6);
}

TEST(RoofClip, LeavesSurfacesOfOneBuildingAlone) {
  const std::vector<geo::Building> buildings{{test::rectangle(0, 0, 10, 10)}};
  const geo::Polygon left = test::rectangle(0, 0, 5, 10), right = test::rectangle(5, 0, 10, 10);
  const auto planes = geo::end_at_neighbours({surface(0, left), surface(0, right)}, buildings, 4, {});
  ASSERT_EQ(planes.size(), 2u);
  EXPECT_EQ(planes[0].outline, left);
  EXPECT_EQ(planes[1].outline, right);
}

TEST(RoofClip, RidsOutlinesOfNeedles) {
  // 0.05 mm wide and a metre long, as an operation on nearly equal edges leaves it.
  geo::RoofPlane plane = surface(0, test::rectangle(0, 0, 8, 6));
  plane.outline.outer = {{0, 0}, {8, 0}, {8, 3}, {9, 3}, {8, 3.00005}, {8, 6}, {0, 6}};
  const auto out = geo::end_at_neighbours({plane}, {{test::rectangle(0, 0, 8, 6)}}, 4, geo::RunControl{});
  ASSERT_EQ(out.size(), 1u);
  for (const geo::Point p : out[0].outline.outer) EXPECT_LT(p.x, 8.001);
  EXPECT_NEAR(geo::area(out[0].outline), 48, 1e-3);
}

TEST(RoofClip, KeepsACornerThatIsSharpButWide) {
  geo::RoofPlane plane = surface(0, test::rectangle(0, 0, 8, 6));
  plane.outline.outer = {{0, 0}, {8, 0}, {8, 3}, {10, 3.1}, {8, 3.2}, {8, 6}, {0, 6}};
  const auto out = geo::end_at_neighbours({plane}, {{test::rectangle(0, 0, 8, 6)}}, 4, geo::RunControl{});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_NEAR(geo::area(out[0].outline), 48.2, 1e-6);
}

TEST(RoofClip, MakesTwoSurfacesOfAnOutlineThatTouchesItself) {
  // Two squares that meet in one corner, which rounding has made two corners.
  geo::RoofPlane plane = surface(0, test::rectangle(0, 0, 8, 8));
  plane.outline.outer = {{0, 0}, {4, 0}, {4, 4}, {8, 4}, {8, 8}, {4, 8}, {4, 4 + 5e-10}, {0, 4}};
  const auto out = geo::end_at_neighbours({plane}, {{test::rectangle(0, 0, 8, 8)}}, 4, geo::RunControl{});
  ASSERT_EQ(out.size(), 2u);
  for (const geo::RoofPlane& p : out) {
    EXPECT_NEAR(geo::area(p.outline), 16, 1e-6);
    EXPECT_TRUE(geo::is_valid_shape(p.outline));
  }
}

TEST(RoofClip, LetsARoofReachOverALowerNeighbourAndEndsThatOneUnderIt) {
  geo::RoofPlane house = surface(0, test::rectangle(0, 0, 10.5, 8));
  house.over_neighbours = {test::rectangle(10, 0, 10.5, 8)};
  const geo::RoofPlane garage = surface(1, test::rectangle(10, 1, 13, 7));
  const std::vector<geo::Building> buildings{{test::rectangle(0, 0, 10, 8)}, {test::rectangle(10, 1, 13, 7)}};
  for (const bool house_first : {true, false}) {
    const auto planes = house_first ? std::vector{house, garage} : std::vector{garage, house};
    const auto out = geo::end_at_neighbours(planes, buildings, 4, geo::RunControl{});
    ASSERT_EQ(out.size(), 2u);
    for (const geo::RoofPlane& p : out)
      EXPECT_NEAR(geo::area(p.outline), p.building == 0 ? 84 : 15, 1e-6) << "house first: " << house_first;
  }
}

}  // namespace
