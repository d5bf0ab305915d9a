// One footprint a building, however often data sets draw it.
#include "geo/property/footprints.hpp"

#include <gtest/gtest.h>
#include <ogr_geometry.h>

#include <algorithm>
#include <map>
#include <string>

#include "geo/data/place_frame.hpp"
#include "geo/property/property.hpp"
#include "geo/roof/detection.hpp"
#include "geo/shapes/ogr_shapes.hpp"
#include "geo/shapes/shape_algebra.hpp"
#include "landscape.hpp"

namespace {

using geo::Point;
using geo::Polygon;
using test::rectangle;

std::vector<Polygon> made_one(const std::vector<Polygon>& footprints,
                              const std::vector<Point>& addresses = {}) {
  return geo::one_footprint_a_building(footprints, addresses, {});
}

/// Every point of a raster that lies in a given footprint must lie in exactly one of those made.
void expect_divided(const std::vector<Polygon>& given, const std::vector<Polygon>& made) {
  int covered = 0, lost = 0, twice = 0;
  for (double y = 0.13; y < 60; y += 0.25)
    for (double x = 0.13; x < 60; x += 0.25) {
      const auto holders = [&](const std::vector<Polygon>& shapes) {
        return std::count_if(shapes.begin(), shapes.end(), [&](const Polygon& shape) {
          return geo::holds(shape, {x, y});
        });
      };
      if (holders(given) == 0) continue;
      ++covered;
      lost += holders(made) == 0;
      twice += holders(made) > 1;
    }
  EXPECT_GT(covered, 1000);
  EXPECT_EQ(twice, 0);
  EXPECT_EQ(lost, 0);
}

TEST(OneFootprint, ThatOverlapNoOtherStayAsTheyAre) {
  const std::vector<Polygon> row{rectangle(0, 0, 10, 12), rectangle(10, 0, 20, 12), rectangle(30, 3, 40, 9)};
  EXPECT_EQ(made_one(row), row);
}

TEST(OneFootprint, DrawnTwiceAreOneBuilding) {
  const Polygon house = rectangle(10, 10, 22, 20);
  const auto once = made_one({house, house});
  ASSERT_EQ(once.size(), 1u);
  EXPECT_NEAR(geo::area_m2(once[0]), 120, 1e-6);
}

TEST(OneFootprint, OfTwoSetsHalfAMetreApartAreOneRowOfHouses) {
  std::vector<Polygon> given;
  for (const double shift : {0.0, 0.5})
    for (int house = 0; house < 4; ++house)
      given.push_back(rectangle(5 + 7 * house + shift, 10 + shift, 12 + 7 * house + shift, 20 + shift));
  EXPECT_EQ(made_one(given), std::vector<Polygon>(given.begin(), given.begin() + 4)) << "as the first has it";
}

TEST(OneFootprint, OfABuildingAndItsPartAreTheBuilding) {
  const std::vector<Polygon> given{rectangle(10, 10, 16, 20), rectangle(10, 10, 22, 20)};
  const auto made = made_one(given);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_NEAR(geo::area_m2(made[0]), 120, 1e-6);
  expect_divided(given, made);
}

TEST(OneFootprint, OfABlockAndItsHousesAreTheHouses) {
  const std::vector<Polygon> given{rectangle(5, 10, 35, 20), rectangle(5, 10, 15, 20),
                                   rectangle(15, 10, 25, 20)};
  const auto made = made_one(given, {{10, 15}, {20, 15}, {30, 15}});
  ASSERT_EQ(made.size(), 3u) << "the third house is what the two leave of the block";
  for (const Polygon& house : made) EXPECT_NEAR(geo::area_m2(house), 100, 1e-6);
  expect_divided(given, made);
}

TEST(OneFootprint, OfABuildingInTwoPartsWithOneAddressAreOneBuilding) {
  const auto made =
      made_one({rectangle(5, 10, 25, 20), rectangle(5, 10, 15, 20), rectangle(15, 10, 25, 20)}, {{10, 15}});
  ASSERT_EQ(made.size(), 1u);
  EXPECT_NEAR(geo::area_m2(made[0]), 200, 1e-6);
}

TEST(OneFootprint, ThatShareAStripAreDividedAndNothingIsLost) {
  const std::vector<Polygon> given{rectangle(10, 10, 22, 20), rectangle(20, 12, 26, 18),
                                   rectangle(25, 10, 40, 25)};
  const auto made = made_one(given);
  ASSERT_EQ(made.size(), 3u);
  expect_divided(given, made);
}

/// A gable's ridge runs along x at y 15.
std::vector<geo::RoofPlane> roofs_on(const std::vector<Polygon>& footprints) {
  const auto land = test::Landscape(60, 60, [](Point) { return 100.0; }).house(10, 10, 22, 20);
  const auto frame = geo::PlaceFrame::create("EPSG:25832", {9.0, 50.0});
  const auto property =
      geo::find_property({land.dsm, land.terrain, {16, 15}, {rectangle(0, 0, 60, 60)}, footprints}, {});
  EXPECT_TRUE(frame && property);
  return geo::detect_roof_planes(land.dsm, land.terrain, property->buildings, *frame, {}, {});
}

TEST(OneFootprint, DrawnTwiceCostNoRoof) {
  const std::map<std::string, std::vector<Polygon>> drawn{
      {"once", {rectangle(10, 10, 22, 20)}},
      {"twice", {rectangle(10, 10, 22, 20), rectangle(10, 10, 22, 20)}},
      {"half a metre apart", {rectangle(10, 10, 22, 20), rectangle(10.5, 10.5, 22.5, 20.5)}},
      {"with a part over a half", {rectangle(10, 10, 22, 20), rectangle(10, 10, 16, 20)}}};
  for (const auto& [name, footprints] : drawn) {
    const auto planes = roofs_on(footprints);
    ASSERT_EQ(planes.size(), 2u) << name;
    double roof_m2 = 0;
    for (const geo::RoofPlane& plane : planes) roof_m2 += geo::area_m2(plane.outline);
    EXPECT_NEAR(roof_m2, 120, 10) << name;
  }
}

std::vector<Polygon> from_wkt(const std::string& wkt) {
  OGRGeometry* geometry = nullptr;
  EXPECT_EQ(OGRGeometryFactory::createFromWkt(wkt.c_str(), nullptr, &geometry), OGRERR_NONE) << wkt;
  std::vector<Polygon> out;
  geo::append_polygons(geometry, out);
  OGRGeometryFactory::destroyGeometry(geometry);
  return out;
}

TEST(OneFootprint, DrawnOddlyCostsNoRoof) {
  const std::map<std::string, std::string> drawn{
      {"clockwise", "POLYGON((10 10,10 20,22 20,22 10,10 10))"},
      {"corners twice", "POLYGON((10 10,10 10,22 10,22 20,22 20,10 20,10 10))"},
      {"a bow-tie", "POLYGON((10 10,22 20,22 10,10 20,10 10))"},
      {"a needle", "POLYGON((10 10,22 10,22 15,30 15,22 15,22 20,10 20,10 10))"},
      {"round twice", "POLYGON((10 10,22 10,22 20,10 20,10 10,22 10,22 20,10 20,10 10))"},
      {"in two overlapping parts",
       "MULTIPOLYGON(((10 10,18 10,18 20,10 20,10 10)),"
       "((11 10,22 10,22 20,11 20,11 10)))"},
      {"with heights", "POLYGON Z((10 10 104,22 10 104,22 20 104,10 20 104,10 10 104))"},
      {"with arcs",
       "CURVEPOLYGON(COMPOUNDCURVE((10 20,10 10,22 10,22 20),CIRCULARSTRING(22 20,16 20.01,10 20)))"},
      {"with a hole that touches its wall",
       "POLYGON((10 10,22 10,22 20,10 20,10 10),(16 10,16.5 10.5,16 11,15.5 10.5,16 10))"},
      {"with a courtyard as a line", "POLYGON((10 10,22 10,22 20,10 20,10 10),(12 15,20 15,12 15))"},
      {"beside a collapsed one",
       "MULTIPOLYGON(((10 10,22 10,22 20,10 20,10 10)),((15 9.99,17 9.99,17 10,15 10,15 9.99)))"},
      {"as a solid",
       "POLYHEDRALSURFACE Z(((10 10 0,22 10 0,22 20 0,10 20 0,10 10 0)),((10 10 0,22 10 0,22 10 4,10 10 4,10 "
       "10 0)),"
       "((22 10 0,22 20 0,22 20 4,22 10 4,22 10 0)),((22 20 0,10 20 0,10 20 4,22 20 4,22 20 0)),"
       "((10 20 0,10 10 0,10 10 4,10 20 4,10 20 0)),((10 10 4,22 10 4,16 15 8,10 10 4)),"
       "((22 10 4,22 20 4,16 15 8,22 10 4)),((22 20 4,10 20 4,16 15 8,22 20 4)),((10 20 4,10 10 4,16 15 8,10 "
       "20 4)))"},
      {"as a net of triangles",
       "TIN Z(((10 10 4,22 10 4,22 20 4,10 10 4)),((10 10 4,22 20 4,10 20 4,10 10 4)))"},
      {"crossing itself at a corner", "POLYGON((10 10,22 10,22 20.2,21.8 20,22.2 20,10 20,10 10))"}};
  for (const auto& [name, wkt] : drawn) {
    const auto footprints = from_wkt(wkt);
    ASSERT_FALSE(footprints.empty()) << name;
    for (const Polygon& footprint : footprints) EXPECT_TRUE(geo::is_valid_shape(footprint)) << name;
    double roof_m2 = 0;
    for (const geo::RoofPlane& plane : roofs_on(footprints)) {
      EXPECT_TRUE(geo::is_valid_shape(plane.outline)) << name;
      roof_m2 += geo::area_m2(plane.outline);
    }
    EXPECT_NEAR(roof_m2, 120, 12) << name;
  }
}

TEST(OneFootprint, OfABowTieIsWhatItsCornersSpan) {
  const auto house = from_wkt("POLYGON((10 10,22 20,22 10,10 20,10 10))");
  ASSERT_EQ(house.size(), 1u);
  EXPECT_NEAR(geo::area_m2(house[0]), 120, 1e-9);
}

}  // namespace
