// Whole sets from an office on loopback, with the habits that offices have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "../../full_disk.hpp"
#include "../../shared_data.hpp"
#include "acquisition_fixture.hpp"
#include "geo/offices/acquisition.hpp"
#include "geo/offices/catalogue_entries.hpp"
#include "geo/offices/tile_plan.hpp"
#include "listing_slices.hpp"
#include "tile_forms.hpp"

namespace {

using namespace geo::offices;
using geo::TileState;
using test::kCrs;
using test::kEast;
using test::kNorth;
using testing::ElementsAre;
using testing::HasSubstr;

using test::Acquisition;
using test::Form;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Acquisition, GoodTilesStayAsTheyComeAndAreIndexedWhereTheyLie) {
  list(names(4, 2020));
  for (int i = 0; i < 4; ++i)
    office_.put("/dom/" + name_of_square(i, 2020), {.body = test::tif_of(heights(i), kCrs)});
  const SetOutcome outcome = acquired(recipe());
  EXPECT_EQ(outcome.fetched, 4U);
  EXPECT_TRUE(outcome.complete());
  const auto tiles = held();
  ASSERT_EQ(tiles.size(), 4U);
  EXPECT_EQ(tiles[0].location, "tiles/test-dsm/7120_113980_2020.tif");
  EXPECT_EQ(tiles[0].bounds, (geo::Box{kEast, kNorth, kEast + 50, kNorth + 50}));
  EXPECT_EQ(tiles[0].year, 2020);
  EXPECT_EQ(tiles[0].cell_m, 1);
  EXPECT_FALSE(tiles[0].etag.empty());
  EXPECT_EQ(read_file(folder_.root() / tiles[0].location), test::tif_of(heights(0), kCrs));
  for (int i = 0; i < 4; ++i) expect_square(i);
}

TEST_F(Acquisition, WhatIsHereIsNotAskedForAgain) {
  list(names(4, 2020));
  for (int i = 0; i < 4; ++i)
    office_.put("/dom/" + name_of_square(i, 2020), {.body = test::tif_of(heights(i), kCrs)});
  acquired(recipe());
  office_.forget_counts();
  const SetOutcome again = acquired(recipe(), false);
  EXPECT_EQ(again.held, 4U);
  EXPECT_EQ(again.fetched, 0U);
  EXPECT_EQ(office_.counts().requests, 0);
}

TEST_F(Acquisition, TextZippedTextZippedTiffsAndTiffsWithoutASystemBecomeTiles) {
  struct Case {
    Form form;
    std::function<std::string(int)> body;
  };
  const std::string page = "<br>\n<b>Warning</b>: something</html>";
  const std::vector<Case> cases{
      {{"xyz", ".xyz"}, [](int i) { return test::xyz_of(heights(i)); }},
      {{"xyz", ".xyz"}, [&](int i) { return test::xyz_of(heights(i)) + page; }},
      {{"xyz", ".zip", R"(,"zipped":true)"},
       [](int i) {
         return test::zip_of({{"liesmich.pdf", "x"}, {"a/b.xyz", test::xyz_of(heights(i))}});
       }},
      {{"geotiff", ".zip", R"(,"zipped":true)"},
       [](int i) {
         return test::zip_of({{"b.TIF", test::tif_of(heights(i), "")}});
       }},
      {{"geotiff", ".zip", R"(,"zipped":true)"},
       [](int i) {
         return test::zip_of({{"b.xyz", test::xyz_of(heights(i))}});
       }},
      {{"geotiff", ".tif"}, [](int i) { return test::tif_of(heights(i), ""); }},
      {{"geotiff", ".zip", R"(,"zipped":true)"}, [](int i) {  // four pieces of a square
         std::vector<test::ZipEntry> parts;
         for (int k = 0; k < 4; ++k) {
           const auto all = heights(i);
           const int row = k / 2;
           parts.push_back(
               {"p" + std::to_string(k) + ".tif",
                test::tif_of(test::cut(all, all.west + 25 * (k % 2), all.north - 50 + 25 * row, 25), kCrs)});
         }
         return test::zip_of(parts);
       }}};
  for (std::size_t n = 0; n < cases.size(); ++n) {
    SCOPED_TRACE(n);
    folder_.catalogue = temporary_.path() / std::to_string(n) / "geodata.json";
    list(names(2, 2020, cases[n].form));
    for (int i = 0; i < 2; ++i)
      office_.put("/dom/" + name_of_square(i, 2020, cases[n].form), {.body = cases[n].body(i)});
    const SetOutcome outcome = acquired(recipe(cases[n].form));
    EXPECT_THAT(outcome.problems, ElementsAre());
    ASSERT_EQ(outcome.fetched, 2U);
    expect_square(0);
    expect_square(1);
  }
}

