// Outlines of buildings and parcels from an office's packets.
#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>

#include <chrono>
#include <fstream>

#include "geo/offices/downloads.hpp"
#include "outlines_fixture.hpp"

namespace {

using namespace geo::offices;
using test::Outlines;
using testing::ElementsAre;
using testing::HasSubstr;

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

TEST_F(Outlines, AnUpdateKeepsTheAreaAndBringsItsPacketsNewIssues) {
  acquired(recipe(), "Essen");
  std::filesystem::remove_all(folder_.downloads());
  packet("05113_Essen", {{360000, 5702000}, {361000, 5702000}, {362000, 5702000}, {363000, 5702000}});
  office_.forget_counts();
  const Recipe made = recipe();
  const Plan plan = planned(made, "", true);
  EXPECT_EQ(plan.sets.front().found.files.size(), 1U);
  EXPECT_LT(plan.bytes(), 2'000'000U);
  EXPECT_EQ(acquired(plan.sets.front()).fetched, 1U);
  EXPECT_EQ(count(), 4U);
  EXPECT_EQ(requests_for("05911_Bochum") + requests_for("05111_Duesseldorf"), 0);
  // And it is not taken for the whole region.
  acquired(recipe(), "Bochum");
  EXPECT_EQ(count(), 6U);
  EXPECT_EQ(requests_for("05111_Duesseldorf"), 0);
}

TEST_F(Outlines, AnUpdateKeepsTheWindowOfPacketsThatHoldMore) {
  packet("05113_Essen", {{360000, 5702000}, {345000, 5677000}});  // one in Düsseldorf
  acquired(recipe(), "Essen");
  EXPECT_EQ(count(), 1U);
  updated(recipe());
  EXPECT_EQ(count(), 1U);
}

TEST_F(Outlines, AnUpdateOfWhatNobodyKnowsAnyMoreLeavesItAsItIs) {
  acquired(recipe(), "Essen");
  std::filesystem::remove(folder_.listings() / "test-buildings.made");
  EXPECT_TRUE(planned(recipe(), "", true).sets.front().found.files.empty());
  EXPECT_THAT(loss_, HasSubstr("of what it was made is not known any more"));
}

TEST_F(Outlines, ThePlanSaysThatOutlinesAreHereAndWhatElseIsFetchedWithAnArea) {
  EXPECT_EQ(planned(recipe(), "Essen", false).sets.front().here, 0U);
  acquired(recipe(), "Essen");
  const Recipe made = recipe();
  const Plan held = planned(made, "Essen", false);
  EXPECT_EQ(held.sets.front().here, 1U);
  EXPECT_EQ(held.bytes(), 0U);
  const Plan grown = planned(made, "Bochum", false);
  EXPECT_EQ(grown.sets.front().found.files.size(), 2U) << "both are made into one";
  EXPECT_EQ(grown.sets.front().here, 0U);
}

TEST_F(Outlines, APacketUnderANewUrlTakesTheOldOnesPlace) {
  acquired(recipe(), "Essen");
  list({"05113_Essen-Ruhr", "05911_Bochum", "05111_Duesseldorf"});
  packet("05113_Essen-Ruhr", {{360000, 5702000}, {361000, 5702000}});  // the old one is there as well
  EXPECT_TRUE(updated(recipe()).complete());
  EXPECT_EQ(count(), 2U);
  EXPECT_EQ(loss_, "");
  // Another area is added, and the old file is gone.
  list({"05113_Essen-2027", "05911_Bochum", "05111_Duesseldorf"});
  packet("05113_Essen-2027", {{360000, 5702000}});
  office_.take_away("/lk/gru_05113_Essen.zip");
  office_.take_away("/lk/gru_05113_Essen-Ruhr.zip");
  std::filesystem::remove_all(folder_.downloads());
  const SetOutcome outcome = acquired(recipe(), "Bochum");
  EXPECT_THAT(outcome.problems, ElementsAre());
  EXPECT_EQ(count(), 3U);
}

TEST_F(Outlines, APacketThatIsNotListedAnyMoreGoesAndIsSaid) {
  acquired(recipe(), "");
  EXPECT_EQ(count(), 6U);
  list({"05113_Essen", "05111_Duesseldorf"});
  office_.take_away("/lk/gru_05911_Bochum.zip");
  std::filesystem::remove_all(folder_.downloads());
  const SetOutcome outcome = updated(recipe());
  EXPECT_THAT(outcome.problems, ElementsAre());
  EXPECT_EQ(count(), 4U);
  EXPECT_THAT(loss_, HasSubstr("1 of the packets of which it was made are not listed any more"));
}

TEST_F(Outlines, FilesThatTheRecipeDoesNotNameAnyMoreAreNotJoined) {
  acquired(recipe_of({"05113_Essen"}), "");
  EXPECT_EQ(count(), 3U);
  packet("05113_Essen_20270401", {{360000, 5702000}, {361000, 5702000}});
  EXPECT_EQ(updated(recipe_of({"05113_Essen_20270401"})).held, 1U);
  EXPECT_EQ(count(), 2U);
  office_.take_away("/lk/gru_05113_Essen_20270401.zip");
  EXPECT_TRUE(acquired(recipe_of({"05113_Essen"}), "").complete());
  EXPECT_EQ(count(), 3U);
}

TEST_F(Outlines, AnUpdateDoesNotTakeWhatAnIncompleteCallLeftLongAgo) {
  acquired(recipe(), "Essen");
  age_downloads();
  packet("05113_Essen", {{360000, 5702000}});
  EXPECT_EQ(updated(recipe()).fetched, 1U);
  EXPECT_EQ(count(), 1U);
}

TEST_F(Outlines, ADownloadGrowsOldAsAListingDoes) {
  office_.take_away("/lk/gru_05911_Bochum.zip");
  acquired(recipe(), "Essen");
  EXPECT_FALSE(acquired(recipe(), "Bochum").complete());
  packet("05911_Bochum", {{374000, 5705000}});
  packet("05113_Essen", {{360000, 5702000}});
  acquired(recipe(), "Bochum");
  EXPECT_EQ(count(), 4U) << "it goes on with what has come";
  age_downloads();
  acquired(recipe(), "");
  EXPECT_EQ(count(), 3U);
}

TEST_F(Outlines, TwoSetsOfAnUpdateFetchTheirCommonPacketOnce) {
  Recipe made = recipe();
  made.sources.push_back(made.sources.front());
  made.sources.back().id = "test-parcels";
  made.sources.back().kind = geo::DataKind::parcels;
  const auto acquire_both = [&](bool anew) {
    const Plan plan = planned(made, anew ? "" : "Essen", anew);
    ASSERT_EQ(plan.sets.size(), 2U);
    for (const SetPlan& set : plan.sets) EXPECT_TRUE(acquired(set).complete());
  };
  acquire_both(false);
  age_downloads();
  office_.forget_counts();
  acquire_both(true);
  EXPECT_EQ(requests_for("05113_Essen"), 1);
}

TEST_F(Outlines, AnUpdateThatWasStoppedGoesOnAndTheNextOneBeginsAnew) {
  acquired(recipe(), "");
  age_downloads();
  office_.take_away("/lk/gru_05911_Bochum.zip");
  EXPECT_FALSE(updated(recipe()).complete());
  packet("05911_Bochum", {{374000, 5705000}});
  office_.forget_counts();
  const Recipe made = recipe();
  const Plan plan = planned(made, "", true);
  EXPECT_TRUE(acquired(plan.sets.front()).complete());
  EXPECT_EQ(requests_for("05911_Bochum"), 1);
  EXPECT_EQ(requests_for("05113_Essen"), 0);
  clear_downloads(plan, folder_);
  office_.forget_counts();
  EXPECT_TRUE(updated(recipe()).complete());
  EXPECT_EQ(requests_for("05113_Essen"), 1);
}

TEST_F(Outlines, WhatIsDoneTakesItsOwnDownloadsAwayAndNobodyElses) {
  acquired(recipe(), "Essen");
  const Recipe made = recipe();
  const Plan plan = planned(made, "Essen", false);
  const auto ours = folder_.download_of(office_.url("/lk/gru_05113_Essen.zip"));
  ASSERT_TRUE(std::filesystem::exists(ours));
  for (const char* ending : {".part", ".part.state", ".part.state.new", ".4711.part"})
    std::ofstream(ours.string() + ending) << "x";
  std::filesystem::create_directories(folder_.downloads() / "test-buildings.parts" / "a");
  const std::vector<std::string> others{
      folder_.download_of(office_.url("/lk/gru_05911_Bochum.zip")).string() + ".part",
      folder_.download_of("https://example.org/dom.zip").string(),
      (folder_.downloads() / "test-buildings-more.parts").string()};
  for (const std::string& other : others) std::ofstream(other) << "x";
  clear_downloads(plan, folder_);
  std::size_t left = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.downloads())) ++left;
  EXPECT_EQ(left, others.size());
  for (const std::string& other : others) EXPECT_TRUE(std::filesystem::exists(other)) << other;
  for (const std::string& other : others) std::filesystem::remove(other);
  clear_downloads(plan, folder_);
  EXPECT_FALSE(std::filesystem::exists(folder_.downloads()));
}

