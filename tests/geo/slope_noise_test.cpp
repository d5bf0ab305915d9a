// How far cells scatter about a slope, read off the heights.
#include "geo/property/slope_noise.hpp"

#include <gtest/gtest.h>

#include "tests/geo/roof_test_scene.hpp"

namespace {

/// A slope of 30 m by 30 m whose cells hold the height of a place within `reach` of their centre, along the
/// slope.
geo::Grid<float> slope(double gradient, double reach) {
  geo::Grid<float> out(30, 30, 0, 30, 1);
  for (int row = 0; row < out.height; ++row)
    for (int col = 0; col < out.width; ++col) {
      const auto key = static_cast<std::uint64_t>(row * 64 + col);
      out.at(col, row) = static_cast<float>(gradient * (col + reach * (2 * test::hash01(key) - 1)));
    }
  return out;
}

geo::Mask all_of(const geo::Grid<float>& grid) { return grid.like(std::uint8_t{1}); }

TEST(SlopeNoise, IsTheScatterOverTheRiseAcrossACell) {
  for (const double gradient : {0.4, 0.7, 1.2})
    for (const double reach : {0.2, 0.4}) {
      const auto dsm = slope(gradient, reach);
      EXPECT_NEAR(geo::slope_noise(dsm, all_of(dsm)), reach / std::sqrt(3), 0.15 * reach)
          << gradient << " " << reach;
    }
}

TEST(SlopeNoise, IsTheUsualOneWhereNoSlopesAre) {
  const auto level = slope(0.05, 0.4), steep = slope(0.8, 0.4);
  EXPECT_EQ(geo::slope_noise(level, all_of(level)), geo::kUsualSlopeNoise);
  EXPECT_EQ(geo::slope_noise(steep, steep.like(std::uint8_t{0})), geo::kUsualSlopeNoise);
}

TEST(SlopeNoise, FewWindowsHardlyTell) {
  const auto dsm = slope(0.8, 0.4);
  geo::Mask few = dsm.like(std::uint8_t{0});
  for (int row = 0; row < 4; ++row)
    for (int col = 0; col < 4; ++col) few.at(col, row) = 1;
  EXPECT_LT(geo::slope_noise(dsm, few), 0.16);
}

TEST(SlopeNoise, OneChimneyIsNoNoise) {
  auto dsm = slope(0.8, 0.3);
  const double without = geo::slope_noise(dsm, all_of(dsm));
  dsm.at(15, 15) += 1.5F;
  EXPECT_NEAR(geo::slope_noise(dsm, all_of(dsm)), without, 0.01);
}

}  // namespace
