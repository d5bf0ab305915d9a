// Half a roof is never reported as a whole one.
#include "geo/missing_heights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include "tests/geo/simple_shapes.hpp"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using test::rectangle;

/// 40 m by 40 m from (0, 0); no heights where `lost` holds.
geo::Grid<float> heights(const std::function<bool(geo::Point)>& lost) {
  geo::Grid<float> grid(40, 40, 0, 40, 1, 100);
  for (std::size_t i = 0; i < grid.values.size(); ++i)
    if (lost(grid.centre(i))) grid.values[i] = geo::kNoData;
  return grid;
}
std::function<bool(geo::Point)> east_of(double x) {
  return [x](geo::Point p) { return p.x > x; };
}

geo::Property house(bool from_footprints = true) {
  return {.buildings = {{.footprint = rectangle(10, 10, 20, 20), .from_footprints = from_footprints}}};
}

TEST(MissingHeights, CountWhatLiesBeyondTheModelToo) {
  EXPECT_DOUBLE_EQ(geo::share_without_heights(rectangle(30, 10, 50, 20), heights(east_of(99))), 0.5);
  EXPECT_DOUBLE_EQ(geo::share_without_heights(rectangle(10, 10, 20, 20), heights(east_of(18))), 0.2);
}

TEST(MissingHeights, OfNoCellAreNotMentioned) {
  auto property = house();
  const auto warnings = geo::leave_out_unknown_buildings(property, heights(east_of(20)));
  ASSERT_TRUE(warnings);
  EXPECT_TRUE(warnings->empty());
}

TEST(MissingHeights, OfAFifthAreTold) {
  auto property = house();
  const auto warnings = geo::leave_out_unknown_buildings(property, heights(east_of(18)));
  ASSERT_TRUE(warnings) << warnings.error().text;
  EXPECT_THAT(*warnings, ElementsAre(HasSubstr("20 % von Gebäude 1")));
  EXPECT_EQ(property.buildings.size(), 1u);
}

TEST(MissingHeights, PastAThirdOfTheHouseEndTheRun) {
  auto property = house();
  const auto warnings = geo::leave_out_unknown_buildings(property, heights(east_of(16)));
  ASSERT_FALSE(warnings);
  EXPECT_EQ(warnings.error().kind, geo::FailureKind::no_roof);
  EXPECT_THAT(warnings.error().text, HasSubstr("mehr als ein Drittel"));
}

TEST(MissingHeights, PastAThirdOfAnotherBuildingLeaveItOutAndSaySo) {
  auto property = house();
  property.buildings.push_back({.footprint = rectangle(24, 10, 30, 16)});
  const auto warnings = geo::leave_out_unknown_buildings(property, heights(east_of(26)));
  ASSERT_TRUE(warnings) << warnings.error().text;
  EXPECT_THAT(*warnings, ElementsAre(HasSubstr("Nebengebäude")));
  EXPECT_EQ(property.buildings.size(), 1u);
}

TEST(MissingHeights, BesideAnOutlineThatWasReadFromThemEndTheRun) {
  auto property = house(false);
  const auto warnings = geo::leave_out_unknown_buildings(property, heights(east_of(20)));
  ASSERT_FALSE(warnings) << "the outline ends where the heights do";
  EXPECT_THAT(warnings.error().text, HasSubstr("denn sie enden an ihm"))
      << "nobody knows how much is missing";
}

TEST(MissingHeights, ExplainWhyNoBuildingWasFound) {
  EXPECT_THAT(geo::no_building_text(heights(east_of(-1)), {20, 20}), HasSubstr("fehlen Höhendaten"));
  EXPECT_THAT(geo::no_building_text(geo::Grid<float>(80, 80, -20, 60, 1, 100), {20, 20}),
              HasSubstr("kein Gebäude gefunden"));
}

}  // namespace
