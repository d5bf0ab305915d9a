// How far off a surface's area may be depends on what its edges are.
#include "geo/roof/outline_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/geo/roof_test_scene.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using namespace geo;
using test::rectangle;

/// Level surfaces of a roof in cells of a metre; the first is 10 m by 10 m and asked about.
struct OutlineError : ::testing::Test {
  RoofSite site{.height = Grid<float>(60, 60, 0, 60, 1, 0.0f)};
  RoofSegmentation segmentation;
  std::vector<SegmentOutline> outlines;
  RoofObstacles obstacles{.cells = 100, .cells_on_plane = 100};

  OutlineError() { add(rectangle(20, 20, 30, 30), 8); }
  void add(const Polygon& outline, double height_m, Point gradient = {}) {
    outlines.push_back({static_cast<int>(segmentation.segments.size()), outline});
    // At the first surface's eastern edge it has this height.
    segmentation.segments.emplace_back().fit.plane = {30, 25, height_m, gradient.x, gradient.y};
  }
  double error_m2() const {
    return plan_area_error_m2(site, segmentation, outlines, 0, outlines[0].outline, obstacles);
  }
};

TEST_F(OutlineError, OfFourEavesIsThatOfFourEdgesDisplacedByThemselves) {
  EXPECT_NEAR(error_m2() / std::sqrt(4.0) / 10, 0.16, 0.01) << "a sixth of a cell each";
  site.height.cell_m = 0.5;
  EXPECT_NEAR(error_m2() / std::sqrt(4.0) / 10, 0.08, 0.01);
}

TEST_F(OutlineError, IsSmallerWhereSurfacesMeetAndLargerWhereAWallPartsThem) {
  const double eaves = error_m2();
  add(rectangle(30, 20, 40, 30), 8, {-0.7, 0});
  const double meeting = error_m2();
  EXPECT_LT(meeting, 0.9 * eaves);
  Plane& beside = segmentation.segments[1].fit.plane;
  beside.z0 = 11;
  const double below = error_m2();
  beside.z0 = 5;
  EXPECT_DOUBLE_EQ(error_m2(), below);
  EXPECT_GT(below, 2 * eaves);
}

TEST_F(OutlineError, AtASteepRidgeThatLiesAHandsBreadthOffIsStillThatOfAMeeting) {
  segmentation.segments[0].fit.plane = {30, 25, 8, 1, 0};
  add(rectangle(30, 20, 40, 30), 8, {-1, 0});
  const double meeting = error_m2();
  segmentation.segments[1].fit.plane.z0 = 9;  // the two meet half a metre farther out
  EXPECT_DOUBLE_EQ(error_m2(), meeting);
}

TEST_F(OutlineError, BetweenLevelSurfacesIsThatOfAWallHoweverLowItIs) {
  const double eaves = error_m2();
  add(rectangle(30, 20, 40, 30), 8.2);
  EXPECT_GT(error_m2(), 2 * eaves);
}

TEST_F(OutlineError, BetweenTwoWallsOfANarrowSurfaceStaysBelowItsArea) {
  outlines[0].outline = rectangle(28, 20, 30, 26);
  add(rectangle(30, 20, 40, 26), 5);
  add(rectangle(20, 20, 28, 26), 11);
  EXPECT_LT(error_m2(), 0.5 * 12);
}

TEST_F(OutlineError, OfAWallThatReachesHalfTheEdgeCountsForThatHalf) {
  const double eaves = error_m2();
  add(rectangle(30, 20, 40, 30), 5);
  const double whole = error_m2();
  outlines[1].outline = rectangle(30, 20, 40, 25);
  EXPECT_GT(error_m2(), eaves);
  EXPECT_LT(error_m2(), 0.7 * whole);
}

TEST_F(OutlineError, IsSmallerAtANeighboursKnownWallAndNotWhereTheRoofReachesOverIt) {
  const double eaves = error_m2();
  site.neighbours.push_back(rectangle(30, 15, 40, 35));
  EXPECT_LT(error_m2(), 0.9 * eaves);
  site.neighbours[0] = rectangle(29.5, 15, 40, 35);
  EXPECT_DOUBLE_EQ(error_m2(), eaves);
}

TEST_F(OutlineError, WithoutFootprintsKnowsNoNeighboursWall) {
  site.from_footprints = false;
  const double eaves = error_m2();
  site.neighbours.push_back(rectangle(30, 15, 40, 35));
  EXPECT_DOUBLE_EQ(error_m2(), eaves);
}

TEST_F(OutlineError, OfAHoleIsThatOfWhatStandsInIt) {
  Ring hole = rectangle(23, 23, 26, 26).outer;
  std::reverse(hole.begin(), hole.end());
  outlines[0].outline.holes.push_back(hole);
  const double open = error_m2();
  add(rectangle(23, 23, 26, 26), 12);
  EXPECT_GT(error_m2(), 1.2 * open);
}

TEST_F(OutlineError, GrowsWithWhatDoesNotLieOnThePlane) {
  const double eaves = error_m2();
  obstacles.cells_on_plane = 80;
  EXPECT_GT(error_m2(), 2 * eaves);
  obstacles = {};
  EXPECT_DOUBLE_EQ(error_m2(), eaves) << "of a surface of edge cells nothing is known";
}

TEST_F(OutlineError, IsLargerWithoutKnownWalls) {
  const double with_walls = error_m2();
  site.from_footprints = false;
  EXPECT_GT(error_m2(), with_walls);
}

}  // namespace
