#include "geo/roof/clip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "geo/shapes/plane_geometry.hpp"
#include "geo/shapes/shape_algebra.hpp"
#include "tests/geo/roof_test_scene.hpp"

namespace {

geo::RoofPlane surface(int building, geo::Polygon outline) {
  geo::RoofPlane p;
  p.building = building;
  p.outline = std::move(outline);
  return p;
}

TEST(RoofClip, EndsASurfaceAtTheNeighboursFootprint) {
  const std::vector<geo::Building> buildings{{test::rectangle(0, 0, 10, 10)},
                                             {test::rectangle(10, 0, 20, 10)}};
  const auto planes =
      geo::end_at_neighbours({surface(0, test::rectangle(-0.5, -0.5, 10.6, 10.5))}, buildings, 4, {});
  ASSERT_EQ(planes.size(), 1u);
  EXPECT_NEAR(geo::area(planes[0].outline), 11.1 * 11 - 0.6 * 10, 1e-6);
}

TEST(RoofClip, LeavesTheDisputedStripToTheFirst) {
  const std::vector<geo::Building> buildings{{test::rectangle(0, 0, 10, 10)},
                                             {test::rectangle(11, 0, 20, 10)}};
  const auto planes = geo::end_at_neighbours(
      {surface(0, test::rectangle(0, 0, 10.8, 10)), surface(1, test::rectangle(10.4, 0, 20, 10))}, buildings,
      4, {});
  ASSERT_EQ(planes.size(), 2u);
  EXPECT_NEAR(geo::area(planes[0].outline), 108, 1e-6);
  EXPECT_NEAR(geo::area(planes[1].outline), 92, 1e-6);
}

TEST(RoofClip, SurfacesOfTouchingHousesNeverOverlapHoweverTheyLie) {
  std::mt19937 random(4);
  const auto between = [&](double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random);
  };
  for (int trial = 0; trial < 400; ++trial) {
    const double turn = between(0, 6), c = std::cos(turn), s = std::sin(turn);
    const auto house = [&](double x0, double y0, double x1, double y1) {
      geo::Polygon out;
      for (const geo::Point p : test::rectangle(x0, y0, x1, y1).outer)
        out.outer.push_back({4786224.1287 + c * p.x - s * p.y, 2786685.2328 + s * p.x + c * p.y});
      return out;
    };
    const double depth = between(7, 12), width = between(4, 9), set_back = between(-2, 2);
    const std::vector<geo::Building> row{{house(0, 0, width, depth)},
                                         {house(width, set_back, 2 * width, depth + set_back)},
                                         {house(0.3, depth, width - 0.4, depth + 3)}};
    std::vector<geo::RoofPlane> planes;
    for (int b = 0; b < 3; ++b) {
      const double x = b == 1 ? width : 0, y = b == 1 ? set_back : b == 2 ? depth : 0;
      const double middle = y + (b == 2 ? 3 : depth) / 2, end = y + (b == 2 ? 3 : depth);
      const double eave = between(0, 0.6), verge = between(0, 0.3);
      planes.push_back(surface(b, house(x - verge, y - eave, x + width + verge, middle)));
      planes.push_back(surface(b, house(x - verge, middle, x + width + verge, end + eave)));
    }
    const auto found = geo::end_at_neighbours(planes, row, 1, {});
    // Each keeps at least what lies over its own walls.
    std::vector<double> own_m2(planes.size());
    for (const auto& part : found)
      for (const auto& on_walls : geo::intersection(
               part.outline, row[static_cast<std::size_t>(planes[part.plane].building)].footprint))
        own_m2[part.plane] += geo::area(on_walls);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const bool whole_house = planes[i].building < 2;
      EXPECT_GT(own_m2[i], whole_house ? 0.49 * width * depth : 0.49 * 3 * (width - 0.7))
          << "trial " << trial << ": surface " << i;
    }
    for (std::size_t i = 0; i < found.size(); ++i)
      for (std::size_t j = i + 1; j < found.size(); ++j) {
        double common_m2 = 0;
        for (const auto& part : geo::intersection(found[i].outline, found[j].outline))
          common_m2 += geo::area(part);
        EXPECT_LT(common_m2, 1e-5) << "trial " << trial << ": " << i << " and " << j;
      }
  }
}

/// As the published outline has them: seven decimals of a degree.
geo::Polygon rounded(const geo::Polygon& outline, const geo::PlaceFrame& frame) {
  geo::Polygon out;
  for (const geo::Point& p : outline.outer) {
    const geo::LonLat at = frame.to_lonlat(p);
    out.outer.push_back(
        frame.to_map({std::round(at.lon_deg * 1e7) / 1e7, std::round(at.lat_deg * 1e7) / 1e7}));
  }
  return out;
}

