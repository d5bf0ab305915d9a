// The sample region's files: that they say the same thing as one another, in every coordinate system.
#include <cstring>
#include <numeric>
#include <set>

#include "geo/data/place_frame.hpp"
#include "geo/shapes/boost_shapes.hpp"
#include "tests/geo/sample_region_files.hpp"

namespace {

namespace bg = boost::geometry;
using sample_test::region;

class SampleRegionIn : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(EverySystem, SampleRegionIn,
                         ::testing::Values("EPSG:25832", "EPSG:3035", "EPSG:2056"));

TEST_P(SampleRegionIn, WritesEveryFileOfItsCatalogue) {
  const auto dir = region(GetParam());
  simdjson::dom::parser parser;
  const simdjson::dom::element catalogue = parser.load((dir / "geodata.json").string());
  std::set<std::string> kinds;
  for (const simdjson::dom::element set : catalogue["datasets"].get_array()) {
    const std::string path(set["path"].get_string().value());
    EXPECT_GT(sample_test::bytes(dir / path).size(), 500u) << path;
    kinds.insert(std::string(set["kind"].get_string().value()));
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"dsm", "dtm", "buildings", "parcels", "addresses", "orthophoto",
                                          "relief"}));
}

TEST(SampleRegion, HasDisjointParcels) {
  const auto parcels = sample_test::polygons(region("EPSG:3035") / "parcels.gpkg");
  ASSERT_EQ(parcels.size(), 16u);
  for (std::size_t i = 0; i < parcels.size(); ++i) {
    EXPECT_GT(bg::area(geo::to_boost(parcels[i])), 100);
    for (std::size_t j = i + 1; j < parcels.size(); ++j) {
      geo::BoostMultiPolygon common;
      bg::intersection(geo::to_boost(parcels[i]), geo::to_boost(parcels[j]), common);
      EXPECT_LT(bg::area(common), 1e-4) << i << " and " << j;
    }
  }
}

TEST_P(SampleRegionIn, PutsEveryAddressOnABuildingAndInAParcelOfItsOwn) {
  const auto dir = region(GetParam());
  const auto parcels = sample_test::polygons(dir / "parcels.gpkg");
  const auto buildings = sample_test::polygons(dir / "buildings.gpkg");
  const auto rows = sample_test::csv(dir / "addresses.csv");
  ASSERT_EQ(rows.size(), 17u) << "a header and 16 addresses";
  std::set<std::size_t> taken;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const geo::LonLat at{std::stod(rows[i][5]), std::stod(rows[i][6])};
    const auto frame = geo::PlaceFrame::create(GetParam(), at);
    ASSERT_TRUE(frame);
    auto holders = [&](const std::vector<geo::Polygon>& polygons) {
      std::vector<std::size_t> found;
      for (std::size_t k = 0; k < polygons.size(); ++k)
        if (bg::within(frame->origin(), geo::to_boost(polygons[k]))) found.push_back(k);
      return found;
    };
    ASSERT_EQ(holders(parcels).size(), 1u) << rows[i][0] << ' ' << rows[i][1];
    EXPECT_TRUE(taken.insert(holders(parcels).front()).second) << "two addresses in one parcel";
    EXPECT_EQ(holders(buildings).size(), 1u) << rows[i][0] << ' ' << rows[i][1];
  }
}

TEST(SampleRegion, KeepsBuildingsWithinOneParcelAndApart) {
  const auto dir = region("EPSG:3035");
  const auto parcels = sample_test::polygons(dir / "parcels.gpkg");
  const auto buildings = sample_test::polygons(dir / "buildings.gpkg");
  ASSERT_GE(buildings.size(), 16u);
  for (std::size_t i = 0; i < buildings.size(); ++i) {
    const auto walls = geo::to_boost(buildings[i]);
    double inside = 0;
    for (const geo::Polygon& parcel : parcels) {
      geo::BoostMultiPolygon common;
      bg::intersection(walls, geo::to_boost(parcel), common);
      inside = std::max(inside, bg::area(common));
    }
    EXPECT_NEAR(inside, bg::area(walls), 1e-3) << i;
    for (std::size_t j = i + 1; j < buildings.size(); ++j) {
      geo::BoostMultiPolygon common;
      bg::intersection(walls, geo::to_boost(buildings[j]), common);
      EXPECT_LT(bg::area(common), 1e-4) << i << " and " << j;
    }
  }
}

TEST_P(SampleRegionIn, CoversHousesWithGroundBelowAndReliefAround) {
  const auto dir = region(GetParam());
  const auto surface = sample_test::heights(dir / "dsm.tif"), terrain = sample_test::heights(dir / "dtm.tif");
  const auto relief = sample_test::heights(dir / "relief.tif");
  ASSERT_EQ(surface.values.size(), terrain.values.size());
  ASSERT_FALSE(surface.values.empty());
  double lowest = 1e9, highest = -1e9;
  for (const geo::Polygon& walls : sample_test::polygons(dir / "buildings.gpkg")) {
    geo::Point middle;
    bg::centroid(geo::to_boost(walls), middle);
    const int col = surface.col_of(middle.x), row = surface.row_of(middle.y);
    ASSERT_TRUE(surface.contains(col - 140, row - 140) && surface.contains(col + 140, row + 140));
    const double ground = terrain.at(col, row);
    EXPECT_LT(std::abs(relief.at(relief.col_of(middle.x), relief.row_of(middle.y)) - ground), 8)
        << "the relief continues the terrain";
    const double above = surface.at(col, row) - ground;
    lowest = std::min(lowest, above), highest = std::max(highest, above);
  }
  EXPECT_GT(lowest, 1.2) << "even a garage on a slope";
  EXPECT_LT(highest, 16);
}

