#include "geo/property/terrain.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "geo/data/gdal.hpp"
#include "geo/grid/morphology.hpp"
#include "landscape.hpp"
#include "tests/shared_data.hpp"

namespace {

using geo::Grid;
using geo::Point;

double largest_error(const Grid<float>& found, const Grid<float>& truth) {
  double worst = 0;
  for (std::size_t i = 0; i < truth.values.size(); ++i) {
    if (std::isnan(found.values[i])) return INFINITY;
    worst = std::max(worst, std::abs(static_cast<double>(found.values[i]) - truth.values[i]));
  }
  return worst;
}

double plateau(Point) { return 300; }
/// 30 degrees steep, bent like a hillside.
double alp(Point p) { return 900 + 0.58 * p.y + 6 * std::sin(p.x / 60) + 4 * std::cos(p.y / 50); }

TEST(Terrain, TakesHousesAndTreesAwayFromFlatGround) {
  auto land =
      test::Landscape(200, 200, plateau).house(60, 60, 90, 72).house(100, 50, 108, 90).tree({50, 140}, 6);
  EXPECT_LT(largest_error(geo::derive_terrain(land.dsm, {}), land.terrain), 0.05);
}

TEST(Terrain, IsNotLedAstrayByASlopeOfThirtyDegrees) {
  auto land =
      test::Landscape(300, 300, alp).house(140, 140, 156, 152).house(60, 200, 70, 212).tree({200, 90}, 5);
  const auto found = geo::derive_terrain(land.dsm, {});
  double worst_at_house = 0;
  for (int row = 140; row < 170; ++row)
    for (int col = 130; col < 166; ++col)
      worst_at_house =
          std::max(worst_at_house, std::abs(1.0 * found.at(col, row) - land.terrain.at(col, row)));
  EXPECT_LT(worst_at_house, 1.0);
  EXPECT_LT(largest_error(found, land.terrain), 3.0);
}

TEST(Terrain, KeepsTheSidesOfANarrowValley) {
  const auto valley = [](Point p) { return 700 + 0.7 * std::max(0.0, std::abs(p.x - 150) - 15); };
  auto land = test::Landscape(300, 300, valley).house(205, 140, 220, 152).house(143, 100, 157, 112);
  const auto found = geo::derive_terrain(land.dsm, {});
  for (const Point p : {Point{212, 146}, Point{150, 106}, Point{100, 150}})
    EXPECT_NEAR(found.at(found.col_of(p.x), found.row_of(p.y)), valley(p), 1.0) << p.x;
}

TEST(Terrain, LooksUnderABlockOfEightyMetres) {
  auto land = test::Landscape(300, 300, plateau).house(100, 100, 180, 180);
  EXPECT_LT(largest_error(geo::derive_terrain(land.dsm, {}), land.terrain), 0.1);
}

TEST(Terrain, IsWholeWhereTheSurfaceModelHasHoles) {
  auto land = test::Landscape(150, 150, [](Point p) { return 100 + 0.1 * p.x; }).house(60, 60, 80, 70);
  for (int row = 20; row < 50; ++row)
    for (int col = 40; col < 100; ++col) land.dsm.at(col, row) = geo::kNoData;
  EXPECT_LT(largest_error(geo::derive_terrain(land.dsm, {}), land.terrain), 0.7);
}

TEST(Terrain, StaysEmptyWhereThereIsNothing) {
  const Grid<float> nothing(40, 30, 0, 30, 1, geo::kNoData);
  const auto found = geo::derive_terrain(nothing, {});
  EXPECT_TRUE(std::all_of(found.values.begin(), found.values.end(), [](float z) { return std::isnan(z); }));
  EXPECT_TRUE(geo::derive_terrain(Grid<float>{}, {}).values.empty());
}

TEST(Terrain, StopsWhenTheRunIsCancelled) {
  geo::RunControl control;
  control.cancel();
  EXPECT_THROW(geo::derive_terrain(test::Landscape(50, 50, plateau).dsm, control), geo::Cancelled);
}

TEST(Terrain, ResamplesAModelOfOtherCellsExactlyOnAPlane) {
  auto slope = [](Point p) { return 50 + 0.2 * p.x - 0.1 * p.y; };
  const auto land = test::Landscape(60, 60, slope);
  Grid<float> dtm(50, 50, -20.3, 80.7, 2);
  for (int row = 0; row < dtm.height; ++row)
    for (int col = 0; col < dtm.width; ++col)
      dtm.at(col, row) = static_cast<float>(slope(dtm.centre(col, row)));
  EXPECT_LT(largest_error(geo::terrain_on(land.dsm, dtm, {}), land.terrain), 1e-3);
}

TEST(Terrain, ClosesTheHolesOfAModelWithoutAStep) {
  const auto land = test::Landscape(80, 80, plateau);
  Grid<float> dtm = land.terrain;
  for (float& z : dtm.values) z += 0.4f;  // the two models disagree
  for (int row = 0; row < 30; ++row)
    for (int col = 0; col < 80; ++col) dtm.at(col, row) = geo::kNoData;
  const auto found = geo::terrain_on(land.dsm, dtm, {});
  for (const float z : found.values) ASSERT_NEAR(z, 300.4, 0.01);
}

TEST(Terrain, AgreesWithTheLaserPointsOfDelft) {
  ROOF_NEEDS_SHARED_DATA();
  const auto folder = test::shared_file("data/delft");
  const auto dsm = geo::Raster::open(folder / "dsm.tif")->read({0, 0, 1e7, 1e7});
  const auto dtm = geo::Raster::open(folder / "dtm.tif")->read({0, 0, 1e7, 1e7});
  ASSERT_TRUE(dsm && dtm);
  const auto found = geo::derive_terrain(*dsm, {});
  double squares = 0;
  int cells = 0, off = 0;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    if (std::isnan(dtm->values[i])) continue;
    const double error = found.values[i] - dtm->values[i];
    squares += error * error;
    off += std::abs(error) > 1;
    ++cells;
  }
  ASSERT_GT(cells, 50000);
  EXPECT_LT(std::sqrt(squares / cells), 0.22);
  EXPECT_LT(off, cells / 1000) << "cells more than a metre off";
}

TEST(Morphology, ErosionIsTheLowestOfTheWindowWhateverItsSize) {
  Grid<float> grid(23, 17, 0, 17, 1);
  for (std::size_t i = 0; i < grid.values.size(); ++i) grid.values[i] = static_cast<float>((i * 7919) % 101);
  for (const int radius : {1, 2, 5, 30}) {
    const auto found = geo::eroded(grid, radius);
    for (int row = 0; row < grid.height; ++row)
      for (int col = 0; col < grid.width; ++col) {
        float lowest = 1e9f;
        for (int r = row - radius; r <= row + radius; ++r)
          for (int c = col - radius; c <= col + radius; ++c)
            if (grid.contains(c, r)) lowest = std::min(lowest, grid.at(c, r));
        ASSERT_EQ(found.at(col, row), lowest) << "radius " << radius;
      }
  }
}

}  // namespace
