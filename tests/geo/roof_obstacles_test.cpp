// Which cells of a surface's outline say how far it is covered.
#include "geo/roof/obstacles.hpp"

#include <gtest/gtest.h>

#include "tests/geo/roof_test_scene.hpp"

namespace {

TEST(RoofObstacles, CountACellAtTheEdgeWhereItLiesOnThePlaneAndNotWhereItIsMixed) {
  // Six cells, of which one alone is clear of the edge; it and one at the edge lie too low.
  geo::Grid<float> height(3, 3, 0, 3, 1, 10);
  height.at(1, 1) = height.at(2, 1) = 8;
  const geo::Polygon outline = test::rectangle(0.2, 0.6, 2.8, 2.8);
  const geo::RoofObstacles found = geo::find_obstacles(height, {.z0 = 10}, outline, {});
  EXPECT_EQ(found.cells_on_plane, 4);
  EXPECT_EQ(found.cells, 5);
}

}  // namespace