TEST(RoofClip, EndsInsideTheParcelsBorderAlsoWhereTheWallsReachOver) {
  geo::Building garage{test::rectangle(0, 0, 6, 4)};
  garage.parcel = test::rectangle(0.2, -0.3, 30, 30);  // the western wall stands on the neighbour's ground
  const auto planes =
      geo::end_at_neighbours({surface(0, test::rectangle(-0.5, -0.7, 6.5, 4.5))}, {garage}, 4, {});
  ASSERT_EQ(planes.size(), 1u);
  EXPECT_NEAR(geo::area(planes[0].outline), 6.29 * 4.79, 1e-6);
}

TEST(RoofClip, NothingLiesOverTheBorderAfterRounding) {
  // Borders askew to the grid that run along a wall, by less than a millimetre here or there, and one corner
  // that points inwards.
  const geo::PlaceFrame frame = test::place_frame();
  for (const double off_m : {0.0, 4e-4, -4e-4, 1e-9}) {
    geo::Building house{{{{0, 0}, {8, 2}, {6, 10}, {-2, 8}}, {}}};
    geo::Polygon parcel{
        {{0 - off_m, -20}, {0 - off_m, 0}, {8, 2 + off_m}, {28, 7}, {24, 23}, {-16, 13}, {-12, -3}}, {}};
    const geo::Polygon roof{{{0.1, -0.5}, {8.5, 1.6}, {6.4, 10.5}, {-2.6, 8.3}}, {}};
    house.footprint = geo::translated(house.footprint, frame.origin());
    house.parcel = geo::translated(parcel, frame.origin());
    const auto planes =
        geo::end_at_neighbours({surface(0, geo::translated(roof, frame.origin()))}, {house}, 4, {});
    ASSERT_EQ(planes.size(), 1u);
    const geo::Polygon published = rounded(planes[0].outline, frame);
    for (const geo::Polygon& over : geo::difference(published, *house.parcel))
      EXPECT_LT(geo::area(over), 1e-9) << "off by " << off_m;
    EXPECT_GT(geo::area(published), 66);
  }
}

TEST(RoofClip, ANeedleBentOverItselfCostsNothingOnAParcel) {
  // A tenth of a micrometre wide and crossing its own edge, as rounding to map metres leaves it.
  geo::Building house{test::rectangle(0, 0, 8, 6)};
  house.parcel = test::rectangle(-20, -20, 30, 30);
  geo::RoofPlane plane = surface(0, test::rectangle(0, 0, 8, 6));
  plane.outline.outer = {{0, 0}, {8, 0}, {8, 3}, {9, 3}, {8, 3 - 1e-7}, {8, 6}, {0, 6}};
  const auto out = geo::end_at_neighbours({plane}, {house}, 4, geo::RunControl{});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_NEAR(geo::area(out[0].outline), 48, 1e-3);
}

// In map metres, at all angles: whether rounding turns a touch into a crossing depends on both.
geo::Ring on_map(geo::Ring ring, int angle) {
  const double c = std::cos(0.26 * angle), s = std::sin(0.26 * angle);
  for (geo::Point& p : ring) p = {512345.678 + c * p.x - s * p.y, 5234567.891 + s * p.x + c * p.y};
  return ring;
}

TEST(RoofClip, AHoleThatTouchesTheOuterRingOpensIt) {
  for (int angle = 0; angle < 24; ++angle) {
    const auto on_map = [&](geo::Ring ring) { return ::on_map(std::move(ring), angle); };
    geo::RoofPlane plane =
        surface(0, {on_map({{0, 0}, {8, 0}, {8, 6}, {0, 6}}), {on_map({{4.1, 0}, {3, 2}, {5, 2}})}});
    const geo::Building house{{on_map({{0, 0}, {8, 0}, {8, 6}, {0, 6}}), {}}};
    const auto out = geo::end_at_neighbours({plane}, {house}, 4, geo::RunControl{});
    ASSERT_EQ(out.size(), 1u);
    EXPECT_NEAR(geo::area(out[0].outline), 46, 0.02);
    EXPECT_TRUE(out[0].outline.holes.empty()) << "angle " << angle;
    EXPECT_TRUE(geo::is_valid_shape(out[0].outline)) << "angle " << angle;
  }
}

TEST(RoofClip, AnOutlineWhoseCornerTouchesItsOwnEdgeIsPartedThere) {
  // A notch whose tip reaches the opposite edge between its corners: what is left of it is a tiny triangle.
  for (int angle = 0; angle < 24; ++angle) {
    const double tip = 0.1 + 0.017 * angle;
    const geo::Ring ring = on_map({{0, 0}, {8, 0}, {8, 6}, {1, 6}, {1, 0.5}, {tip, 0}, {0, 0.3}}, angle);
    const auto out = geo::end_at_neighbours({surface(0, {ring, {}})}, {{{ring, {}}}}, 4, geo::RunControl{});
    ASSERT_EQ(out.size(), 1u) << "angle " << angle;
    EXPECT_NEAR(geo::area(out[0].outline), 42 + 0.25 * (1 - tip), 1e-3) << "angle " << angle;
    EXPECT_TRUE(geo::is_valid_shape(out[0].outline)) << "angle " << angle;
  }
}

