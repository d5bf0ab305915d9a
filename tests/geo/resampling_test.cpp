// Heights of one grid in the cells of another.
#include "geo/grid/resampling.hpp"

#include <gtest/gtest.h>

namespace {

using geo::Grid;
using geo::kNoData;

/// Cells of `cell_m` on the plane z = x + 10 y.
Grid<float> plane(int width, int height, double west, double north, double cell_m) {
  Grid<float> grid(width, height, west, north, cell_m);
  for (std::size_t i = 0; i < grid.values.size(); ++i)
    grid.values[i] = static_cast<float>(grid.centre(i).x + 10 * grid.centre(i).y);
  return grid;
}

TEST(Resampling, KeepsThePlaneWhenWholeCellsAreAveraged) {
  const Grid<float> fine = plane(20, 20, 100, 200, 0.25);
  Grid<float> frame(10, 10, 100, 200, 0.5, kNoData);
  geo::average_into(frame, 0, frame.height, fine);
  for (std::size_t i = 0; i < frame.values.size(); ++i)
    EXPECT_NEAR(frame.values[i], frame.centre(i).x + 10 * frame.centre(i).y, 1e-3);
}

TEST(Resampling, KeepsThePlaneToAHundredthOfItsSlopeWhenCellsAreShared) {
  const Grid<float> fine = plane(25, 25, 100, 200, 0.2);
  Grid<float> frame(10, 10, 100, 200, 0.5, kNoData);
  geo::average_into(frame, 0, frame.height, fine);
  for (std::size_t i = 0; i < frame.values.size(); ++i)
    EXPECT_NEAR(frame.values[i], frame.centre(i).x + 10 * frame.centre(i).y, 0.011 * 11);
}

TEST(Resampling, AveragesWhatIsKnownAndNothingFromLessThanHalf) {
  Grid<float> fine(4, 2, 0, 2, 0.5, 7);
  fine.at(0, 0) = kNoData;
  for (const int col : {2, 3}) fine.at(col, 0) = kNoData;
  fine.at(2, 1) = kNoData;
  Grid<float> frame(2, 1, 0, 2, 1, kNoData);
  geo::average_into(frame, 0, 1, fine);
  EXPECT_EQ(frame.at(0, 0), 7) << "three of four";
  EXPECT_TRUE(std::isnan(frame.at(1, 0))) << "one of four";
}

TEST(Resampling, OfAlignedCellsChangesNoBit) {
  const Grid<float> far_east = plane(20, 20, 4'749'999.5, 2'800'000.5, 1);
  for (std::size_t i = 0; i < far_east.values.size(); ++i)
    EXPECT_EQ(geo::height_at_point(far_east, far_east.centre(i)), far_east.values[i]);
}

TEST(Resampling, InventsNothingOutsideNorOverAHole) {
  Grid<float> grid = plane(4, 4, 0, 4, 1);
  grid.at(2, 2) = kNoData;
  for (const geo::Point p : {geo::Point{-0.1, 2}, {4.1, 2}, {2, -0.1}, {2, 4.1}, {2.5, 1.5}, {2.1, 1.9}})
    EXPECT_TRUE(std::isnan(geo::height_at_point(grid, p))) << p.x << " " << p.y;
  EXPECT_NEAR(geo::height_at_point(grid, {1.9, 2.5}), 26.9, 0.2) << "beside the hole";
  EXPECT_TRUE(std::isnan(geo::height_at_point(grid, {NAN, INFINITY})));
}

}  // namespace