TEST(SampleRegion, LeavesFewCellsWithoutHeight) {
  const auto surface = sample_test::heights(region("EPSG:25832") / "dsm.tif");
  const auto empty =
      std::count_if(surface.values.begin(), surface.values.end(), [](float z) { return std::isnan(z); });
  EXPECT_GT(empty, 0);
  EXPECT_LT(static_cast<double>(empty), 0.001 * static_cast<double>(surface.values.size()));
}

TEST(SampleRegion, GivesTheSameBytesForTheSameSeedAndOthersForAnother) {
  auto make = [](const char* name, std::uint32_t seed) {
    auto dir = sample_test::folder(name);
    EXPECT_TRUE(geo::write_sample_region({.out_dir = dir, .seed = seed, .addresses = 2}));
    return dir;
  };
  const auto first = make("same_a", 5), again = make("same_b", 5), other = make("other", 6);
  for (const char* file : {"truth.json", "addresses.csv", "dsm.tif", "dtm.tif", "relief.tif",
                           "orthophoto.tif", "buildings.gpkg", "parcels.gpkg"}) {
    EXPECT_TRUE(sample_test::bytes(first / file) == sample_test::bytes(again / file)) << file;
    EXPECT_FALSE(sample_test::bytes(first / file) == sample_test::bytes(other / file)) << file;
  }
}

TEST(SampleRegion, HasAsManyAddressesAsAskedFor) {
  for (const int addresses : {1, 5}) {
    const auto dir = sample_test::folder("count" + std::to_string(addresses));
    ASSERT_TRUE(geo::write_sample_region({.out_dir = dir, .seed = 3, .addresses = addresses}));
    EXPECT_EQ(sample_test::csv(dir / "addresses.csv").size(), static_cast<std::size_t>(addresses) + 1);
  }
}

TEST(SampleRegion, HasCellsOfHalfAMetreWhereTheyAreAskedFor) {
  const auto dir = sample_test::folder("half_metres");
  const auto written = geo::write_sample_region(
      {.out_dir = dir, .seed = 7, .crs = "EPSG:2056", .addresses = 4, .cell_m = 0.5});
  ASSERT_TRUE(written) << written.error().text;
  for (const char* file : {"dsm.tif", "dtm.tif"}) {
    const auto heights = sample_test::heights(dir / file);
    EXPECT_EQ(heights.cell_m, 0.5) << file;
    const auto holes =
        std::count_if(heights.values.begin(), heights.values.end(), [](float z) { return std::isnan(z); });
    EXPECT_LT(static_cast<double>(holes), 0.01 * static_cast<double>(heights.values.size())) << file;
  }
  EXPECT_NE(sample_test::bytes(dir / "geodata.json").find("Oberflächenmodell 0,5 m"), std::string::npos);
}

TEST(SampleRegion, NamesNoHouseTwice) {
  std::set<std::string> names;
  const auto rows = sample_test::csv(region("EPSG:25832", geo::Gridding::levelled, 40) / "addresses.csv");
  for (const auto& row : rows) names.insert(row[0] + ' ' + row[1]);
  EXPECT_EQ(names.size(), rows.size());
}

TEST(SampleRegion, RefusesWhatItCannotMake) {
  const std::string dir = sample_test::folder("refused");
  auto kind = [](const geo::SampleRegionOptions& options) {
    const auto result = geo::write_sample_region(options);
    return result ? -1 : static_cast<int>(result.error().kind);
  };
  const int invalid = static_cast<int>(geo::FailureKind::invalid_input);
  EXPECT_EQ(kind({.out_dir = dir, .crs = "EPSG:31256"}), invalid);
  EXPECT_EQ(kind({.out_dir = dir, .crs = "EPSG:4326"}), invalid);
  EXPECT_EQ(kind({.out_dir = dir, .crs = ""}), invalid);
  EXPECT_EQ(kind({.out_dir = dir, .addresses = 0}), invalid);
  EXPECT_EQ(kind({.out_dir = dir, .addresses = 5001}), invalid);
  EXPECT_EQ(kind({.out_dir = dir, .survey = {.corner_m = -0.1}}), invalid);
  EXPECT_EQ(kind({.out_dir = dir, .survey = {.turn_deg = NAN}}), invalid);
  for (const double cell_m : {0.0, -1.0, 0.3, 2.0, double{NAN}})
    EXPECT_EQ(kind({.out_dir = dir, .cell_m = cell_m}), invalid) << cell_m;
  EXPECT_EQ(kind({.out_dir = "/proc/no/such/folder"}), invalid);
  EXPECT_FALSE(sample_test::fs::exists(dir)) << "nothing is begun";
}

}  // namespace
