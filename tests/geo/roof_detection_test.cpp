#include "geo/roof/detection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "geo/shapes/boost_shapes.hpp"
#include "tests/geo/roof_test_scene.hpp"

namespace {

using geo::Point;
using geo::RoofPlane;
using test::in_rectangle;
using test::rectangle;

double tilt_of(const RoofPlane& p, const test::RoofScene& s) {
  return geo::tilt_deg(geo::true_gradient(p.plane, s.frame.true_per_map()));
}
double azimuth_of(const RoofPlane& p, const test::RoofScene& s) {
  return geo::azimuth_deg(geo::true_gradient(p.plane, s.frame.true_per_map()));
}

/// The surface whose outline holds a local point; null when none does.
const RoofPlane* surface_at(const std::vector<RoofPlane>& planes, const test::RoofScene& s, Point local) {
  for (const RoofPlane& p : planes)
    if (geo::contains(p.outline, test::on_map(s, local))) return &p;
  return nullptr;
}

double overlap_m2(const std::vector<RoofPlane>& planes) {
  double sum = 0;
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = i + 1; j < planes.size(); ++j) {
      geo::BoostMultiPolygon common;
      boost::geometry::intersection(geo::to_boost(planes[i].outline), geo::to_boost(planes[j].outline),
                                    common);
      sum += boost::geometry::area(common);
    }
  return sum;
}

double total_area_m2(const std::vector<RoofPlane>& planes) {
  double sum = 0;
  for (const RoofPlane& p : planes) sum += geo::area(p.outline);
  return sum;
}

std::size_t corners(const RoofPlane& p) { return p.outline.outer.size(); }

/// Eaves at 105 m, ridge along x, overhang on all sides, rising at `slope`.
test::HeightOf gable(double x0, double y0, double x1, double y1, double slope, double overhang = 0.5) {
  return [=](Point p) {
    if (!in_rectangle(p, x0 - overhang, y0 - overhang, x1 + overhang, y1 + overhang)) return 100.0;
    return 105 + slope * std::min(p.y - y0, y1 - p.y);
  };
}

test::HeightOf hip(double x0, double y0, double x1, double y1, double slope, double overhang = 0.5) {
  return [=](Point p) {
    if (!in_rectangle(p, x0 - overhang, y0 - overhang, x1 + overhang, y1 + overhang)) return 100.0;
    return 105 + slope * std::min({p.y - y0, y1 - p.y, p.x - x0, x1 - p.x});
  };
}

