// Outlines of buildings and parcels from an office's packets.
#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include "../../office_server.hpp"
#include "../../temporary_folder.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/office_network.hpp"
#include "geo/offices/recipes.hpp"
#include "listing_slices.hpp"
#include "tile_forms.hpp"

namespace {

using namespace geo::offices;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two districts' packets, each a zipped GeoPackage with buildings among other polygons.
class Outlines : public testing::Test {
 protected:
  void SetUp() override {
    office_.put(
        "/lk/index.json",
        {.body =
             R"({"datasets":[{"name":"x","files":[{"name":"gru_05113_Essen.zip"},{"name":"gru_05911_Bochum.zip"},{"name":"gru_05111_Duesseldorf.zip"}]}]})"});
    packet("05113_Essen", {{360000, 5702000}, {361000, 5702000}, {362000, 5702000}});
    packet("05911_Bochum", {{374000, 5705000}, {375000, 5705000}});
    packet("05111_Duesseldorf", {{345000, 5677000}});
  }
  void packet(const std::string& name, const std::vector<std::pair<double, double>>& places,
              const std::string& layer = "GebauedeBauwerk") {
    office_.put("/lk/gru_" + name + ".zip",
                {.body = test::zip_of(
                     {{"daten/gru.gpkg", test::squares_gpkg(layer, places)}, {"liesmich.txt", "x"}})});
  }
  Recipe recipe(const std::string& more = "") {
    auto made = read_recipe(
        R"({"id":"test","title":"T","provider":"P","licence":"L","notice":"N","crs":"EPSG:25832","heights":"H",
      "outline":[[5,50],[9,50],[9,53],[5,53]],"sources":[{"kind":"buildings","title":"B","file_mb":1,"form":"vector","zipped":true,
      "layer":"gebauedebauwerk")" +
            more + R"(,"find":{"method":"listing","urls":[")" + office_.url("/lk/index.json") +
            R"("],"names":["gru_{key}_{*}.zip"]}}]})",
        "test");
    if (!made) throw std::runtime_error(made.error().text);
    return *made;
  }
  SetOutcome acquired(const Recipe& recipe, const std::string& area, bool anew = false) {
    const ListingStore listings(folder_.listings(), asking_by(fetcher_, control_));
    Wish wish{.anew = anew};
    if (!area.empty()) wish.area = *read_area(area);
    const auto plan = make_plan(recipe, wish, listings, "20261124");
    if (!plan) throw std::runtime_error(plan.error().text);
    auto outcome = acquire_outlines(plan->sets.front(), wish.area, folder_, fetcher_, {}, control_);
    if (!outcome) throw std::runtime_error(outcome.error().text);
    return *outcome;
  }
  std::size_t count() {
    const auto polygons =
        geo::read_polygons({(folder_.root() / "test-buildings.gpkg").string(), "", "", ""},
                           {300000, 5600000, 400000, 5800000}, "EPSG:25832", geo::RunControl());
    return polygons ? polygons->size() : 0;
  }

  test::OfficeServer office_;
  test::TemporaryFolder temporary_;
  DataFolder folder_{temporary_.path() / "geodata.json"};
  geo::Network network_{{.contact = "test@example.org"}};
  geo::Fetcher fetcher_{network_, {.tries = 1}};
  geo::RunControl control_;
};

TEST_F(Outlines, TheTownsDistrictComesWithTheLayerThatIsMeant) {
  const SetOutcome outcome = acquired(recipe(), "Essen");
  EXPECT_THAT(outcome.problems, ElementsAre());
  EXPECT_EQ(outcome.file, "test-buildings.gpkg");
  EXPECT_EQ(count(), 3U);
  EXPECT_EQ(office_.counts("/lk/gru_05911_Bochum.zip").requests, 0);
  const auto data = geo::open_dataset((folder_.root() / "test-buildings.gpkg").string(), GDAL_OF_VECTOR);
  EXPECT_TRUE(data->GetLayer(0)->TestCapability(OLCFastSpatialFilter));
}

