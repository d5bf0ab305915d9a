#include "geo/warnings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/geo/landscape.hpp"
#include "tests/geo/roof_test_scene.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using test::rectangle;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using test::flat;

const std::vector<geo::Building> kTwoBuildings{{rectangle(10, 10, 22, 20), true},
                                               {rectangle(40, 40, 50, 50), true}};

geo::RoofSurface on_building(int number) {
  geo::RoofSurface s;
  s.building = number;
  return s;
}
const std::vector<geo::RoofSurface> kSurfaces{on_building(1), on_building(2)};

TEST(SiteWarnings, SayOfResampledHeightsWhatIsLost) {
  const geo::Site site{.frame = test::place_frame()};
  const auto of = [&](geo::CellKind cells) { return geo::site_warnings(site, {}, cells); };
  const auto resampled = testing::Contains(HasSubstr("in ein anderes Gitter umgerechnet"));
  EXPECT_THAT(of(geo::CellKind::resampled), resampled);
  for (const auto other : {geo::CellKind::unknown, geo::CellKind::interpolated, geo::CellKind::mean,
                           geo::CellKind::single_return})
    EXPECT_THAT(of(other), testing::Not(resampled));
}

TEST(BuildingWarnings, NameAFootprintWithoutABuildingInTheHeights) {
  const auto land = test::Landscape(60, 60, flat).house(10, 10, 22, 20);
  EXPECT_THAT(geo::building_warnings(kTwoBuildings, kSurfaces, land.dsm, land.terrain),
              ElementsAre(HasSubstr("Gebäude 2 ist in den Höhendaten nicht zu sehen")));
}

TEST(BuildingWarnings, CountBothWhenNeitherIsThereYet) {
  const test::Landscape land(60, 60, flat);
  EXPECT_THAT(geo::building_warnings(kTwoBuildings, kSurfaces, land.dsm, land.terrain),
              ElementsAre(HasSubstr("Die Gebäude 1 und 2 sind")));
}

TEST(BuildingWarnings, SayNothingWhereTheHeightsAreMissing) {
  auto land = test::Landscape(60, 60, flat).house(10, 10, 22, 20);
  for (int row = 0; row < 30; ++row)
    for (int col = 30; col < 60; ++col) land.dsm.at(col, row) = geo::kNoData;
  EXPECT_THAT(geo::building_warnings(kTwoBuildings, kSurfaces, land.dsm, land.terrain), IsEmpty());
}

TEST(BuildingWarnings, SayNothingOfOutlinesThatWereReadFromTheHeights) {
  const test::Landscape land(60, 60, flat);
  EXPECT_THAT(geo::building_warnings({{rectangle(10, 10, 22, 20), false}}, {}, land.dsm, land.terrain),
              IsEmpty());
}

TEST(BuildingWarnings, NameAHouseThatCanBeSeenAndCarriesNoSurface) {
  const auto land = test::Landscape(60, 60, flat).house(10, 10, 22, 20).house(40, 40, 50, 50);
  EXPECT_THAT(geo::building_warnings(kTwoBuildings, {on_building(1)}, land.dsm, land.terrain),
              ElementsAre(HasSubstr("Gebäude 2 ist in den Höhendaten zu sehen, ohne")));
  EXPECT_THAT(geo::building_warnings(kTwoBuildings, kSurfaces, land.dsm, land.terrain), IsEmpty());
}

geo::RoofSurface surface(int id, int cells, bool below_trees) {
  geo::RoofSurface s;
  s.id = id;
  s.fit.cells = cells;
  s.fit.below_vegetation = below_trees;
  return s;
}

TEST(SurfaceWarnings, NameTheSurfacesWithFewCellsAndThoseUnderTrees) {
  EXPECT_THAT(geo::surface_warnings({surface(1, 12, false), surface(2, 50, true), surface(3, 15, true)}),
              ElementsAre(HasSubstr("Die Flächen 1 und 3 beruhen auf wenigen Höhenpunkten"),
                          HasSubstr("Die Flächen 2 und 3 liegen zum Teil unter Bäumen")));
  EXPECT_THAT(geo::surface_warnings({surface(1, 80, false)}), IsEmpty());
}

geo::Totals design(int modules, int possible, double yield_kwh) {
  geo::Totals totals;
  totals.design_modules = modules;
  totals.modules_possible = possible;
  totals.design_yield_kwh = yield_kwh;
  return totals;
}

TEST(DesignWarnings, SayThatTheLayoutStopsShortOfTheConsumptionWithModulesLeft) {
  EXPECT_THAT(geo::design_warnings(design(4, 13, 2000), {.consumption_kwh = 2299.5}),
              ElementsAre(HasSubstr("bleibt um 300 kWh im Jahr unter dem Verbrauch")));
}

TEST(DesignWarnings, TellOfAConsumptionThatIsATypingError) {
  EXPECT_THAT(geo::design_warnings(design(1, 13, 400), {.consumption_kwh = 4.5}),
              ElementsAre(HasSubstr("4,5 kWh ist sehr klein")));
  EXPECT_THAT(geo::design_warnings(design(1, 13, 400), {.consumption_kwh = 100}), IsEmpty());
}

TEST(DesignWarnings, SayNothingWhereTheConsumptionIsCoveredOrTheRoofIsFull) {
  EXPECT_THAT(geo::design_warnings(design(5, 13, 2500), {.consumption_kwh = 2300}), IsEmpty());
  EXPECT_THAT(geo::design_warnings(design(5, 13, 2300), {.consumption_kwh = 2300.2}), IsEmpty())
      << "a thousandth of a module is rounding";
  EXPECT_THAT(geo::design_warnings(design(13, 13, 2000), {.consumption_kwh = 2300}), IsEmpty());
  EXPECT_THAT(geo::design_warnings(design(0, 0, 0), {.consumption_kwh = 2300}), IsEmpty());
}

}  // namespace