TEST_F(Outlines, BeginningsThatNobodyGoesOnWithGoAfterAMonth) {
  const Recipe made = recipe();
  const Plan plan = planned(made, "Essen", false);
  const auto wanted = folder_.download_of(office_.url("/lk/gru_05113_Essen.zip")).string() + ".part";
  const auto of_old_url = folder_.download_of(office_.url("/lk/gru_05113_Essen_2019.zip")).string();
  const auto under_way = folder_.download_of("https://example.org/dom.tif").string();
  const auto whole = folder_.download_of("https://example.org/hu.zip").string();
  std::filesystem::create_directories(folder_.downloads() / "other-buildings.parts");
  for (const std::string& file : {wanted, of_old_url + ".part", of_old_url + ".part.state",
                                  of_old_url + ".part.state.new", under_way + ".part.state", whole})
    std::ofstream(file) << "ten bytes.";
  EXPECT_EQ(clear_abandoned_parts(plan, folder_).downloads, 0U) << "they are young";
  age_downloads(kDaysOfAPart + 1);
  std::ofstream(under_way + ".part") << "a call of yesterday's goes on with it";
  const Cleared cleared = clear_abandoned_parts(plan, folder_);
  EXPECT_EQ(cleared.downloads, 1U);
  EXPECT_EQ(cleared.bytes, 30U);
  EXPECT_FALSE(std::filesystem::exists(of_old_url + ".part"));
  EXPECT_FALSE(std::filesystem::exists(of_old_url + ".part.state"));
  EXPECT_FALSE(std::filesystem::exists(of_old_url + ".part.state.new"));
  for (const std::string& file : {wanted, under_way + ".part", under_way + ".part.state", whole})
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  EXPECT_TRUE(std::filesystem::exists(folder_.downloads() / "other-buildings.parts"));
}