TEST_F(Acquisition, FineCellsAreAveraged) {
  const Form form{"geotiff", ".tif", R"(,"stored_cell_m":0.5)", 0.25};
  list(names(1, 2024, form));
  auto fine = heights(0, 0.25);
  for (std::size_t i = 0; i < fine.values.size(); ++i) fine.values[i] = static_cast<float>(100 + i % 7);
  office_.put("/dom/" + name_of_square(0, 2024, form), {.body = test::tif_of(fine, kCrs)});
  ASSERT_EQ(acquired(recipe(form)).fetched, 1U);
  const auto tile = test::heights_in((folder_.root() / held().front().location).string());
  EXPECT_EQ(tile.cell_m, 0.5);
  EXPECT_EQ(tile.width, 100);
  EXPECT_EQ(held().front().cell_m, 0.5);
  EXPECT_NEAR(tile.at(3, 5), (fine.at(6, 10) + fine.at(7, 10) + fine.at(6, 11) + fine.at(7, 11)) / 4, 1e-4);
}

TEST_F(Acquisition, WhatIsNotWhatItsNameSaysIsRefusedAndTheRestIsKept) {
  list(names(6, 2020));
  office_.put("/dom/" + name_of_square(0, 2020), {.body = test::tif_of(heights(0), kCrs)});
  office_.put("/dom/" + name_of_square(1, 2020), {.body = test::tif_of(heights(2), kCrs)});
  office_.put("/dom/" + name_of_square(2, 2020), {.body = test::tif_of(heights(2), "EPSG:25833")});
  office_.put("/dom/" + name_of_square(3, 2020), {.body = "<html>Wartung</html>"});
  const std::string whole = test::tif_of(heights(4), kCrs);
  office_.put("/dom/" + name_of_square(4, 2020), {.body = whole.substr(0, whole.size() - 2000)});
  office_.put("/dom/" + name_of_square(5, 2020), {.body = test::tif_of(heights(5), kCrs)});
  const SetOutcome outcome = acquired(recipe());
  EXPECT_EQ(outcome.fetched, 2U);
  EXPECT_EQ(outcome.refused + outcome.failed, 4U);
  EXPECT_EQ(held().size(), 2U);
  expect_square(0);
  expect_square(5);
  const std::string all = testing::PrintToString(outcome.problems);
  EXPECT_THAT(
      all,
      HasSubstr(
          "lies at 356000,5699050 to 356050,5699100 where its name says 356050,5699000 to 356100,5699050"));
  EXPECT_THAT(
      all,
      HasSubstr("has the coordinate reference system ETRS89 / UTM zone 33N where EPSG:25832 is expected"));
  // Asked again: the refused ones are, what is good is not.
  office_.forget_counts();
  office_.put("/dom/" + name_of_square(1, 2020), {.body = test::tif_of(heights(1), kCrs)});
  acquired(recipe(), false);
  EXPECT_EQ(held().size(), 3U);
  EXPECT_EQ(office_.counts("/dom/" + name_of_square(0, 2020)).requests, 0);
}

TEST_F(Acquisition, TextThatIsNoHeightsIsRefusedWithItsLine) {
  const Form form{"xyz", ".xyz"};
  const std::string good = test::xyz_of(heights(0));
  const std::vector<std::pair<std::string, std::string>> kBad{
      {good + "1 2\n", "line 2501 is no \"x y height\""},
      {good + "356010.70 5699010.50 100\n", "line 2501 is off the grid"},
      {good + "356070.50 5699010.50 100\n", "line 2501 lies outside the square"},
      {test::xyz_of(heights(3)), "lies outside the square"},
      {"356010.5 5699010.5 -99999\n", "holds no heights"},
      {good.substr(0, good.size() / 2) + "1e300 1e300 1e300\n", "lies outside the square"},
      {"0 0 0\n0 0 0\n0 0 0\n", "line 1 lies outside the square"}};
  for (std::size_t n = 0; n < kBad.size(); ++n) {
    SCOPED_TRACE(n);
    list(names(1, 2020, form));
    office_.put("/dom/" + name_of_square(0, 2020, form), {.body = kBad[n].first});
    const SetOutcome outcome = acquired(recipe(form));
    EXPECT_EQ(outcome.refused, 1U);
    ASSERT_EQ(outcome.problems.size(), 1U);
    EXPECT_THAT(outcome.problems.front(), HasSubstr(kBad[n].second));
    EXPECT_TRUE(held().empty());
  }
}

