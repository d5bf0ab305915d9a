#include "geo/property/property.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "geo/data/gdal.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/property/building_outlines.hpp"
#include "geo/property/terrain.hpp"
#include "geo/shapes/shape_algebra.hpp"
#include "landscape.hpp"
#include "tests/geo/simple_shapes.hpp"
#include "tests/shared_data.hpp"

namespace {

using geo::Point;
using test::rectangle;

using test::flat;

geo::Property find(const geo::PropertyInput& input) {
  auto found = geo::find_property(input, {});
  EXPECT_TRUE(found) << found.error().text;
  return found ? *found : geo::Property{};
}

//   parcel 1 (0..20)   parcel 2 (20..40)      street: 0..40 x 0..10
//   +-------+-------+
//   | [row  house]  |   the row house 5..35 x 20..30 is one footprint
//   |  g    |       |   the garage 6..9 x 40..46
//   +-------+-------+
class TwoParcels : public testing::Test {
 protected:
  test::Landscape land{60, 60, flat};
  std::vector<geo::Polygon> parcels{rectangle(0, 10, 20, 60), rectangle(20, 10, 40, 60),
                                    rectangle(0, 0, 40, 10)};
  std::vector<geo::Polygon> footprints{rectangle(6, 40, 9, 46), rectangle(5, 20, 35, 30)};
  geo::Property at(Point address) { return find({land.dsm, land.terrain, address, parcels, footprints}); }
};

TEST_F(TwoParcels, ClipARowHouseDrawnAsOneFootprint) {
  const auto property = at({10, 25});
  ASSERT_EQ(property.buildings.size(), 2u);
  EXPECT_NEAR(geo::area_m2(property.buildings[0].footprint), 150, 1e-6) << "the western half";
  EXPECT_NEAR(geo::area_m2(property.buildings[1].footprint), 18, 1e-6) << "the garage";
  EXPECT_EQ(at({30, 25}).buildings.size(), 1u) << "the garage is the neighbour's";
}

TEST_F(TwoParcels, AreFoundFromAPointInTheStreet) {
  const auto property = at({8, 9});
  ASSERT_EQ(property.buildings.size(), 2u);
  ASSERT_TRUE(property.parcel);
  EXPECT_EQ(property.parcel->outer, parcels[0].outer);
}

TEST_F(TwoParcels, TakeNoSliverOfTheNeighboursHouse) {
  footprints = {rectangle(5, 20, 15, 30), rectangle(19, 20, 35, 40)};  // drawn 1 m across the border
  EXPECT_EQ(at({10, 25}).buildings.size(), 1u);
  const auto neighbour = at({30, 25});
  ASSERT_EQ(neighbour.buildings.size(), 1u);
  EXPECT_NEAR(geo::area_m2(neighbour.buildings[0].footprint), 320, 1e-6) << "whole, with its metre across";
}

class Footprints : public testing::Test {
 protected:
  test::Landscape land{120, 60, flat};
  // house and shed; 10 m east of the house the neighbour's house and its shed
  std::vector<geo::Polygon> footprints{rectangle(10, 10, 22, 20), rectangle(10, 30, 14, 34),
                                       rectangle(32, 10, 44, 20), rectangle(36, 24, 40, 28)};
  geo::Property at(Point address, std::vector<Point> others) {
    return find({land.dsm, land.terrain, address, {}, footprints, std::move(others)});
  }
};

TEST_F(Footprints, AHouseComesWithItsShedAndWithoutTheNeighbours) {
  const auto property = at({16, 8}, {{38, 8}});
  ASSERT_EQ(property.buildings.size(), 2u);
  EXPECT_EQ(property.buildings[0].footprint.outer, footprints[0].outer);
  EXPECT_EQ(property.buildings[1].footprint.outer, footprints[1].outer);
}

TEST_F(Footprints, WithoutNeighboursAddressesAHouseIsNoOutbuilding) {
  const auto property = at({16, 8}, {});
  for (const auto& building : property.buildings)
    EXPECT_FALSE(building.footprint == footprints[2]) << "the neighbour's house";
  EXPECT_GE(property.buildings.size(), 2u) << "the shed is taken";
}

TEST_F(Footprints, TheHouseIsMeantEvenIfAGarageIsNearerToTheStreet) {
  footprints = {rectangle(10, 5, 13, 11), rectangle(16, 12, 28, 24)};
  const auto property = at({12, 1}, {});
  ASSERT_EQ(property.buildings.size(), 2u);
  EXPECT_EQ(property.buildings[0].footprint.outer, footprints[1].outer);
}

TEST_F(Footprints, FartherThanTwentyFiveMetresAreNoBuildingOfTheAddress) {
  EXPECT_TRUE(at({69.5, 15}, {}).buildings.empty());
  EXPECT_FALSE(at({68.5, 15}, {}).buildings.empty());
}

TEST(Heights, ShowTheHouseButNotTheTreeBeforeIt) {
  auto land = test::Landscape(120, 120, flat).house(50, 50, 66, 60).tree({58, 42}, 6);
  const auto property = find({land.dsm, land.terrain, {58, 40}});
  ASSERT_EQ(property.buildings.size(), 1u);
  const auto& footprint = property.buildings[0].footprint;
  EXPECT_FALSE(property.buildings[0].from_footprints);
  EXPECT_NEAR(geo::area_m2(footprint), 160, 16);
  EXPECT_TRUE(geo::holds(footprint, {58, 55}));
  EXPECT_FALSE(geo::holds(footprint, {58, 42}));
}

TEST(Heights, MakeNoBuildingOfTrees) {
  auto land = test::Landscape(120, 120, flat);
  for (int row = 0; row < 3; ++row)
    for (int col = 0; col < 4; ++col) land.tree({30.0 + 7 * col, 40.0 + 8 * row}, 4 + col);
  EXPECT_TRUE(find({land.dsm, land.terrain, {45, 50}}).buildings.empty());
}

TEST(Heights, OnAParcelAreCutAtItsBorder) {
  auto land = test::Landscape(120, 120, flat).house(40, 50, 80, 60);
  const auto property =
      find({land.dsm, land.terrain, {50, 55}, {rectangle(30, 30, 60, 90), rectangle(60, 30, 90, 90)}});
  ASSERT_EQ(property.buildings.size(), 1u);
  EXPECT_NEAR(geo::area_m2(property.buildings[0].footprint), 200, 20);
}

TEST(Heights, ShowTheGarageAtAParcelsFarEnd) {
  auto land = test::Landscape(160, 60, flat).house(10, 20, 24, 32);
  for (int row = 20; row < 26; ++row)
    for (int col = 130; col < 134; ++col) land.dsm.at(col, row) = 102.6f;
  const auto property = find({land.dsm, land.terrain, {15, 25}, {rectangle(0, 0, 160, 60)}});
  ASSERT_EQ(property.buildings.size(), 2u);
  EXPECT_TRUE(property.buildings[1].rectangle);
  EXPECT_NEAR(geo::area_m2(property.buildings[1].footprint), 24, 2);
}

TEST(Heights, ShowMostOfTheNarrowHousesOfDelft) {
  ROOF_NEEDS_SHARED_DATA();
  const auto folder = test::shared_file("data/delft");
  const auto raster = geo::Raster::open(folder / "dsm.tif");
  ASSERT_TRUE(raster);
  const auto dsm = raster->read(raster->bounds());
  const auto footprints =
      geo::read_polygons({folder / "buildings.gpkg"}, raster->bounds(), raster->crs_wkt(), {});
  ASSERT_TRUE(dsm && footprints);
  geo::RectangleFits fits;
  const auto outlines =
      geo::building_outlines(*dsm, geo::derive_terrain(*dsm, {}), geo::kEverywhere, fits, {});
  ASSERT_TRUE(outlines);
  double built_m2 = 0, found_m2 = 0;
  for (const auto& footprint : *footprints) {
    built_m2 += geo::area_m2(footprint);
    for (const auto& outline : *outlines)
      for (const auto& part : geo::intersection(footprint, outline.shape)) found_m2 += geo::area_m2(part);
  }
  EXPECT_GT(found_m2, 0.8 * built_m2);
}

struct LabelledPoint {
  std::string label;
  geo::LonLat place;
};

std::vector<LabelledPoint> labelled_points() {
  std::ifstream file(test::shared_file("data/nrw/addresses.csv"));
  std::string line;
  std::getline(file, line);
  std::vector<LabelledPoint> points;
  while (std::getline(file, line)) {
    std::vector<std::string> fields;
    std::stringstream row(line);
    for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
    points.push_back({fields.at(0) + " " + fields.at(1), {std::stod(fields.at(5)), std::stod(fields.at(6))}});
  }
  return points;
}

TEST(Heights, OfEssenGiveEveryRoofAndNeitherTheSportsFieldNorTheTrees) {
  ROOF_NEEDS_SHARED_DATA();
  const auto raster = geo::Raster::open(test::shared_file("data/nrw/dsm.tif"));
  ASSERT_TRUE(raster);
  const auto points = labelled_points();
  ASSERT_EQ(points.size(), 22u);
  for (const auto& [label, place] : points) {
    const Point at = geo::PlaceFrame::create(raster->crs_wkt(), place)->origin();
    const auto dsm = raster->read({at.x - 120, at.y - 120, at.x + 120, at.y + 120});
    ASSERT_TRUE(dsm);
    const auto property = find({*dsm, geo::derive_terrain(*dsm, {}), at});
    if (label.starts_with("Leerpunkt")) {
      EXPECT_TRUE(property.buildings.empty()) << label;
      continue;
    }
    ASSERT_FALSE(property.buildings.empty()) << label;
    for (std::size_t i = 1; i < property.buildings.size(); ++i)
      EXPECT_TRUE(property.buildings[i].rectangle) << label << ": beside the house stand garages only";
    const auto& footprint = property.buildings[0].footprint;
    EXPECT_TRUE(geo::holds(footprint, at)) << label;
    EXPECT_TRUE(geo::is_valid_shape(footprint)) << label;
    EXPECT_GT(geo::area_m2(footprint), 60) << label;
  }
}

}  // namespace