TEST(RoofDetection, SeesTwoEqualHalvesOfAGableThatShareTheRidge) {
  const auto s = test::scene(gable(12.3, 14.2, 22.3, 22.2, 0.8), {{rectangle(12.3, 14.2, 22.3, 22.2)}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 2u);
  for (const RoofPlane& p : planes) {
    EXPECT_NEAR(tilt_of(p, s), 38.66, 1.0);
    EXPECT_NEAR(geo::area(p.outline), 11 * 4.5, 2.5);
    EXPECT_EQ(corners(p), 4u);
    EXPECT_GT(p.fit.coverage_pct, 80);
  }
  const RoofPlane* south = surface_at(planes, s, {17, 16});
  const RoofPlane* north = surface_at(planes, s, {17, 20});
  ASSERT_TRUE(south && north);
  EXPECT_NEAR(azimuth_of(*south, s), 0, 1.5);
  EXPECT_NEAR(std::abs(azimuth_of(*north, s)), 180, 1.5);
  EXPECT_LT(overlap_m2(planes), 1e-6);
  EXPECT_NEAR(total_area_m2(planes), 11 * 9, 3) << "no gap along the ridge";
}

TEST(RoofDetection, SeesTheFourSlopesOfAHippedRoofOnASmallHouse) {
  const auto s = test::scene(hip(12.3, 14.2, 22.3, 21.2, 0.7), {{rectangle(12.3, 14.2, 22.3, 21.2)}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 4u);
  const RoofPlane* west = surface_at(planes, s, {13.2, 17.7});
  const RoofPlane* east = surface_at(planes, s, {21.4, 17.7});
  ASSERT_TRUE(west && east && west != east);
  EXPECT_NEAR(azimuth_of(*west, s), 90, 4);
  EXPECT_NEAR(azimuth_of(*east, s), -90, 4);
  EXPECT_EQ(corners(*west), 3u);
  EXPECT_LT(overlap_m2(planes), 1e-6);
  EXPECT_NEAR(total_area_m2(planes), 11 * 8, 4);
}

TEST(RoofDetection, SeesOneSurfaceOnAFlatRoof) {
  auto flat = [](Point p) { return in_rectangle(p, 10, 10, 22, 25) ? 106.0 : 100.0; };
  const auto s = test::scene(flat, {{rectangle(10, 10, 22, 25)}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 1u);
  EXPECT_LT(tilt_of(planes[0], s), 0.5);
  EXPECT_NEAR(geo::area(planes[0].outline), 180, 6);
}

TEST(RoofDetection, MeetsInAValleyWhereTheRoofIsLShaped) {
  const geo::Polygon footprint{{{8, 8}, {24, 8}, {24, 16}, {16, 16}, {16, 28}, {8, 28}}, {}};
  auto roof = [&](Point p) {
    return geo::contains(footprint, p)
               ? 105 + 0.8 * std::min({p.x - 8, p.y - 8, std::max(16 - p.x, 16 - p.y)})
               : 100.0;
  };
  const auto s = test::scene(roof, {{footprint}});
  const auto planes = s.detect();
  EXPECT_EQ(planes.size(), 4u);
  EXPECT_LT(overlap_m2(planes), 1e-6);
  EXPECT_NEAR(total_area_m2(planes), geo::area(footprint), 8);
  EXPECT_NE(surface_at(planes, s, {20, 14}), nullptr);
  EXPECT_NE(surface_at(planes, s, {14.5, 22}), nullptr);
  EXPECT_EQ(surface_at(planes, s, {20, 20}), nullptr) << "the yard is no roof";
}

TEST(RoofDetection, EndsTheSurfacesOfRowHousesAtTheSharedWalls) {
  const auto s =
      test::scene(gable(6, 14, 27, 23, 0.7),
                  {{rectangle(6, 14, 13, 23)}, {rectangle(13, 14, 20, 23)}, {rectangle(20, 14, 27, 23)}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 6u);
  for (const RoofPlane& p : planes)
    for (std::size_t other = 0; other < 3; ++other) {
      if (static_cast<int>(other) == p.building) continue;
      geo::BoostMultiPolygon common;
      boost::geometry::intersection(geo::to_boost(p.outline), geo::to_boost(s.buildings[other].footprint),
                                    common);
      EXPECT_LT(boost::geometry::area(common), 0.01) << "a surface reaches over the neighbour";
    }
  EXPECT_LT(overlap_m2(planes), 0.01);
}

TEST(RoofDetection, EndsAtTheSharedWallAlsoWhenTheNeighboursAreNotGiven) {
  const auto s = test::scene(gable(6, 14, 27, 23, 0.7), {{rectangle(13, 14, 20, 23)}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 2u);
  for (const RoofPlane& p : planes) EXPECT_NEAR(geo::area(p.outline), 7 * 5, 2);
}

TEST(RoofDetection, FindsNothingOnATree) {
  auto tree = [](Point p) {
    const double r = std::hypot(p.x - 20, p.y - 20);
    const auto key = static_cast<std::uint64_t>(std::floor(p.x * 2) * 1000 + std::floor(p.y * 2));
    return r < 6 ? 104 + 5 * std::sqrt(1 - r * r / 36) + 2.5 * test::hash01(key) : 100.0;
  };
  const auto s = test::scene(tree, {{rectangle(13, 13, 27, 27), false}});
  EXPECT_EQ(s.detect().size(), 0u);
}

TEST(RoofDetection, TakesTheSideOfAHedgeBesideTheHouseForNoRoofWithoutAFootprint) {
  // An even side of 70 degrees between the ground and the house, three cells by seven.
  const auto house = gable(12, 12, 24, 22, 0.6);
  auto both = [&](Point p) {
    return in_rectangle(p, 9, 14, 11.5, 21) ? std::max(100.0, 101.5 + 2.75 * (p.x - 9.2)) : house(p);
  };
  const auto s = test::scene(both, {{rectangle(8, 11, 25, 23), false}});
  const auto planes = s.detect();
  EXPECT_NE(surface_at(planes, s, {18, 14}), nullptr);
  for (const RoofPlane& p : planes) EXPECT_LT(tilt_of(p, s), 62);
}

/// How many surfaces are found on a gable of 14 m by 8 m when an even piece of 3 m by 3 m lies 2 m from
/// its wall, in the continuation of its southern half.
std::size_t surfaces_with_a_piece_beyond_a_gap(bool from_footprints) {
  const auto house = gable(13, 18, 27, 26, 0.3);
  return test::scene(
             [&](Point p) { return in_rectangle(p, 16, 13, 19, 16) ? 105 + 0.3 * (p.y - 18) : house(p); },
             {{rectangle(12, 10, 28, 27), from_footprints}})
      .detect()
      .size();
}

TEST(RoofDetection, AnEvenPieceBeyondAGapIsASurfaceOfItsOwn) {
  EXPECT_EQ(surfaces_with_a_piece_beyond_a_gap(false), 3u);
  EXPECT_EQ(surfaces_with_a_piece_beyond_a_gap(true), 3u);
}

TEST(RoofDetection, FindsNothingWhereThereAreNoHeights) {
  auto s = test::scene(gable(12, 14, 22, 22, 0.8), {{rectangle(12, 14, 22, 22)}});
  for (float& z : s.dsm.values) z = geo::kNoData;
  EXPECT_EQ(s.detect().size(), 0u);
}

TEST(RoofDetection, FindsNothingBeyondTheModelsEdges) {
  for (const geo::Polygon& beyond : {test::rectangle(60, 10, 66, 16), test::rectangle(-30, 10, -24, 16),
                                     test::rectangle(10, 60, 16, 66), test::rectangle(10, -30, 16, -24)})
    EXPECT_TRUE(test::scene([](Point) { return 105.0; }, {{beyond}}).detect().empty());
}

TEST(RoofDetection, LeavesOutTheHalfOfARoofThatHasNoHeights) {
  auto s = test::scene(gable(12, 14, 22, 22, 0.8), {{rectangle(12, 14, 22, 22)}});
  for (int row = 0; row < s.dsm.height; ++row)
    for (int col = 17; col < s.dsm.width; ++col) s.dsm.at(col, row) = geo::kNoData;
  const auto planes = s.detect();
  EXPECT_NEAR(total_area_m2(planes), 5.5 * 9, 6);
  for (const RoofPlane& p : planes)
    for (Point corner : p.outline.outer) EXPECT_LT(corner.x - s.dsm.west, 17 + 0.3);
}

TEST(RoofDetection, WorksWithoutFootprintsFromARoughOutline) {
  const auto s = test::scene(gable(12.3, 14.2, 22.3, 22.2, 0.8), {{rectangle(11, 13, 24, 23), false}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 2u);
  for (const RoofPlane& p : planes) {
    EXPECT_NEAR(tilt_of(p, s), 38.66, 1.0);
    EXPECT_NEAR(geo::area(p.outline), 11 * 4.5, 4);
    EXPECT_LE(corners(p), 7u);
  }
}

TEST(RoofDetection, SeesTheStepsOfARowThatClimbsAHillWithoutFootprints) {
  // Five houses of 8 m, each 0.6 m higher than the one before: seen together their roofs lean along the row.
  auto row = [](Point p) {
    if (!in_rectangle(p, 4, 10, 44, 20)) return 100.0;
    return 105 + 0.6 * std::floor((p.x - 4) / 8) + 0.8 * std::min(p.y - 10, 20 - p.y);
  };
  const auto s = test::scene(row, {{rectangle(3, 9, 45, 21), false}}, 48);
  const auto planes = s.detect();
  for (int house = 0; house < 5; ++house)
    for (const double y : {12.5, 17.5}) {
      const RoofPlane* p = surface_at(planes, s, {8.0 + 8 * house, y});
      ASSERT_NE(p, nullptr) << "house " << house;
      EXPECT_NEAR(geo::area(p->outline), 40, 10) << "house " << house;
      EXPECT_NEAR(tilt_of(*p, s), 38.66, 1.5) << "house " << house;
    }
}

/// A garage of 6.4 m by 3.8 m under its roof, askew to the grid: two rows of cells each half.
test::HeightOf garage_roof(double slope) {
  return [slope](Point p) {
    const double x = (p.x - 20) * 0.8 + (p.y - 20) * 0.6, y = (p.y - 20) * 0.8 - (p.x - 20) * 0.6;
    return std::abs(x) < 3.2 && std::abs(y) < 1.9 ? 102.4 + slope * (1.9 - std::abs(y)) : 100.0;
  };
}
geo::Polygon garage_walls() {
  geo::Polygon walls;
  for (const Point p : {Point{-3.1, -1.7}, {3.1, -1.7}, {3.1, 1.7}, {-3.1, 1.7}})
    walls.outer.push_back({20 + 0.8 * p.x - 0.6 * p.y, 20 + 0.6 * p.x + 0.8 * p.y});
  return walls;
}

TEST(RoofDetection, SeesBothHalvesOfAGarageThatHasTwoRowsOfCellsEach) {
  const auto s = test::scene(garage_roof(0.55), {{garage_walls()}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 2u);
  for (const RoofPlane& p : planes) {
    EXPECT_NEAR(tilt_of(p, s), 28.8, 5);
    EXPECT_NEAR(geo::area(p.outline), 6.4 * 1.9, 2.5);
  }
  EXPECT_NEAR(std::abs(azimuth_of(planes[0], s) - azimuth_of(planes[1], s)), 180, 2);
}

TEST(RoofDetection, SeesNoGableOnAFlatGarage) {
  const auto s = test::scene(garage_roof(0), {{garage_walls()}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 1u);
  EXPECT_LT(tilt_of(planes[0], s), 3);
}

TEST(RoofDetection, ReachesOverTheGarageBesideTheHouseToItsOwnEave) {
  const auto house = gable(10, 12, 20, 22, 0.8, 0.7);
  auto both = [&](Point p) { return std::max(house(p), in_rectangle(p, 20, 13, 26, 19) ? 102.5 : 100.0); };
  const auto s = test::scene(both, {{rectangle(10, 12, 20, 22)}, {rectangle(20, 13, 26, 19)}});
  const auto planes = s.detect();
  double east = 0;
  for (const RoofPlane& p : planes)
    if (p.building == 0)
      for (const Point corner : p.outline.outer) east = std::max(east, corner.x - s.dsm.west);
  EXPECT_NEAR(east, 20.7, 0.3);
  const RoofPlane* garage = surface_at(planes, s, {24, 16});
  ASSERT_NE(garage, nullptr);
  EXPECT_NEAR(geo::area(garage->outline), 5.3 * 6, 4);
  EXPECT_LT(overlap_m2(planes), 1e-6);
}

TEST(RoofDetection, EndsAtTheWallOfALowerHouseOfTheRow) {
  auto row = [](Point p) {
    return in_rectangle(p, 8, 10, 32, 20) ? 105 + (p.x < 20 ? 0.7 : 0.0) + 0.8 * std::min(p.y - 10, 20 - p.y)
                                          : 100.0;
  };
  const auto s = test::scene(row, {{rectangle(8, 10, 20, 20)}, {rectangle(20, 10, 32, 20)}});
  double own_m2 = 0;
  for (const RoofPlane& p : s.detect())
    if (p.building == 0) {
      own_m2 += geo::area(p.outline);
      for (const Point corner : p.outline.outer) EXPECT_LT(corner.x - s.dsm.west, 20.01);
    }
  EXPECT_NEAR(own_m2, 12 * 10, 6) << "and reaches that wall";
}

TEST(RoofDetection, DescribesOfACutSurfaceOnlyWhatTheCutLeaves) {
  // Three chimneys stand on the eastern half, which the parcel's border cuts off.
  const auto base = gable(10, 12, 30, 22, 0.6, 0);
  auto roof = [&](Point p) {
    const bool chimney = in_rectangle(p, 22, 14, 23.2, 15.2) || in_rectangle(p, 25, 14, 26.2, 15.2) ||
                         in_rectangle(p, 28, 14, 29.2, 15.2);
    return base(p) + (chimney ? 1.2 : 0.0);
  };
  auto s = test::scene(roof, {{rectangle(10, 12, 30, 22)}});
  const auto whole = s.detect();
  s.buildings[0].parcel = geo::translated(rectangle(0, 0, 20, 40), test::on_map(s, {0, 0}));
  const auto cut = s.detect();
  const RoofPlane *before = surface_at(whole, s, {12, 14}), *after = surface_at(cut, s, {12, 14});
  ASSERT_TRUE(before && after);
  ASSERT_LT(geo::area(after->outline), 0.6 * geo::area(before->outline));
  EXPECT_FALSE(before->obstacles.empty());
  EXPECT_TRUE(after->obstacles.empty()) << "no obstacle lies on what is left";
  EXPECT_GT(after->fit.coverage_pct, before->fit.coverage_pct);
  EXPECT_LT(after->fit.area_error_m2, before->fit.area_error_m2);
}

TEST(RoofDetection, SeesHalfHipsOfFewCellsWithTheirSlopeAndToTheirEave) {
  // 2 m deep and as much beyond the walls as above them.
  auto roof = [](Point p) {
    if (!in_rectangle(p, 7.2, 9.2, 24.8, 20.8)) return 100.0;
    return std::min(
        {105 + 0.9 * std::min(p.y - 10, 20 - p.y), 108 + 1.5 * (p.x - 8), 108 + 1.5 * (24 - p.x)});
  };
  const auto s = test::scene(roof, {{rectangle(8, 10, 24, 20)}});
  const auto planes = s.detect();
  const RoofPlane* west = surface_at(planes, s, {7.8, 15});
  const RoofPlane* east = surface_at(planes, s, {24.2, 15});
  ASSERT_TRUE(west && east && west != east);
  for (const RoofPlane* hip : {west, east}) {
    EXPECT_NEAR(tilt_of(*hip, s), 56.3, 6);
    EXPECT_NEAR(geo::area(hip->outline), 5.9, 1.5);
  }
  EXPECT_NEAR(azimuth_of(*west, s), 90, 2);
}

TEST(RoofDetection, StandsOnSlopingGround) {
  auto ground = [](Point p) { return 90 + 0.3 * p.y; };
  auto roof = [&](Point p) {
    return in_rectangle(p, 12, 14, 22, 22) ? 103 + 0.8 * std::min(p.y - 14, 22 - p.y) : ground(p);
  };
  const auto s = test::scene(roof, {{rectangle(12, 14, 22, 22)}}, 40, ground);
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 2u);
  EXPECT_NEAR(total_area_m2(planes), 80, 4);
}

TEST(RoofDetection, CutsAChimneyOutAsAnObstacle) {
  const auto base = gable(10, 12, 24, 22, 0.6);
  auto roof = [&](Point p) { return base(p) + (in_rectangle(p, 16, 14, 17.2, 15.2) ? 1.2 : 0.0); };
  const auto s = test::scene(roof, {{rectangle(10, 12, 24, 22)}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 2u);
  const RoofPlane* south = surface_at(planes, s, {12, 14});
  ASSERT_NE(south, nullptr);
  ASSERT_EQ(south->obstacles.size(), 1u);
  EXPECT_TRUE(geo::contains(south->obstacles[0], test::on_map(s, {16.6, 14.6})));
  EXPECT_LT(geo::area(south->obstacles[0]), 5);
}

TEST(RoofDetection, MakesALargeDormerASurfaceOfItsOwn) {
  const auto base = gable(8, 10, 26, 24, 0.9);
  auto roof = [&](Point p) {
    return in_rectangle(p, 14, 12, 19, 16.2) ? std::max(base(p), 108.3 + 0.15 * (p.y - 12)) : base(p);
  };
  const auto s = test::scene(roof, {{rectangle(8, 10, 26, 24)}});
  const auto planes = s.detect();
  const RoofPlane* dormer = surface_at(planes, s, {16.5, 13});
  const RoofPlane* main = surface_at(planes, s, {11, 13});
  ASSERT_TRUE(dormer && main && dormer != main);
  EXPECT_NEAR(tilt_of(*dormer, s), 8.5, 3);
  EXPECT_LT(overlap_m2(planes), 1e-6);
}

TEST(RoofDetection, SeesAHalfHipAtEachEndOfTheRidge) {
  auto roof = [](Point p) {
    if (!in_rectangle(p, 8, 10, 24, 20)) return 100.0;
    const double main = 105 + 0.9 * std::min(p.y - 10, 20 - p.y);
    return std::min({main, 107.2 + 1.3 * (p.x - 8), 107.2 + 1.3 * (24 - p.x)});
  };
  const auto s = test::scene(roof, {{rectangle(8, 10, 24, 20)}});
  const auto planes = s.detect();
  const RoofPlane* west = surface_at(planes, s, {8.5, 15});
  const RoofPlane* east = surface_at(planes, s, {23.5, 15});
  ASSERT_TRUE(west && east && west != east);
  EXPECT_NEAR(azimuth_of(*west, s), 90, 5);
  EXPECT_NEAR(azimuth_of(*east, s), -90, 5);
  EXPECT_NEAR(tilt_of(*west, s), 52.4, 6);
}

TEST(RoofDetection, SeesTheSteepAndTheFlatSlopesOfAMansard) {
  auto roof = [](Point p) {
    if (!in_rectangle(p, 8, 10, 24, 21)) return 100.0;
    const double in = std::min(p.y - 10, 21 - p.y);
    return 104 + std::min(2.0 * in, 3.6 + 0.45 * (in - 1.8));
  };
  const auto s = test::scene(roof, {{rectangle(8, 10, 24, 21)}});
  const auto planes = s.detect();
  ASSERT_EQ(planes.size(), 4u);
  EXPECT_NEAR(tilt_of(*surface_at(planes, s, {16, 10.8}), s), 63.4, 3);
  EXPECT_NEAR(tilt_of(*surface_at(planes, s, {16, 14.2}), s), 24.2, 2);
}

TEST(RoofDetection, LeavesLowThingsOnTheGroundOut) {
  auto terrace = [](Point p) { return in_rectangle(p, 10, 10, 20, 20) ? 101.2 : 100.0; };
  EXPECT_EQ(test::scene(terrace, {{rectangle(10, 10, 20, 20)}}).detect().size(), 0u);
}

TEST(RoofDetection, StatesErrorsThatGrowWhereTheRoofIsSmaller) {
  const auto large = test::scene(gable(6, 10, 26, 26, 0.8), {{rectangle(6, 10, 26, 26)}}).detect();
  const auto small = test::scene(gable(12, 14, 18, 20, 0.8), {{rectangle(12, 14, 18, 20)}}).detect();
  ASSERT_EQ(large.size(), 2u);
  ASSERT_EQ(small.size(), 2u);
  EXPECT_LT(large[0].fit.tilt_error_deg, small[0].fit.tilt_error_deg);
  EXPECT_GT(large[0].fit.tilt_error_deg, 0);
  EXPECT_GT(large[0].fit.cells, small[0].fit.cells);
}

TEST(RoofDetection, GivesTheSameBytesTwice) {
  const auto s = test::scene(hip(12.3, 14.2, 24.3, 22.2, 0.7), {{rectangle(12.3, 14.2, 24.3, 22.2)}});
  const auto first = s.detect(), second = s.detect();
  ASSERT_FALSE(first.empty());
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].outline, second[i].outline);
    EXPECT_EQ(first[i].plane.gx, second[i].plane.gx);
    EXPECT_EQ(first[i].fit.tilt_error_deg, second[i].fit.tilt_error_deg);
  }
}

TEST(RoofDetection, StopsWhenItIsToldTo) {
  const auto s = test::scene(gable(12, 14, 22, 22, 0.8), {{rectangle(12, 14, 22, 22)}});
  geo::RunControl control;
  control.cancel();
  EXPECT_THROW(geo::detect_roof_planes(s.dsm, s.terrain, s.buildings, s.frame, {}, control), geo::Cancelled);
}

TEST(RoofDetection, TakesOutlinesThatAreNoPolygons) {
  const auto s =
      test::scene(gable(12, 14, 22, 22, 0.8),
                  {{{{{12, 14}, {22, 14}}, {}}}, {{{}, {}}}, {{{{12, 14}, {12, 14}, {12, 14}}, {}}}});
  EXPECT_EQ(s.detect().size(), 0u);
}

}  // namespace