TEST_F(Acquisition, ANewerYearTakesThePlaceOfTheOlder) {
  list(names(2, 2018));
  for (int i = 0; i < 2; ++i)
    office_.put("/dom/" + name_of_square(i, 2018), {.body = test::tif_of(heights(i), kCrs)});
  acquired(recipe());
  list({name_of_square(0, 2018), name_of_square(1, 2018), name_of_square(0, 2023)});
  office_.put("/dom/" + name_of_square(0, 2023), {.body = test::tif_of(heights(0, 1, 5), kCrs)});
  const SetOutcome outcome = acquired(recipe());
  EXPECT_EQ(outcome.fetched, 1U);
  EXPECT_EQ(rows().size(), 2U);
  expect_square(0, 1, 5);
  expect_square(1);
  EXPECT_FALSE(std::filesystem::exists(folder_.tiles_of(recipe().sources.front()) / "7120_113980_2018.tif"));
}

TEST_F(Acquisition, SquaresThatTheOfficeLacksAreRememberedAndNotAskedForAgain) {
  auto made = recipe({}, R"({"method":"tile_numbers","url":")" + office_.url("/dom/dom_{E}_{N}.tif") + "\"}");
  // Three squares around one of those there are.
  geo::Ring& outline = made.sources.front().outline;
  outline = {{6.9366, 51.4256}, {6.9374, 51.4256}, {6.9374, 51.4262}, {6.9366, 51.4262}};
  const auto first = plan(made);
  ASSERT_TRUE(first) << first.error().text;
  ASSERT_GT(first->sets.front().found.files.size(), 1U);
  const FoundFile& there = first->sets.front().found.files.front();
  const std::string path = there.listed.url.substr(office_.url("").size() - 1);
  office_.put(
      "/" + path.substr(path.find("dom/")),
      {.body = test::tif_of(test::made_heights(there.square.min_x, there.square.min_y, 50, 1), kCrs)});
  const SetOutcome outcome = acquired(made);
  EXPECT_EQ(outcome.fetched, 1U);
  EXPECT_EQ(outcome.missing, first->sets.front().found.files.size() - 1);
  EXPECT_TRUE(outcome.complete());
  office_.forget_counts();
  EXPECT_EQ(acquired(made, false).missing, outcome.missing);
  EXPECT_EQ(office_.counts().requests, 0);
}

TEST_F(Acquisition, TilesInAHugeZipAreReadByRange) {
  for (const bool zip64 : {false, true}) {
    folder_.catalogue = temporary_.path() / (zip64 ? "b" : "a") / "geodata.json";
    std::vector<test::ZipEntry> entries{{"liesmich.txt", std::string(300'000, 'x'), false}};
    for (int i = 0; i < 4; ++i)
      entries.push_back({"dom/" + name_of_square(i, 2022), test::tif_of(heights(i), kCrs), i % 2 == 0});
    office_.put("/dom.zip", {.body = test::zip_of(entries, zip64)});
    office_.forget_counts();
    const auto made = recipe({}, R"({"method":"zip_members","urls":[")" + office_.url("/dom.zip") +
                                     R"("],"names":["dom_{E}_{N}_{year}.tif"]})");
    const SetOutcome outcome = acquired(made);
    EXPECT_THAT(outcome.problems, ElementsAre());
    EXPECT_EQ(outcome.fetched, 4U);
    for (int i = 0; i < 4; ++i) expect_square(i);
    EXPECT_EQ(office_.counts("/dom.zip").ranged, office_.counts("/dom.zip").requests);
    EXPECT_LT(office_.counts("/dom.zip").bytes, 300'000U);
  }
}

TEST_F(Acquisition, AServerThatFailsHasAMirror) {
  auto made = recipe({"geotiff", ".tif",
                      R"(,"mirrors":[")" + office_.url("/dom/") + "\",\"" + office_.url("/mirror/") + "\"]"});
  list(names(2, 2020));
  office_.put("/dom/" + name_of_square(0, 2020), {.body = test::tif_of(heights(0), kCrs)});
  office_.put("/mirror/" + name_of_square(1, 2020), {.body = test::tif_of(heights(1), kCrs)});
  const SetOutcome outcome = acquired(made);
  EXPECT_THAT(outcome.problems, ElementsAre());
  EXPECT_EQ(held().size(), 2U);
  EXPECT_EQ(held()[1].url, office_.url("/dom/" + name_of_square(1, 2020)));
}

