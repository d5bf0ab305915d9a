// The sample region's building blocks against figures that can be worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geo/sample_region/cell_returns.hpp"
#include "geo/sample_region/overhead_view.hpp"
#include "geo/sample_region/roof_patches.hpp"

namespace {

using namespace geo::sample;

constexpr Rect kWalls{-6, 6, -4, 4};

/// One building of these bodies, its u axis towards the east.
Settlement with(std::vector<Body> bodies) {
  Settlement s;
  s.clusters.push_back({{{0, 0}, 0}, 100, std::move(bodies)});
  s.buildings.push_back({BuildingUse::house, RoofKind::gable, {kWalls.ring(), {}}, 0, 0, -1});
  return s;
}

TEST(SampleRoofShapes, AHipRoofIsTwoTrapezesAndTwoTriangles) {
  const auto patches = roof_patches(with({hip(kWalls, Overhang::all(0), 3, 1, 1)}));
  ASSERT_EQ(patches.size(), 4u);
  for (const RoofPatch& p : patches) {
    const bool trapeze = p.outline.outer.size() == 4;
    EXPECT_TRUE(trapeze || p.outline.outer.size() == 3);
    // Plan: trapezoids (12 + 4) / 2 * 4, triangles 8 * 4 / 2; slope 1 is an incline of sqrt 2.
    EXPECT_NEAR(p.area_m2, (trapeze ? 32 : 16) * std::numbers::sqrt2, 1e-6);
    EXPECT_EQ(p.free_area_m2, p.area_m2);
  }
}

TEST(SampleRoofShapes, AHipsPlanesFaceTheFourWindsOnce) {
  double sum = 0;
  for (const RoofPatch& p : roof_patches(with({hip(kWalls, Overhang::all(0), 3, 1, 1)}))) {
    const Eigen::Vector2d gradient(p.plane.gx, p.plane.gy);
    EXPECT_NEAR(geo::tilt_deg(gradient), 45, 1e-9);
    sum += geo::azimuth_deg(gradient);
  }
  EXPECT_NEAR(sum, 180, 1e-6) << "0, 90, -90 and 180";
}

TEST(SampleRoofShapes, AnOverhangLowersTheEavesAndWidensTheRoof) {
  const Body body = gable(kWalls, Overhang::all(0.5), 3, 0.6, 0.6);
  EXPECT_NEAR(body.height(0, -4), 3, 1e-12) << "at the wall";
  EXPECT_NEAR(body.height(0, -4.5), 2.7, 1e-12);
  EXPECT_NEAR(body.height(0, 0), 5.4, 1e-12);
  EXPECT_EQ(body.base.length(), 13);
}

TEST(SampleRoofShapes, AMansardBreaksAtItsHeight) {
  const Body body = mansard(kWalls, Overhang::all(0.2), 4, 1.6, 0.4, 2.4);
  EXPECT_NEAR(body.height(0, -2.5), 6.4, 1e-12) << "2.4 m above the eaves after 1.5 m";
  EXPECT_NEAR(body.height(0, 0), 7.4, 1e-12);
  EXPECT_EQ(roof_patches(with({body})).size(), 4u);
}

TEST(SampleRoofShapes, AnLShapesOuterCornerIsOneHipAndNoPlaneIsCountedTwice) {
  const Rect wing{-2, 6, -9, 4};
  const auto patches = roof_patches(with(l_shape(kWalls, wing, Overhang::all(0), 3, 1)));
  double plan_m2 = 0;
  for (const RoofPatch& p : patches) plan_m2 += p.area_m2 / std::numbers::sqrt2;
  EXPECT_EQ(patches.size(), 4u) << "north, south, east, west";
  EXPECT_NEAR(plan_m2, 12 * 8 + 8 * 5, 1e-6);
}

TEST(SampleRoofShapes, AWingAsHighAsTheRidgeSplitsTheSlopeInTwo) {
  const Rect wing{-4, 4, -9, 0};
  const auto patches = roof_patches(with(t_shape(kWalls, wing, Overhang::all(0), 3, 1)));
  EXPECT_EQ(patches.size(), 5u) << "north, two halves of south, two of the wing";
}

TEST(SampleRoofShapes, AChimneyAndADormerAreCutFromTheRoofOnceAndNotFromItsOutline) {
  Body stack;
  stack.role = BodyRole::chimney;
  stack.base = {2, 3, -2, -1};
  stack.planes = {{9, 0, 0}};
  const auto patches = roof_patches(with({shed(kWalls, Overhang::all(0), 3, 0), stack}));
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_NEAR(patches[0].area_m2, 96, 1e-9);
  EXPECT_NEAR(patches[0].free_area_m2, 95, 1e-9);
  ASSERT_EQ(patches[0].obstacles.size(), 1u);
  EXPECT_EQ(patches[0].obstacles[0].kind, BodyRole::chimney);
}

TEST(SampleRoofShapes, ATreeBesideTheHouseCountsOnlyWhereItRisesOverTheRoof) {
  Settlement s = with({shed(kWalls, Overhang::all(0), 3, 0)});
  s.trees.push_back({{9, 0}, 100, 2.5, 5, false});
  EXPECT_FALSE(roof_patches(s)[0].below_tree) << "lower than the roof";
  s.trees.push_back({{9, 0}, 100, 12, 5, false});
  EXPECT_TRUE(roof_patches(s)[0].below_tree);
}

TEST(SampleScene, SeesRoofLeafAndGroundWhereTheyAre) {
  Settlement s = with({shed(kWalls, Overhang::all(0), 3, 0)});
  s.trees.push_back({{12, 0}, 100, 10, 3, true});
  const Terrain terrain(1, 100);
  const Scene scene(s, terrain);
  EXPECT_NEAR(scene.solid({0, 0}).z, 103, 1e-9);
  EXPECT_EQ(scene.solid({0, 6}).body, nullptr);
  EXPECT_EQ(scene.solid({0, 6}).z, terrain.height({0, 6}));
  ASSERT_TRUE(scene.leaf({12, 0}, 100));
  EXPECT_NEAR(scene.leaf({12, 0}, 100)->z, 110, 1e-9);
  EXPECT_FALSE(scene.leaf({12, 4}, 100));
}

TEST(SampleTerrain, IsNoSteeperThanAHillsideNearTheHousesAndHasHillsOnTheHorizon) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    const Terrain terrain(seed, 400);
    double steepest = 0, highest = 0;
    for (double x = -200; x <= 200; x += 10)
      for (double y = -200; y <= 200; y += 10)
        steepest = std::max(steepest, std::hypot(terrain.height({x + 1, y}) - terrain.height({x, y}),
                                                 terrain.height({x, y + 1}) - terrain.height({x, y})));
    for (double angle = 0; angle < 6.28; angle += 0.05)
      for (double r = 3000; r < 32000; r += 500)
        highest = std::max(highest, (terrain.height({r * std::cos(angle), r * std::sin(angle)}) - 400) / r);
    EXPECT_LT(steepest, 0.16);
    EXPECT_GT(steepest, 0.02);
    EXPECT_GT(highest, 0.03) << "a horizon of two degrees somewhere";
    EXPECT_LT(highest, 0.2);
  }
}