TEST_F(Outlines, AnotherAreaIsAddedToWhatIsThere) {
  acquired(recipe(), "Essen");
  acquired(recipe(), "Bochum");
  EXPECT_EQ(count(), 5U);
  office_.forget_counts();
  EXPECT_EQ(acquired(recipe(), "Essen").fetched, 0U);
  EXPECT_EQ(office_.counts().requests, 0);
  acquired(recipe(), "");
  EXPECT_EQ(count(), 6U);
}

TEST_F(Outlines, AConditionOnColumnsHolds) {
  acquired(recipe(R"(,"where":"kind = 1")"), "");
  EXPECT_EQ(count(), 2U);
}

TEST_F(Outlines, AMissingLayerOrColumnIsRefusedAndWhatIsThereStays) {
  acquired(recipe(), "Essen");
  const SetOutcome column = acquired(recipe(R"(,"where":"NUTZUNG = 41")"), "");
  ASSERT_EQ(column.problems.size(), 1U);
  EXPECT_THAT(column.problems.front(), HasSubstr("has no columns for \"NUTZUNG = 41\""));
  EXPECT_EQ(column.file, "");
  EXPECT_EQ(count(), 3U);
  packet("05911_Bochum", {{374000, 5705000}}, "Gebaeude");
  std::filesystem::remove_all(folder_.downloads());
  const SetOutcome layer = acquired(recipe(), "Bochum");
  ASSERT_EQ(layer.problems.size(), 1U);
  EXPECT_THAT(layer.problems.front(), HasSubstr("has no layer of polygons called gebauedebauwerk"));
  EXPECT_EQ(count(), 3U);
}

TEST_F(Outlines, OfSeveralShapesThatOfTheLayersNameIsTaken) {
  const auto meant = test::squares_shape({{360000, 5702000}});
  const auto land_use = test::squares_shape({{360000, 5702000}, {361000, 5702000}, {362000, 5702000}});
  for (const char* name : {"GebauedeBauwerk", "3438-000_gebauedebauwerk"}) {
    std::vector<test::ZipEntry> entries;
    for (const auto& [ending, bytes] : meant) entries.push_back({name + ending, bytes});
    for (const auto& [ending, bytes] : land_use)
      entries.push_back({"NutzungGebauedeBauwerk" + ending, bytes});
    office_.put("/lk/gru_05113_Essen.zip", {.body = test::zip_of(entries)});
    folder_.catalogue = temporary_.path() / name / "geodata.json";
    EXPECT_THAT(acquired(recipe(), "Essen").problems, ElementsAre());
    EXPECT_EQ(count(), 1U) << name;
  }
}

TEST_F(Outlines, OnlyThePacketThatIsWrongIsFetchedAgain) {
  office_.put("/lk/gru_05911_Bochum.zip", {.body = "PK\x03\x04 torn"});
  const SetOutcome torn = acquired(recipe(), "");
  ASSERT_EQ(torn.problems.size(), 1U);
  EXPECT_EQ(torn.file, "");
  packet("05911_Bochum", {{374000, 5705000}, {375000, 5705000}});
  office_.forget_counts();
  EXPECT_THAT(acquired(recipe(), "").problems, ElementsAre());
  EXPECT_EQ(count(), 6U);
  EXPECT_EQ(office_.counts("/lk/gru_05113_Essen.zip").requests, 0);
  EXPECT_EQ(office_.counts("/lk/gru_05911_Bochum.zip").requests, 1);
}

TEST_F(Outlines, APacketThatIsNoneLeavesNothingHalfMade) {
  office_.put("/lk/gru_05113_Essen.zip", {.body = "PK\x03\x04 torn"});
  const SetOutcome outcome = acquired(recipe(), "Essen");
  EXPECT_EQ(outcome.file, "");
  EXPECT_EQ(outcome.problems.size(), 1U);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.root()))
    EXPECT_NE(entry.path().extension(), ".gpkg") << entry.path();
}

}  // namespace
