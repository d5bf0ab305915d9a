#include "geo/roof/clip.hpp"

#include <gtest/gtest.h>

#include "geo/roof/shapes.hpp"
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

TEST(RoofClip, LeavesSurfacesOfOneBuildingAlone) {
  const std::vector<geo::Building> buildings{{test::rectangle(0, 0, 10, 10)}};
  const geo::Polygon left = test::rectangle(0, 0, 5, 10), right = test::rectangle(5, 0, 10, 10);
  const auto planes = geo::end_at_neighbours({surface(0, left), surface(0, right)}, buildings, 4, {});
  ASSERT_EQ(planes.size(), 2u);
  EXPECT_EQ(planes[0].outline, left);
  EXPECT_EQ(planes[1].outline, right);
}

}  // namespace