TEST(RoofClip, LeavesSurfacesOfOneBuildingAlone) {
  const std::vector<geo::Building> buildings{{test::rectangle(0, 0, 10, 10)}};
  const geo::Polygon left = test::rectangle(0, 0, 5, 10), right = test::rectangle(5, 0, 10, 10);
  const auto planes = geo::end_at_neighbours({surface(0, left), surface(0, right)}, buildings, 4, {});
  ASSERT_EQ(planes.size(), 2u);
  EXPECT_EQ(planes[0].outline, left);
  EXPECT_EQ(planes[1].outline, right);
}

TEST(RoofClip, RidsOutlinesOfNeedles) {
  // 0.05 mm wide and a metre long, as an operation on nearly equal edges leaves it.
  geo::RoofPlane plane = surface(0, test::rectangle(0, 0, 8, 6));
  plane.outline.outer = {{0, 0}, {8, 0}, {8, 3}, {9, 3}, {8, 3.00005}, {8, 6}, {0, 6}};
  const auto out = geo::end_at_neighbours({plane}, {{test::rectangle(0, 0, 8, 6)}}, 4, geo::RunControl{});
  ASSERT_EQ(out.size(), 1u);
  for (const geo::Point p : out[0].outline.outer) EXPECT_LT(p.x, 8.001);
  EXPECT_NEAR(geo::area(out[0].outline), 48, 1e-3);
}

TEST(RoofClip, RidsOutlinesOfNeedlesWhereverTheRingBegins) {
  // Bent over itself: without its tip the rest is a needle again.
  geo::RoofPlane plane = surface(0, test::rectangle(0, 0, 8, 6));
  plane.outline.outer = {{0, 0},         {8, 0},         {8, 3},       {9, 3}, {9.5, 3.00001},
                         {8.7, 3.00002}, {9.2, 3.00003}, {8, 3.00005}, {8, 6}, {0, 6}};
  for (std::size_t i = 0; i < plane.outline.outer.size(); ++i) {
    std::rotate(plane.outline.outer.begin(), plane.outline.outer.begin() + 1, plane.outline.outer.end());
    const auto out = geo::end_at_neighbours({plane}, {{test::rectangle(0, 0, 8, 6)}}, 4, geo::RunControl{});
    ASSERT_EQ(out.size(), 1u);
    for (const geo::Point p : out[0].outline.outer) EXPECT_LT(p.x, 8.001) << "rotated " << i;
  }
}

TEST(RoofClip, KeepsACornerThatIsSharpButWide) {
  geo::RoofPlane plane = surface(0, test::rectangle(0, 0, 8, 6));
  plane.outline.outer = {{0, 0}, {8, 0}, {8, 3}, {10, 3.1}, {8, 3.2}, {8, 6}, {0, 6}};
  const auto out = geo::end_at_neighbours({plane}, {{test::rectangle(0, 0, 8, 6)}}, 4, geo::RunControl{});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_NEAR(geo::area(out[0].outline), 48.2, 1e-6);
}

TEST(RoofClip, MakesTwoSurfacesOfAnOutlineThatTouchesItself) {
  // Two squares that meet in one corner, which rounding has made two corners.
  geo::RoofPlane plane = surface(0, test::rectangle(0, 0, 8, 8));
  plane.outline.outer = {{0, 0}, {4, 0}, {4, 4}, {8, 4}, {8, 8}, {4, 8}, {4, 4 + 5e-10}, {0, 4}};
  const auto out = geo::end_at_neighbours({plane}, {{test::rectangle(0, 0, 8, 8)}}, 4, geo::RunControl{});
  ASSERT_EQ(out.size(), 2u);
  for (const geo::ClippedOutline& p : out) {
    EXPECT_NEAR(geo::area(p.outline), 16, 1e-6);
    EXPECT_TRUE(geo::is_valid_shape(p.outline));
  }
}

TEST(RoofClip, LetsARoofReachOverALowerNeighbourAndEndsThatOneUnderIt) {
  geo::RoofPlane house = surface(0, test::rectangle(0, 0, 10.5, 8));
  house.over_neighbours = {test::rectangle(10, 0, 10.5, 8)};
  const geo::RoofPlane garage = surface(1, test::rectangle(10, 1, 13, 7));
  const std::vector<geo::Building> buildings{{test::rectangle(0, 0, 10, 8)}, {test::rectangle(10, 1, 13, 7)}};
  for (const bool house_first : {true, false}) {
    const auto planes = house_first ? std::vector{house, garage} : std::vector{garage, house};
    const auto out = geo::end_at_neighbours(planes, buildings, 4, geo::RunControl{});
    ASSERT_EQ(out.size(), 2u);
    for (const geo::ClippedOutline& p : out)
      EXPECT_NEAR(geo::area(p.outline), planes[p.plane].building == 0 ? 84 : 15, 1e-6)
          << "house first: " << house_first;
  }
}

}  // namespace
