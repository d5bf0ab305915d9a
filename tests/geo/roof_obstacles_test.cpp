// Which cells of a surface's outline say how far it is covered.
#include "geo/roof/obstacles.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/geo/roof_test_scene.hpp"

namespace {

TEST(RoofObstacles, CountACellAtTheEdgeWhereItLiesOnThePlaneAndNotWhereItIsMixed) {
  // Only one of six cells is clear of the edge. That one, and one at the edge, lie too low.
  geo::Grid<float> height(3, 3, 0, 3, 1, 10);
  height.at(1, 1) = height.at(2, 1) = 8;
  const geo::Polygon outline = test::rectangle(0.2, 0.6, 2.8, 2.8);
  const geo::RoofObstacles found = geo::find_obstacles(height, {.z0 = 10}, outline, {});
  EXPECT_EQ(found.cells_on_plane, 4);
  EXPECT_EQ(found.cells, 5);
}

TEST(RoofObstacles, AChimneyIsNoTreeHoweverFineTheCells) {
  for (const double cell_m : {1.0, 0.5, 0.2}) {
    const int cells = static_cast<int>(std::lround(10 / cell_m));
    geo::Grid<float> height(cells, cells, 0, 10, cell_m, 10);
    for (int row = 0; row < cells; ++row)
      for (int col = 0; col < cells; ++col)
        if (const geo::Point p = height.centre(col, row); test::in_rectangle(p, 4, 4, 5.3, 5.3))
          height.at(col, row) = (row + col) % 2 ? 12.0F : 11.0F;  // its edges are mixed with the roof
    const geo::RoofObstacles found =
        geo::find_obstacles(height, {.z0 = 10}, test::rectangle(0, 0, 10, 10), {});
    EXPECT_FALSE(found.below_vegetation) << cell_m;
    EXPECT_EQ(found.shapes.size(), 1u) << cell_m;
  }
}

}  // namespace