TEST_F(Outlines, TheirDateIsThatOfTheNewestPacketWhateverTheLastAreaWas) {
  Recipe made = recipe();
  made.sources.front().find.names = {*NamePattern::parse("gru_{key}_{*}_{year}.zip")};
  list({"05113_Essen_2024", "05911_Bochum_2020"});
  packet("05113_Essen_2024", {{360000, 5702000}});
  packet("05911_Bochum_2020", {{374000, 5705000}});
  EXPECT_EQ(acquired(made, "Essen").newest_date, 20240000);
  EXPECT_EQ(acquired(made, "Bochum").newest_date, 20240000);
  // A newer one is listed, and not here.
  list({"05113_Essen_2024", "05911_Bochum_2020", "05111_Duesseldorf_2026"});
  const SetOutcome held = acquired(made, "Bochum");
  EXPECT_EQ(held.newest_date, 20240000);
  EXPECT_EQ(held.fetched_on, 0) << "nothing was made";
}

TEST_F(Outlines, APacketOfAnotherSetHasTheDayOnWhichItCame) {
  Recipe made = recipe();
  acquired(made, "Essen");
  constexpr int kDays = 10;
  age_downloads(kDays);
  made.sources.front().id = "test-parcels";
  const SetOutcome other = acquired(made, "Essen");
  EXPECT_EQ(other.fetched, 0U);
  EXPECT_EQ(other.fetched_on, day_written(folder_.download_of(office_.url("/lk/gru_05113_Essen.zip"))));
}

TEST_F(Outlines, ARecordOfUrlsAloneIsUnderstood) {
  acquired(recipe(), "Essen");
  const auto record = folder_.listings() / "test-buildings.made";
  std::ifstream in(record);
  std::string window;
  std::getline(in, window);
  std::ofstream(record) << window << "\n" << office_.url("/lk/gru_05113_Essen.zip") << "\n";
  office_.forget_counts();
  EXPECT_EQ(acquired(recipe(), "Essen").fetched, 0U);
  EXPECT_EQ(office_.counts().requests, 0);
  acquired(recipe(), "Bochum");
  EXPECT_EQ(count(), 5U);
}

TEST_F(Outlines, AConditionOnColumnsHolds) {
  acquired(recipe(R"(,"where":"kind = 1")"), "");
  EXPECT_EQ(count(), 2U);
}

TEST_F(Outlines, AMissingLayerOrColumnIsRefusedAndWhatIsThereStays) {
  acquired(recipe(), "Essen");
  const SetOutcome column = acquired(recipe(R"(,"where":"NUTZUNG = 41")"), "");
  ASSERT_EQ(column.problems.size(), 1U);
  EXPECT_THAT(column.problems.front(), HasSubstr("cannot be asked for \"NUTZUNG = 41\" ("));
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

TEST_F(Outlines, AZipOfDocumentsBesideTheDataIsNotOpenedAndOneOfDataAloneIs) {
  const std::string data = test::squares_gpkg("GebauedeBauwerk", {{360000, 5702000}});
  const std::string documents = test::zip_of({{"liesmich.pdf", "%PDF"}});
  office_.put("/lk/gru_05113_Essen.zip",
              {.body = test::zip_of(
                   {{"gru.gpkg", data}, {"Dokumentation.zip", documents}, {"gpkg.zip", "PK torn"}})});
  EXPECT_THAT(acquired(recipe(), "Essen").problems, ElementsAre());
  EXPECT_EQ(count(), 1U);
  office_.put("/lk/gru_05911_Bochum.zip",
              {.body = test::zip_of({{"a.zip", test::zip_of({{"gru.gpkg", data}})}, {"b.zip", "PK torn"}})});
  folder_.catalogue = temporary_.path() / "other" / "geodata.json";
  EXPECT_THAT(acquired(recipe(), "Bochum").problems, ElementsAre(HasSubstr("is no ZIP that can be read")));
}

}  // namespace
