// Half a roof is never reported as a whole one, and shade that nobody knows of is said.
#include "geo/missing_heights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "geo/german_words.hpp"
#include "tests/geo/roof_test_scene.hpp"
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

/// A place with 300 m of heights around it and no relief; none where `lost` holds, metres east and north of
/// it.
geo::Site site(const std::function<bool(geo::Point)>& lost) {
  geo::Site site{.frame = test::place_frame()};
  const geo::Point o = site.frame.origin();
  site.surroundings = geo::Grid<float>(600, 600, o.x - 300, o.y + 300, 1, 100);
  for (std::size_t i = 0; i < site.surroundings.values.size(); ++i) {
    const geo::Point p = site.surroundings.centre(i);
    if (lost({p.x - o.x, p.y - o.y})) site.surroundings.values[i] = geo::kNoData;
  }
  return site;
}
const auto kNoRelief = HasSubstr("es liegt kein Relief vor");

TEST(UnknownShade, IsSaidByItsDirections) {
  EXPECT_THAT(geo::unknown_shade_warnings(site([](geo::Point p) { return p.x > 30; })),
              ElementsAre(HasSubstr("Nach Nordosten, Osten und Südosten liegen in der Nähe"), kNoRelief));
  EXPECT_THAT(geo::unknown_shade_warnings(site([](geo::Point p) { return p.y < -30 && p.x < 30; })),
              ElementsAre(HasSubstr("Nach Süden und Südwesten liegen in der Nähe"), kNoRelief));
}

TEST(UnknownShade, AllAroundIsSaidInOneWord) {
  EXPECT_THAT(geo::unknown_shade_warnings(site([](geo::Point p) { return std::hypot(p.x, p.y) > 40; })),
              ElementsAre(HasSubstr("Ringsum liegen in der Nähe"), kNoRelief));
}

TEST(UnknownShade, ComesNeitherFromTheNorthNorFromAPond) {
  EXPECT_THAT(geo::unknown_shade_warnings(site([](geo::Point p) { return p.y > 5 + std::abs(p.x) * 3; })),
              ElementsAre(kNoRelief));
  EXPECT_THAT(geo::unknown_shade_warnings(site([](geo::Point p) { return std::hypot(p.x - 45, p.y) < 20; })),
              ElementsAre(kNoRelief));
}

TEST(GermanWords, NameTheNearestCompassPoint) {
  EXPECT_EQ(geo::compass_point(0), "Süd");
  EXPECT_EQ(geo::compass_point(-22.4), "Süd");
  EXPECT_EQ(geo::compass_point(-22.6), "Südost");
  EXPECT_EQ(geo::compass_point(135), "Nordwest");
  EXPECT_EQ(geo::compass_point(180), geo::compass_point(-180));
}

}  // namespace
