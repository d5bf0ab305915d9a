// Rasters that were made finer by repeating cells.
#include "geo/grid/repeats.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

/// Heights without a repeated value.
geo::Grid<float> measured(int width, int height) {
  geo::Grid<float> heights(width, height, 1000, 5000, 1, 0);
  std::mt19937 random(7);
  for (float& z : heights.values) z = 400 + std::uniform_real_distribution<float>(0, 20)(random);
  return heights;
}

/// Each cell as `times` by `times` cells; so many columns and rows are cut off before the first.
geo::Grid<float> repeated(const geo::Grid<float>& all, int times, int cols_off = 0, int rows_off = 0) {
  geo::Grid<float> out(all.width * times - cols_off, all.height * times - rows_off,
                       all.west + cols_off * all.cell_m / times, all.north - rows_off * all.cell_m / times,
                       all.cell_m / times);
  for (int row = 0; row < out.height; ++row)
    for (int col = 0; col < out.width; ++col)
      out.at(col, row) = all.at((col + cols_off) / times, (row + rows_off) / times);
  return out;
}

void expect_same_cells(const geo::Grid<float>& found, const geo::Grid<float>& wanted) {
  EXPECT_EQ(found.width, wanted.width);
  EXPECT_EQ(found.height, wanted.height);
  EXPECT_NEAR(found.west, wanted.west, 1e-9);
  EXPECT_NEAR(found.north, wanted.north, 1e-9);
  EXPECT_NEAR(found.cell_m, wanted.cell_m, 1e-12);
  EXPECT_EQ(found.values, wanted.values);
}

TEST(Repeats, MeasuredHeightsStayAsTheyAre) {
  expect_same_cells(geo::without_repeats(measured(90, 70)), measured(90, 70));
}

TEST(Repeats, ACellThatWasRepeatedIsOneCellAgain) {
  for (const int times : {2, 3, 4, 5, 8})
    expect_same_cells(geo::without_repeats(repeated(measured(90, 70), times)), measured(90, 70));
}

TEST(Repeats, SquaresThatTheWindowCutsKeepTheirPlace) {
  expect_same_cells(geo::without_repeats(repeated(measured(90, 70), 4, 1, 3)), measured(90, 70));
  expect_same_cells(geo::without_repeats(repeated(measured(90, 70), 5, 4, 2)), measured(90, 70));
}

TEST(Repeats, WaterAndAnEmptyGridTellNothing) {
  const geo::Grid<float> lake(200, 200, 0, 0, 1, 395.2f);
  expect_same_cells(geo::without_repeats(lake), lake);
  EXPECT_TRUE(geo::without_repeats(geo::Grid<float>()).values.empty());
}

TEST(Repeats, RepeatedInOneDirectionOnlyIsNoResampling) {
  geo::Grid<float> stripes = measured(90, 70);
  for (int row = 0; row < stripes.height; ++row)
    for (int col = 0; col < stripes.width; ++col) stripes.at(col, row) = stripes.at(col / 2 * 2, row);
  expect_same_cells(geo::without_repeats(stripes), stripes);
}

TEST(Repeats, CellsWithoutDataStayWithoutData) {
  geo::Grid<float> gaps = measured(90, 70);
  for (int row = 10; row < 30; ++row)
    for (int col = 0; col < 40; ++col) gaps.at(col, row) = geo::kNoData;
  const geo::Grid<float> found = geo::without_repeats(repeated(gaps, 3));
  ASSERT_EQ(found.values.size(), gaps.values.size());
  for (std::size_t i = 0; i < gaps.values.size(); ++i)
    EXPECT_EQ(std::isnan(found.values[i]), std::isnan(gaps.values[i])) << i;
}

}  // namespace
