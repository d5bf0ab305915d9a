// What rasters do not say of themselves: numbers that stand for nothing, and heights of another kind.
#include "geo/height_agreement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geo/grid/fill_values.hpp"

namespace {

using geo::Grid;

/// A slope with a house on it, a metre a cell.
Grid<float> ground(float at, float per_metre, float house_m) {
  Grid<float> grid(300, 300, 0, 300, 1);
  for (int row = 0; row < grid.height; ++row)
    for (int col = 0; col < grid.width; ++col) {
      const bool house = row > 140 && row < 160 && col > 140 && col < 160;
      grid.at(col, row) = at + per_metre * static_cast<float>(col) + 0.01F * static_cast<float>(row % 7) +
                          (house ? house_m : 0);
    }
  return grid;
}

std::ptrdiff_t missing(const Grid<float>& grid) {
  return std::count_if(grid.values.begin(), grid.values.end(), [](float z) { return std::isnan(z); });
}

/// `cells` of the grid get the value; how many are missing afterwards.
std::ptrdiff_t missing_with(Grid<float> grid, float value, std::size_t cells) {
  std::fill_n(grid.values.begin(), cells, value);
  geo::drop_fill_values(grid);
  return missing(grid);
}

TEST(FillValues, FarFromAllHeightsAreNoHeights) {
  for (const float at : {40.0F, 550.0F, 2500.0F})
    for (const float value : {0.0F, -99.0F, -499.0F, 8888.0F})
      for (const std::size_t cells : {1U, 50U, 20'000U})
        EXPECT_EQ(missing_with(ground(at, 0.1F, 8), value, cells), static_cast<std::ptrdiff_t>(cells))
            << value << " at " << at;
}

TEST(FillValues, OfSeveralKindsAllGo) {
  Grid<float> grid = ground(550, 0.1F, 8);
  grid.values[0] = 0, grid.values[1] = -99, grid.values[2] = -200;
  geo::drop_fill_values(grid);
  EXPECT_EQ(missing(grid), 3);
}

TEST(FillValues, HeightsOfAPlaceStay) {
  for (Grid<float> grid : {ground(550, 0, 8), ground(0, 0.001F, 8), ground(-1, 0.01F, 8), ground(2, 1.7F, 8),
                           ground(100, 0, 250), ground(0, 0, 30)}) {
    geo::drop_fill_values(grid);
    EXPECT_EQ(missing(grid), 0) << grid.values[0];
  }
  Grid<float> sea = ground(0, 0, 0);  // whole metres, and a dike
  for (std::size_t i = 0; i < sea.values.size(); ++i) sea.values[i] = i % 300 > 200 ? 1 : 0;
  geo::drop_fill_values(sea);
  EXPECT_EQ(missing(sea), 0);
}

TEST(HeightAgreement, OfOnePlaceIsNoContradiction) {
  const Grid<float> terrain = ground(550, 0.3F, 0);
  EXPECT_FALSE(geo::terrain_contradiction(ground(550, 0.3F, 9), terrain));
  EXPECT_FALSE(geo::terrain_contradiction(ground(552, 0.3F, 9), terrain)) << "two offices' flights";
  Grid<float> wood = ground(575, 0.3F, 0);
  for (std::size_t i = 0; i < wood.values.size(); i += 7) wood.values[i] -= 24;
  EXPECT_FALSE(geo::terrain_contradiction(wood, terrain)) << "trees all around";
  Grid<float> clearing = ground(583, 0.3F, 0);
  for (int row = 130; row < 170; ++row)
    for (int col = 130; col < 170; ++col) clearing.at(col, row) -= 33;
  EXPECT_FALSE(geo::terrain_contradiction(clearing, terrain)) << "a house in a closed wood";
  EXPECT_FALSE(geo::relief_contradiction(terrain, 640)) << "a coarse cell in the mountains";
}

TEST(HeightAgreement, OfOtherUnitsSystemsAndHeightsAboveGroundIsTold) {
  const Grid<float> surface = ground(550, 0.3F, 9);
  for (const float wrong : {5500.0F, 550 / 0.3048F, 0.0F, 550 + 47.3F, 550 - 47.3F}) {
    const auto told = geo::terrain_contradiction(surface, ground(wrong, 0.3F, 0));
    ASSERT_TRUE(told) << wrong;
    EXPECT_NE(told->find("passt nicht zum Oberflächenmodell"), std::string::npos);
  }
  EXPECT_TRUE(geo::terrain_contradiction(ground(0, 0, 9), ground(550, 0.3F, 0))) << "heights above ground";
  EXPECT_TRUE(geo::relief_contradiction(surface, 5500));
  EXPECT_TRUE(geo::relief_contradiction(ground(0, 0, 9), 550));
  EXPECT_FALSE(geo::relief_contradiction(surface, std::nan("")));
}

}  // namespace
