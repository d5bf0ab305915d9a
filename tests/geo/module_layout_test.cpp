#include "geo/layout/module_layout.hpp"

#include <gtest/gtest.h>

#include <set>

#include "drawn_surface.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace {

using geo::Orientation;
using test::box;

/// Modules of 2 m x 1 m without gaps or margins: a drawing shows what fits.
geo::ModuleOptions plain() {
  return {.length_m = 2,
          .width_m = 1,
          .edge_margin_m = 0,
          .flat_edge_margin_m = 0,
          .obstacle_margin_m = 0,
          .gap_m = 0};
}

std::size_t count(const test::DrawnSurface& roof, const geo::ModuleOptions& options,
                  Orientation orientation) {
  return geo::layout_modules(roof.outline, roof.obstacles, 30, options, orientation, {}).size();
}

TEST(ModuleLayout, FillsASurfaceThatIsExactlyAsLargeAsItsModules) {
  const auto roof = test::surface(R"(
      +--------+
      |        |
      |        |
      |        |
      |        |
      +--------+)",
                                  1, 1);
  EXPECT_EQ(count(roof, plain(), Orientation::portrait), 16u);
  EXPECT_EQ(count(roof, plain(), Orientation::landscape), 16u);
}

TEST(ModuleLayout, AChimneyCostsTheModulesItTouchesAndNoMore) {
  const auto roof = test::surface(R"(
      +--------+
      |        |
      |        |
      |   #    |
      |   #    |
      +--------+)",
                                  1, 1);
  EXPECT_EQ(count(roof, plain(), Orientation::portrait), 15u);
  EXPECT_EQ(count(roof, plain(), Orientation::landscape), 14u);
}

TEST(ModuleLayout, SlidesTheGridPastAChimneyAtTheVerge) {
  const auto roof = test::surface(R"(
      +-----------------+
      |#                |
      +-----------------+)",
                                  0.5, 2);
  EXPECT_EQ(count(roof, plain(), Orientation::portrait), 8u) << "all from 0.5 m to 8.5 m";
}

TEST(ModuleLayout, SacrificesTheColumnThatTwoChimneysShare) {
  // Any position loses a column to each chimney, unless both stand in the same one.
  const auto roof = test::surface(R"(
      +--------------------+
      |        #           |
      |                    |
      |                    |
      |         #          |
      +--------------------+)",
                                  0.5, 0.5);
  EXPECT_EQ(count(roof, plain(), Orientation::portrait), 9u);
}

TEST(ModuleLayout, KeepsItsDistancesAndTheWiderOnesOnAFlatRoof) {
  const geo::ModuleOptions options;
  auto modules_at = [&](double width, double height, double tilt) {
    return geo::layout_modules(box(0, 0, width, height), {}, tilt, options, Orientation::portrait, {}).size();
  };
  const double width = 3 * 1.134 + 2 * 0.02, height = 2 * 1.762 + 0.02;
  EXPECT_EQ(modules_at(width + 0.6, height + 0.6, 30), 6u) << "exactly fits with 0.3 m all around";
  EXPECT_EQ(modules_at(width + 0.599, height + 0.6, 30), 4u) << "a millimetre short";
  EXPECT_EQ(modules_at(width + 0.6, height + 0.6, 10), 2u) << "0.5 m on a flat roof";
  EXPECT_EQ(modules_at(width + 1.0, height + 1.0, 10), 6u);
}

TEST(ModuleLayout, CountsRowsFromTheEavesAndColumnsFromTheLeft) {
  const auto modules = geo::layout_modules(box(3, 5, 6, 9), {}, 30, plain(), Orientation::portrait, {});
  ASSERT_EQ(modules.size(), 6u);
  EXPECT_EQ(modules.front().row, 0);
  EXPECT_EQ(modules.front().col, 0);
  EXPECT_NEAR(modules.front().corners[0].x, 3, 1e-5);
  EXPECT_NEAR(modules.front().corners[0].y, 5, 1e-5);
  EXPECT_EQ(modules.back().row, 1);
  EXPECT_EQ(modules.back().col, 2);
}

TEST(ModuleLayout, OfATriangularHipKeepsItsColumnsInLine) {
  // 10 m eaves, sides of 45 degrees: rows slid one by one would carry 4 + 3 + 2 + 1; a rigid grid 4 + 2 + 2.
  const geo::Polygon hip{.outer = {{0, 0}, {10, 0}, {5, 5}}};
  EXPECT_EQ(geo::layout_modules(hip, {}, 30, plain(), Orientation::landscape, {}).size(), 8u);
}

TEST(ModuleLayout, LeavesTheCourtyardOfARingFree) {
  geo::Polygon ring = box(0, 0, 8, 8);
  ring.holes.push_back({{2, 2}, {2, 6}, {6, 6}, {6, 2}});
  EXPECT_EQ(geo::layout_modules(ring, {}, 5, plain(), Orientation::portrait, {}).size(), (64u - 16u) / 2);
}

TEST(ModuleLayout, PutsNothingWhereNothingFits) {
  EXPECT_TRUE(geo::layout_modules(box(0, 0, 1.5, 1.5), {}, 30, {}, Orientation::portrait, {}).empty());
  EXPECT_TRUE(geo::layout_modules({}, {}, 30, {}, Orientation::portrait, {}).empty());
  EXPECT_TRUE(
      geo::layout_modules(box(0, 0, 8, 8), {box(-1, -1, 9, 9)}, 30, {}, Orientation::portrait, {}).empty())
      << "one obstacle over everything";
}

TEST(ModuleLayout, StopsWhenTheRunIsCancelled) {
  geo::RunControl control;
  control.cancel();
  EXPECT_THROW(geo::layout_modules(box(0, 0, 8, 8), {}, 30, {}, Orientation::portrait, control),
               geo::Cancelled);
}

TEST(ModuleLayout, IsTheSameEveryTime) {
  const geo::Polygon roof{.outer = {{0, 0}, {11.3, 0.4}, {9.1, 6.2}, {2.2, 5.8}}};
  const std::vector<geo::Polygon> chimney{box(4, 2, 4.6, 2.5)};
  const auto once = geo::layout_modules(roof, chimney, 30, {}, Orientation::landscape, {});
  const auto again = geo::layout_modules(roof, chimney, 30, {}, Orientation::landscape, {});
  ASSERT_EQ(once.size(), again.size());
  ASSERT_FALSE(once.empty());
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].corners, again[i].corners);
}

}  // namespace