TEST_F(Acquisition, WhatOneServerSendsWrongIsToldAlsoWhereAMirrorIsAskedForTheRest) {
  auto made = recipe({"geotiff", ".tif",
                      R"(,"mirrors":[")" + office_.url("/dom/") + "\",\"" + office_.url("/mirror/") + "\"]"});
  list(names(2, 2020));
  office_.put("/dom/" + name_of_square(0, 2020), {.body = test::tif_of(heights(2), kCrs)});
  office_.put("/mirror/" + name_of_square(1, 2020), {.body = test::tif_of(heights(1), kCrs)});
  const SetOutcome outcome = acquired(made);
  EXPECT_EQ(outcome.held, 1U);
  EXPECT_EQ(outcome.refused, 1U);
  EXPECT_EQ(outcome.failed, 0U);
  EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("lies at")));
}

TEST_F(Acquisition, StoppedInTheMiddleItGoesOn) {
  constexpr int kTiles = 24;
  list(names(kTiles, 2020));
  for (int i = 0; i < kTiles; ++i)
    office_.put("/dom/" + name_of_square(i, 2020), {.body = test::tif_of(heights(i), kCrs),
                                                    .habits = {.thinks_for = std::chrono::milliseconds(20)}});
  const Recipe made = recipe();
  const auto first = plan(made);
  ASSERT_TRUE(first);
  Listening listening;
  listening.progress = [&](const SetProgress& p) {
    if (p.done >= 5) control_.cancel();
  };
  const auto stopped = acquire_tiles(first->sets.front(), folder_, fetcher_, listening, control_);
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->cancelled);
  EXPECT_GE(stopped->held, 5U);
  EXPECT_LT(stopped->held, std::size_t{kTiles});
  EXPECT_EQ(held().size(), stopped->held);
  geo::RunControl afresh;
  const auto ended = acquire_tiles(first->sets.front(), folder_, fetcher_, {}, afresh);
  ASSERT_TRUE(ended && ended->complete());
  EXPECT_EQ(ended->held, std::size_t{kTiles});
  EXPECT_LE(ended->fetched, kTiles - stopped->held);
  for (int i = 0; i < kTiles; ++i) expect_square(i);
}

