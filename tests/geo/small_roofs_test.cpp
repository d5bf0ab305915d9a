// Garages and sheds found without footprints: what is one, where it ends, and what is none.
#include "geo/property/small_roofs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "geo/property/building_cells.hpp"
#include "geo/property/building_outlines.hpp"
#include "geo/property/property.hpp"
#include "geo/property/slope_noise.hpp"
#include "geo/shapes/shape_algebra.hpp"
#include "tests/geo/roof_test_scene.hpp"
#include "tests/geo/simple_shapes.hpp"

namespace {

using geo::Point;

using test::kGround_m;

/// Coordinates in a frame turned by 25 degrees about the middle of a scene of 40 m, along and across.
Point askew(Point p) {
  const double x = p.x - 20, y = p.y - 20, c = std::cos(0.436), s = std::sin(0.436);
  return {c * x + s * y, c * y - s * x};
}

double gabled_garage(Point p) {
  const Point at = askew(p);
  return std::abs(at.x) < 3.4 && std::abs(at.y) < 2 ? 102.4 + 0.5 * (2 - std::abs(at.y)) : kGround_m;
}

/// A gabled house of `length_m` by 9 m. The garage of 3.4 m by 6 m stands at one of its gable ends.
double long_house_with_garage(Point p, double length_m) {
  const Point at = askew(p);
  if (at.x > -4 && at.x < length_m - 4 && std::abs(at.y) < 4.5) return 104 + 0.7 * (4.5 - std::abs(at.y));
  return at.x > -7.4 && at.x < 0 && std::abs(at.y) < 3 ? 102.5 + 0.4 * (3 - std::abs(at.y)) : kGround_m;
}

double house_with_garage(Point p) { return long_house_with_garage(p, 12); }

std::vector<geo::SmallRoof> found_in(const test::RoofScene& scene) {
  geo::RectangleFits fits;
  return geo::find_buildings(scene.dsm, scene.terrain, geo::kEverywhere, fits, {}).garages;
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

TEST(SmallRoofs, AreSoughtWhereTheyMatter) {
  const auto scene = test::scene(gabled_garage, {});
  const Point middle = scene.dsm.centre(scene.dsm.width / 2, scene.dsm.height / 2);
  const auto found_east_of = [&](double x) {
    geo::RectangleFits fits;
    return geo::find_buildings(scene.dsm, scene.terrain, {x, -1e300, 1e300, 1e300}, fits, {}).garages.size();
  };
  EXPECT_EQ(found_east_of(middle.x - 10), 1u);
  EXPECT_EQ(found_east_of(middle.x), 1u) << "it lies in part there";
  EXPECT_EQ(found_east_of(middle.x + 10), 0u);
}

TEST(SmallRoofs, AGabledGarageForTwoCarsIsOneRectangle) {
  const auto found = found_in(test::scene(
      [](Point p) {
        const Point at = askew(p);
        return std::abs(at.x) < 3.6 && std::abs(at.y) < 3.3 ? 102.3 + 0.5 * (3.3 - std::abs(at.y))
                                                            : kGround_m;
      },
      {}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(geo::area_m2(found[0].outline), 7.2 * 6.6, 3);
}

TEST(SmallRoofs, AGarageAgainstAHouseIsOneAndReachesToItsWall) {
  const auto scene = test::scene(house_with_garage, {});
  geo::RectangleFits fits;
  const auto outlines = geo::building_outlines(scene.dsm, scene.terrain, geo::kEverywhere, fits, {});
  ASSERT_TRUE(outlines);
  ASSERT_EQ(outlines->size(), 2u);
  EXPECT_FALSE((*outlines)[0].rectangle);
  EXPECT_TRUE((*outlines)[1].rectangle);
  EXPECT_NEAR(geo::area_m2((*outlines)[1].shape), 3.4 * 6, 5);
  EXPECT_LT(geo::distance_m((*outlines)[0].shape, (*outlines)[1].shape), 0.5);
}

/// A narrow gabled garage along the house's eaves, its ridge parallel to them: two rows of cells each side,
/// of which the house's edge holds one.
double house_with_narrow_garage(Point p) {
  const Point at = askew(p);
  if (std::abs(at.x) < 6 && at.y > -1 && at.y < 8) return 104.5 + 0.7 * (4.5 - std::abs(at.y - 3.5));
  return std::abs(at.x) < 3.6 && at.y > -4 && at.y < 0 ? 102.2 + 0.5 * (1.5 - std::abs(at.y + 2.5))
                                                       : kGround_m;
}

TEST(SmallRoofs, WhatTheHousesEdgeHoldsOfAGarageSpeaksForIt) {
  const auto found = found_in(test::scene(house_with_narrow_garage, {}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(geo::area_m2(found[0].outline), 7.2 * 3, 3);
}

TEST(SmallRoofs, TheHousesOutlineGivesWayToAGaragesRectangle) {
  const auto scene = test::scene(house_with_narrow_garage, {});
  geo::RectangleFits fits;
  const auto outlines = geo::building_outlines(scene.dsm, scene.terrain, geo::kEverywhere, fits, {});
  ASSERT_TRUE(outlines);
  ASSERT_EQ(outlines->size(), 2u);
  EXPECT_EQ((*outlines)[1].shape.outer.size(), 4u);
  for (const geo::Polygon& common : geo::intersection((*outlines)[0].shape, (*outlines)[1].shape))
    EXPECT_LT(geo::area_m2(common), 0.01);
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

TEST(SmallRoofs, AGarageAtALongHousesFarEndIsThePropertysToo) {
  const auto scene = test::scene([](Point p) { return long_house_with_garage(p, 104); }, {}, 130);
  const auto property = geo::find_property({scene.dsm, scene.terrain, test::on_map(scene, {107, 60})}, {});
  ASSERT_TRUE(property);
  ASSERT_EQ(property->buildings.size(), 2u);
  EXPECT_TRUE(property->buildings[1].rectangle);
  EXPECT_NEAR(geo::area_m2(property->buildings[1].footprint), 3.4 * 6, 5);
}

TEST(SmallRoofs, AGarageDugIntoAHillsideBesideAHouseIsOne) {
  // Its roof is less than two metres above the ground, as on a hillside.
  const auto scene = test::scene(house_with_level_garage(3.4, 3, 1.8), {});
  geo::RectangleFits fits;
  const auto outlines = geo::building_outlines(scene.dsm, scene.terrain, geo::kEverywhere, fits, {});
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

/// The small roofs beyond x = -4, when the house's own cells are known.
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
  const geo::Mask none = free.like(std::uint8_t{0});
  geo::RectangleFits fits;
  return geo::small_roofs(scene.dsm, scene.terrain, {free, free, house, house, none}, geo::kEverywhere,
                          {.noise_per_slope_m = geo::kUsualSlopeNoise}, fits, {});
}

TEST(SmallRoofs, WhatTheHousesOwnPlanesGoOnInIsTheHouses) {
  const auto bay = beside_house(house_with_bay);
  ASSERT_EQ(bay.size(), 1u);
  EXPECT_TRUE(bay[0].of_house);
  const auto garage = beside_house(house_with_garage);
  ASSERT_EQ(garage.size(), 1u);
  EXPECT_FALSE(garage[0].of_house);
}

/// The wing of a T, half as wide as its house and as steep: its ridge meets the house's slope below the
/// ridge.
double house_with_wing(Point p) {
  const Point at = askew(p);
  const double house =
      at.x > -4 && at.x < 4 && std::abs(at.y) < 8 ? 102.6 + 0.7 * (4 - std::abs(at.x)) : kGround_m;
  const double wing =
      at.x > -7 && at.x < 0 && std::abs(at.y) < 2 ? 102.6 + 0.7 * (2 - std::abs(at.y)) : kGround_m;
  return std::max(house, wing);
}

TEST(SmallRoofs, AWingBelowTheHousesEavesIsTheHousesForNoWallStandsBetweenThem) {
  const auto wing = beside_house(house_with_wing);
  ASSERT_EQ(wing.size(), 1u);
  EXPECT_TRUE(wing[0].of_house);
}

TEST(SmallRoofs, ASteepHipIsNoGarage) {
  // On a hip of 50 degrees hardly any window of cells is even; its foot looks like a steep little gable.
  const auto scene = test::scene(
      [](Point p) {
        const Point at = askew(p);
        if (std::abs(at.x) > 7 || std::abs(at.y) > 4) return kGround_m;
        return 102.8 + std::min(0.9 * (4 - std::abs(at.y)), 1.2 * (7 - std::abs(at.x)));
      },
      {});
  EXPECT_TRUE(found_in(scene).empty());
}

TEST(SmallRoofs, ACrownOverAGaragesCornerLeavesTheRestAGarage) {
  const auto scene = test::scene(
      [](Point p) {
        const Point at = askew(p);
        // Leaves at random heights, as a laser sees them.
        const auto key = static_cast<std::uint64_t>(1e6 * (p.x + 97 * p.y));
        if (std::hypot(at.x - 5, at.y - 2.5) < 2.9) return 103 + 4 * test::hash01(key);
        return std::abs(at.x) < 3.4 && std::abs(at.y) < 2.4 ? 102.6 : kGround_m;
      },
      {});
  const auto found = found_in(scene);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(geo::area_m2(found[0].outline), 6.8 * 4.8, 7);
}

TEST(SmallRoofs, OneGarageSeenFromBothEndsIsOne) {
  // All but its two ends passes for the house's edge.
  constexpr double kHalfLength_m = 3.6, kDepth_m = 4;
  const auto scene = test::scene(
      [](Point p) {
        const Point at = askew(p);
        return at.y < 0 && std::abs(at.x) < kHalfLength_m && at.y > -kDepth_m ? 102.4
                                                                              : house_with_narrow_garage(p);
      },
      {});
  const Point off{scene.dsm.west, scene.dsm.north - scene.dsm.height};
  geo::Mask ends = scene.dsm.like(std::uint8_t{0}), house = ends, planes = ends;
  for (int row = 0; row < ends.height; ++row)
    for (int col = 0; col < ends.width; ++col) {
      const Point p = scene.dsm.centre(col, row), at = askew({p.x - off.x, p.y - off.y});
      if (scene.dsm.at(col, row) - scene.terrain.at(col, row) < 2) continue;
      planes.at(col, row) = at.y > 0;
      house.at(col, row) = at.y > 0 || std::abs(at.x) < 0.8;
      ends.at(col, row) = !house.at(col, row);
    }
  const geo::Mask none = ends.like(std::uint8_t{0});
  geo::RectangleFits fits;
  const auto found =
      geo::small_roofs(scene.dsm, scene.terrain, {ends, ends, house, planes, none}, geo::kEverywhere,
                       {.noise_per_slope_m = geo::kUsualSlopeNoise}, fits, {});
  ASSERT_EQ(found.size(), 1u);
  for (const Point& corner : found[0].outline.outer) {
    const Point at = askew({corner.x - off.x, corner.y - off.y});
    EXPECT_NEAR(std::abs(at.x), kHalfLength_m, 0.3);
    EXPECT_NEAR(std::abs(at.y + kDepth_m / 2), kDepth_m / 2, 0.3);
  }
}

TEST(SmallRoofs, BothHalvesOfTheGarageAgainstTheHouseAreSurfaces) {
  auto scene = test::scene(house_with_garage, {});
  geo::RectangleFits fits;
  const auto outlines = geo::building_outlines(scene.dsm, scene.terrain, geo::kEverywhere, fits, {});
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