TEST(SampleCellReturns, ALevelledCellIsFreeOfTheBiasThatUnevenReturnsGiveTheMean) {
  CellReturns cell;
  auto add = [&](double dx, double dy) { cell.add(dx, dy, 500 + 0.8 * dx); };
  add(0.4, 0.3), add(0.45, -0.2), add(0.3, 0.1), add(0.2, -0.4), add(-0.3, 0.2);
  EXPECT_NEAR(cell.levelled(1), 500, 1e-9);
  EXPECT_NEAR(cell.mean(), 500 + 0.8 * 0.21, 1e-9);
  EXPECT_NEAR(cell.nearest(), 500 + 0.8 * 0.3, 1e-9);
}

TEST(SampleCellReturns, ALevelledCellStaysWithinItsReturnsWhereTheyLieInLine) {
  CellReturns line;
  for (const double t : {0.1, 0.2, 0.3, 0.4}) line.add(t, t, 10 + 5 * t);
  EXPECT_NEAR(line.levelled(1), line.mean(), 1e-12) << "no plane through a line";
  CellReturns edge;
  edge.add(0.1, 0.4, 10), edge.add(0.2, -0.4, 10), edge.add(0.45, 0.3, 3), edge.add(0.4, -0.3, 3);
  EXPECT_GE(edge.levelled(1), 3);
  EXPECT_LE(edge.levelled(1), 10) << "never above the eaves it saw";
}

}  // namespace