TEST_F(Acquisition, KilledAtAnyMomentItGoesOnAndTheBytesAreRight) {
  constexpr int kTiles = 16;
  const Form form{"xyz", ".zip", R"(,"zipped":true)"};
  list(names(kTiles, 2020, form));
  for (int i = 0; i < kTiles; ++i)
    office_.put("/dom/" + name_of_square(i, 2020, form),
                {.body = test::zip_of({{"a.xyz", test::xyz_of(heights(i))}}),
                 .habits = {.thinks_for = std::chrono::milliseconds(5)}});
  const Recipe made = recipe(form);
  const auto first = plan(made);
  ASSERT_TRUE(first);
  for (int kill = 1; kill <= 6; ++kill) {
    const pid_t child = ::fork();
    if (child == 0) {
      geo::Network network({});
      geo::Fetcher fetcher(network);
      geo::RunControl control;
      (void)acquire_tiles(first->sets.front(), folder_, fetcher, {}, control);
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(25 * kill));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  const auto ended = acquire_tiles(first->sets.front(), folder_, fetcher_, {}, control_);
  ASSERT_TRUE(ended) << ended.error().text;
  EXPECT_THAT(ended->problems, ElementsAre());
  EXPECT_EQ(held().size(), std::size_t{kTiles});
  for (int i = 0; i < kTiles; ++i) expect_square(i);
}

TEST_F(Acquisition, AFullDiskKeepsWhatIsThereAndSaysSo) {
  list(names(4, 2020));
  for (int i = 0; i < 4; ++i)
    office_.put("/dom/" + name_of_square(i, 2020), {.body = test::tif_of(heights(i), kCrs)});
  list({name_of_square(0, 2020)});
  acquired(recipe());
  list(names(4, 2020));
  const Recipe kept = recipe();
  const auto made = plan(kept);
  ASSERT_TRUE(made);
  {
    const test::FullDisk full(4000);
    const auto outcome = acquire_tiles(made->sets.front(), folder_, fetcher_, {}, control_);
    if (outcome) {
      EXPECT_TRUE(outcome->no_room) << testing::PrintToString(outcome->problems);
      EXPECT_FALSE(outcome->complete());
    }
  }
  expect_square(0);
  geo::RunControl afresh;
  const auto ended = acquire_tiles(made->sets.front(), folder_, fetcher_, {}, afresh);
  ASSERT_TRUE(ended) << ended.error().text;
  EXPECT_EQ(ended->held, 4U);
  for (int i = 0; i < 4; ++i) expect_square(i);
}

TEST_F(Acquisition, AddressesThatAreHereAreNothingToFetchUntilAnUpdate) {
  const auto recipe = read_recipe(
      R"({"id":"test","title":"Test","provider":"P","licence":"L","notice":"N","crs":"EPSG:25832","heights":"H",
      "outline":[[5,50],[9,50],[9,53],[5,53]],"sources":[{"kind":"addresses","title":"A","file_mb":7,"form":"table",
      "import_as":"csv","find":{"method":"file","urls":[")" +
          office_.url("/hk.csv") + "\"]}}]}",
      "test");
  ASSERT_TRUE(recipe) << recipe.error().text;
  const auto set_of = [&](bool anew) {
    auto made = plan(*recipe, anew);
    EXPECT_TRUE(made && count_what_is_here(made->sets.front(), folder_));
    return *made;
  };
  EXPECT_EQ(set_of(false).sets.front().here, 0U);
  EXPECT_EQ(set_of(false).bytes(), 7'000'000U);
  std::ofstream(folder_.addresses_of(recipe->sources.front())) << "x";
  EXPECT_EQ(set_of(false).sets.front().here, 1U);
  EXPECT_EQ(set_of(false).bytes(), 0U);
  EXPECT_EQ(set_of(false).disk_bytes(), 0U) << "nothing is under way";
  EXPECT_EQ(set_of(true).sets.front().here, 0U);
  EXPECT_EQ(set_of(true).bytes(), 7'000'000U);
}

TEST_F(Acquisition, AFolderThatCannotBeWrittenIsNoFullDisk) {
  list(names(2, 2020));
  for (int i = 0; i < 2; ++i)
    office_.put("/dom/" + name_of_square(i, 2020), {.body = test::tif_of(heights(i), kCrs)});
  for (const std::filesystem::path& folder : {folder_.downloads(), folder_.root() / "tiles"}) {
    std::ofstream(folder) << "a file in its place";
    const SetOutcome outcome = acquired(recipe());
    EXPECT_FALSE(outcome.no_room);
    EXPECT_FALSE(outcome.cancelled);
    EXPECT_EQ(outcome.failed, 2U);
    EXPECT_EQ(outcome.refused, 0U);
    EXPECT_THAT(testing::PrintToString(outcome.problems), HasSubstr("Not a directory"));
    std::filesystem::remove(folder);
  }
  EXPECT_EQ(acquired(recipe()).held, 2U);
}

TEST_F(Acquisition, RemoteOnlyTheIndexIsMadeAndTheOfficeIsAskedForItsListingAlone) {
  auto made = recipe({"geotiff", ".tif", R"(,"read":"window")"});
  list(names(4, 2020));
  listings_.emplace(folder_.listings(), asking_by(fetcher_, control_));
  const auto remote = make_plan(made, {.remote = true}, *listings_, "20261124");
  ASSERT_TRUE(remote);
  const auto outcome = acquire_tiles(remote->sets.front(), folder_, fetcher_, {}, control_);
  ASSERT_TRUE(outcome && outcome->complete());
  EXPECT_EQ(rows().size(), 4U);
  EXPECT_EQ(rows()[0].state, TileState::known);
  EXPECT_EQ(office_.counts().requests, 1);
}

TEST_F(Acquisition, TheCatalogueNamesWhatIsHereAndLeavesTheOperatorsTextAlone) {
  const std::string own = "{ \"datasets\" : [\n\n] , \"mine\": 1 }  \n";
  std::ofstream(folder_.catalogue) << own;
  const Recipe made = recipe();
  list(names(1, 2020));
  office_.put("/dom/" + name_of_square(0, 2020), {.body = test::tif_of(heights(0), kCrs)});
  const SetOutcome outcome = acquired(made);
  ASSERT_TRUE(
      name_in_catalogue(folder_, made, {{&made.sources.front(), outcome.file, false, outcome.newest_date}}));
  EXPECT_EQ(read_file(folder_.catalogue), own);
  const auto catalogue = geo::Catalogue::load(folder_.catalogue.string());
  ASSERT_TRUE(catalogue) << catalogue.error().text;
  ASSERT_EQ(catalogue->of(geo::DataKind::dsm).size(), 1U);
  const geo::Box& box = catalogue->of(geo::DataKind::dsm)[0].outline_deg;
  const geo::DataSet* set =
      catalogue->finest(geo::DataKind::dsm, {(box.min_x + box.max_x) / 2, (box.min_y + box.max_y) / 2});
  ASSERT_TRUE(set);
  EXPECT_EQ(set->attribution, "N 2020");
  EXPECT_EQ(set->year, 2020);
  EXPECT_TRUE(set->tiled);
  // What the operator adds to an entry of ours stays; a second time nothing is doubled.
  std::string text = read_file(folder_.entries_of("test"));
  text.insert(text.find("\"kind\""), "\"mine\": \"stays\", ");
  std::ofstream(folder_.entries_of("test")) << text;
  ASSERT_TRUE(name_in_catalogue(folder_, made, {{&made.sources.front(), outcome.file, true, 20230000}}));
  text = read_file(folder_.entries_of("test"));
  EXPECT_THAT(text, HasSubstr("stays"));
  EXPECT_THAT(text, HasSubstr("N 2023"));
  EXPECT_EQ(named_sets(folder_)->size(), 1U);
  // Broken by hand: one sentence, and the file stays as it is.
  std::ofstream(folder_.entries_of("test")) << "{\"datasets\": [";
  const auto refused = name_in_catalogue(folder_, made, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text, HasSubstr("test.json: is no list of entries any more"));
  EXPECT_EQ(read_file(folder_.entries_of("test")), "{\"datasets\": [");
}

TEST_F(Acquisition, OneAtATimeWorksOnAFolder) {
  auto first = FolderLock::take(folder_);
  ASSERT_TRUE(first);
  const auto second = FolderLock::take(folder_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().text, HasSubstr("another roofd geodata is at work"));
}

TEST_F(Acquisition, TheRealTileInTheOfficesFormsGivesTheSameHeights) {
  ROOF_NEEDS_SHARED_DATA();
  const auto whole = test::heights_in(test::shared_file("data/nrw/dsm.tif").string());
  const std::vector<Form> forms{{"geotiff", ".tif"},
                                {"xyz", ".xyz"},
                                {"xyz", ".zip", R"(,"zipped":true)"},
                                {"geotiff", ".zip", R"(,"zipped":true)"}};
  for (std::size_t n = 0; n < forms.size(); ++n) {
    folder_.catalogue = temporary_.path() / ("real" + std::to_string(n)) / "geodata.json";
    Form form = forms[n];
    std::vector<std::string> listed;
    for (int i = 0; i < 8; ++i) {
      const int row = i / 4 + 1;
      const auto part = test::cut(whole, kEast + 250 * (i % 4), kNorth + 250 * row, 250);
      const std::string text = form.form == "xyz" ? test::xyz_of(part) : test::tif_of(part, kCrs);
      listed.push_back("dom_" + std::to_string(1424 + i % 4) + "_" + std::to_string(22796 + i / 4 + 1) +
                       "_2020" + form.ending);
      office_.put(
          "/dom/" + listed.back(),
          {.body = form.ending == ".zip"
                       ? test::zip_of({{"x" + std::string(form.form == "xyz" ? ".xyz" : ".tif"), text}})
                       : text});
    }
    list(listed);
    Recipe made = recipe(form);
    made.sources.front().grid = {250, 250, {}};
    const SetOutcome outcome = acquired(made);
    EXPECT_THAT(outcome.problems, ElementsAre());
    ASSERT_EQ(held().size(), 8U);
    for (const geo::Tile& row : held()) {
      const auto tile = test::heights_in((folder_.root() / row.location).string());
      const auto expected = test::cut(whole, tile.west, tile.north - 250, 250);
      ASSERT_EQ(tile.values.size(), expected.values.size());
      for (std::size_t i = 0; i < tile.values.size(); ++i)
        ASSERT_TRUE(tile.values[i] == expected.values[i] ||
                    (std::isnan(tile.values[i]) && std::isnan(expected.values[i])))
            << row.location << " " << i;
    }
  }
}

}  // namespace
