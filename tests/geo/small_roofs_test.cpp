// Garages and sheds found without footprints: what is one, where it ends, and what is none.
#include "geo/property/small_roofs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "geo/property/building_cells.hpp"
#include "geo/property/building_outlines.hpp"
#include "geo/shapes/shape_algebra.hpp"
#include "tests/geo/roof_test_scene.hpp"

namespace {

using geo::Point;

constexpr double kGround_m = 100;

/// Coordinates in a frame turned by 25 degrees about the middle of a scene of 40 m, along and across.
Point askew(Point p) {
  const double x = p.x - 20, y = p.y - 20, c = std::cos(0.436), s = std::sin(0.436);
  return {c * x + s * y, c * y - s * x};
}

double gabled_garage(Point p) {
  const Point at = askew(p);
  return std::abs(at.x) < 3.4 && std::abs(at.y) < 2 ? 102.4 + 0.5 * (2 - std::abs(at.y)) : kGround_m;
}

/// 12 m by 9 m, ridge along, its gable's end at the garage, which is 3.4 m by 6 m.
double house_with_garage(Point p) {
  const Point at = askew(p);
  if (at.x > -4 && at.x < 8 && std::abs(at.y) < 4.5) return 104 + 0.7 * (4.5 - std::abs(at.y));
  return at.x > -7.4 && at.x < 0 && std::abs(at.y) < 3 ? 102.5 + 0.4 * (3 - std::abs(at.y)) : kGround_m;
}

std::vector<geo::SmallRoof> found_in(const test::RoofScene& scene) {
  return geo::find_buildings(scene.dsm, scene.terrain, {}).garages;
}

TEST(SmallRoofs, AGabledGarageAskewToTheGridIsARectangleToAFewDecimetres) {
  const auto found = found_in(test::scene(gabled_garage, {}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(geo::area_m2(found[0].outline), 6.8 * 4, 3);
  const Point origin = test::scene(gabled_garage, {}).frame.origin();
  const Point off{std::round(origin.x), std::round(origin.y)};
  for (const Point& corner : found[0].outline.outer) {
    const Point at = askew({corner.x - off.x, corner.y - off.y});
    EXPECT_NEAR(std::abs(at.x), 3.4, 0.4);
    EXPECT_NEAR(std::abs(at.y), 2, 0.4);
  }
}

TEST(SmallRoofs, AGarageAgainstAHouseIsOneAndReachesToItsWall) {
  const auto scene = test::scene(house_with_garage, {});
  const auto outlines = geo::building_outlines(scene.dsm, scene.terrain, {});
  ASSERT_TRUE(outlines);
  ASSERT_EQ(outlines->size(), 2u);
  EXPECT_FALSE((*outlines)[0].rectangle);
  EXPECT_TRUE((*outlines)[1].rectangle);
  EXPECT_NEAR(geo::area_m2((*outlines)[1].shape), 3.4 * 6, 5);
  EXPECT_LT(geo::distance_m((*outlines)[0].shape, (*outlines)[1].shape), 0.5);
}

/// The same house with a level garage at its end: how far it reaches out from the wall, half its width, and
/// its roof's height.
std::function<double(Point)> house_with_level_garage(double out_m, double half_m, double height_m) {
  return [=](Point p) {
    const Point at = askew(p);
    if (at.x > -4 && at.x < 8 && std::abs(at.y) < 4.5) return 104 + 0.7 * (4.5 - std::abs(at.y));
    return at.x > -4 - out_m && at.x < 0 && std::abs(at.y) < half_m ? kGround_m + height_m : kGround_m;
  };
}

TEST(SmallRoofs, AFewCellsAreAGarageWhereTheyLieMuchMoreEvenThanLeaves) {
  EXPECT_EQ(found_in(test::scene(house_with_level_garage(2.7, 2.5, 2.5), {})).size(), 1u);
}

TEST(SmallRoofs, WhatStandsHigherThanAnyGarageBesideAHouseIsNone) {
  EXPECT_EQ(found_in(test::scene(house_with_level_garage(3.4, 3, 2.9), {})).size(), 1u);
  EXPECT_TRUE(found_in(test::scene(house_with_level_garage(3.4, 3, 4.2), {})).empty());
}

TEST(SmallRoofs, AGarageDugIntoAHillsideBesideAHouseIsOne) {
  // On a hillside less than two metres above the ground.
  const auto scene = test::scene(house_with_level_garage(3.4, 3, 1.8), {});
  const auto outlines = geo::building_outlines(scene.dsm, scene.terrain, {});
  ASSERT_TRUE(outlines);
  ASSERT_EQ(outlines->size(), 2u);
  EXPECT_TRUE((*outlines)[1].rectangle);
  EXPECT_NEAR(geo::area_m2((*outlines)[1].shape), 3.4 * 6, 5);
}

/// The house's ridge runs on over a bay of 4 m at its end, narrower than the house.
double house_with_bay(Point p) {
  const Point at = askew(p);
  const double roof = 104 + 0.7 * (4.5 - std::abs(at.y));
  if (at.x > -4 && at.x < 8 && std::abs(at.y) < 4.5) return roof;
  return at.x > -8 && at.x < 0 && std::abs(at.y) < 2.4 ? roof : kGround_m;
}

/// What stands beside the house beyond x = -4, the house's own cells being known.
std::vector<geo::SmallRoof> beside_house(double (*surface)(Point)) {
  const auto scene = test::scene(surface, {});
  const Point off{scene.dsm.west, scene.dsm.north - scene.dsm.height};
  geo::Mask free = scene.dsm.like(std::uint8_t{0}), house = free;
  for (int row = 0; row < free.height; ++row)
    for (int col = 0; col < free.width; ++col) {
      const Point p = scene.dsm.centre(col, row);
      if (scene.dsm.at(col, row) - scene.terrain.at(col, row) < 2) continue;
      (askew({p.x - off.x, p.y - off.y}).x > -4 ? house : free).at(col, row) = 1;
    }
  return geo::small_roofs(scene.dsm, scene.terrain, free, house, house, free.like(std::uint8_t{0}), {});
}

TEST(SmallRoofs, WhatTheHousesOwnPlanesGoOnInIsTheHouses) {
  const auto bay = beside_house(house_with_bay);
  ASSERT_EQ(bay.size(), 1u);
  EXPECT_TRUE(bay[0].of_house);
  const auto garage = beside_house(house_with_garage);
  ASSERT_EQ(garage.size(), 1u);
  EXPECT_FALSE(garage[0].of_house);
}

TEST(SmallRoofs, BothHalvesOfTheGarageAgainstTheHouseAreSurfaces) {
  auto scene = test::scene(house_with_garage, {});
  const auto outlines = geo::building_outlines(scene.dsm, scene.terrain, {});
  ASSERT_TRUE(outlines);
  for (const geo::BuildingOutline& o : *outlines)
    scene.buildings.push_back({.footprint = o.shape, .from_footprints = false, .rectangle = o.rectangle});
  int halves = 0;
  for (const geo::RoofPlane& plane : scene.detect())
    if (plane.building == 1) {
      EXPECT_NEAR(std::hypot(plane.plane.gx, plane.plane.gy), 0.4, 0.12);
      EXPECT_NEAR(geo::area(plane.outline), 3.4 * 3, 3.5);
      ++halves;
    }
  EXPECT_EQ(halves, 2);
}

TEST(SmallRoofs, ACrownAsLargeAsAGarageIsNone) {
  for (const double radius_m : {1.8, 2.2, 2.6, 3.0})
    for (std::uint64_t tree = 0; tree < 25; ++tree) {
      const auto crown = [&](Point p) {
        const double off = std::hypot(p.x - 20, p.y - 20) / radius_m;
        if (off > 1) return kGround_m;
        // Leaves at all depths of the upper crown: no two returns meet the same.
        const auto key = static_cast<std::uint64_t>(p.x * 4096) * 65536 +
                         static_cast<std::uint64_t>(p.y * 4096) + (tree << 40);
        return kGround_m + 2.5 + 2 * std::sqrt(1 - off * off) - 1.5 * test::hash01(key);
      };
      EXPECT_TRUE(found_in(test::scene(crown, {})).empty()) << radius_m << " m, tree " << tree;
    }
}

TEST(SmallRoofs, AHedgeIsNone) {
  const auto hedge = [](Point p) {
    const Point at = askew(p);
    return std::abs(at.x) < 8 && std::abs(at.y) < 0.8 ? 102.4 : kGround_m;
  };
  EXPECT_TRUE(found_in(test::scene(hedge, {})).empty());
}

}  // namespace
