// roofd geodata, the real program: against offices on loopback, and offline from listings that were stored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <thread>

#include "tests/geo/offices/listing_slices.hpp"
#include "tests/geo/offices/tile_forms.hpp"
#include "tests/http/service/running_service.hpp"
#include "tests/office_server.hpp"

namespace {

using testing::HasSubstr;
using testing::Not;

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string with_host(std::string text, const std::string& server) {
  for (std::size_t at = 0; (at = text.find("https://", at)) != std::string::npos; at += server.size())
    text.replace(at, 8, server);
  return text;
}

/// All offices on one server: https://HOST/PATH is http://127.0.0.1:PORT/HOST/PATH, also in the recipes.
class GeodataCommand : public testing::Test {
 protected:
  std::string root() const { return folder_.path("geodata"); }
  std::string server() const { return office_.url("/"); }

  void use_loopback_recipes(const std::vector<std::string>& regions) {
    std::filesystem::create_directories(root() + "/recipes");
    for (const std::string& id : regions)
      std::ofstream(root() + "/recipes/" + id + ".json") << with_host(
          text_of_file(std::string(ROOF_SOURCE_DIR "/geo/offices/recipes/") + id + ".json"), server());
  }
  void offer_slice(const std::string& region, const std::string& kind = "dsm") {
    for (const test::Slice& slice : test::listing_slices())
      if (slice.region == region && slice.kind == kind)
        office_.put("/" + path_in(slice.url), {.body = with_host(slice.text, server())});
  }
  static std::string path_in(const std::string& url) {
    const std::string path = url.substr(8);
    return path.substr(0, path.find('?'));
  }
  struct Square {
    int east_km, north_km, year;
  };
  /// North Rhine-Westphalia's surface, coarse, and a recipe for it.
  void offer_heights(const std::vector<Square>& squares, const test::OfficeHabits& habits = {}) {
    const std::string folder = "/www.opengeodata.nrw.de/produkte/geobasis/hm/dom1_tiff/dom1_tiff/";
    std::string files;
    for (const Square& square : squares) {
      const std::string name = "dom1_32_" + std::to_string(square.east_km) + "_" +
                               std::to_string(square.north_km) + "_1_nw_" + std::to_string(square.year) +
                               ".tif";
      files += (files.empty() ? "" : ",") + (R"({"name":")" + name + "\"}");
      const auto heights = test::made_heights(1000 * square.east_km, 1000 * square.north_km, 1000, 10);
      office_.put(folder + name, {.body = test::tif_of(heights, "EPSG:25832"), .habits = habits});
    }
    office_.put(folder + "index.json", {.body = R"({"datasets":[{"name":"k","files":[)" + files + "]}]}"});
    use_loopback_recipes({"de-nw"});
    std::string recipe = text_of_file(root() + "/recipes/de-nw.json");
    for (std::size_t at = 0; (at = recipe.find("\"cell_m\": 1,", at)) != std::string::npos;)
      recipe.replace(at, 12, "\"cell_m\": 10,");
    std::ofstream(root() + "/recipes/de-nw.json") << recipe;
  }
  std::string entries_of(const std::string& region) const {
    return text_of_file(root() + "/geodata.d/" + region + ".json");
  }
  test::Ended geodata(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "geodata");
    arguments.push_back("--geodata=" + root() + "/geodata.json");
    return test::run_roofd(arguments);
  }

  test::OfficeServer office_;
  test::TemporaryFolder folder_;
};

TEST_F(GeodataCommand, ListNamesEachRegionAndSaysWhatIsNotChecked) {
  const auto list = geodata({"list"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  for (const char* word :
       {"at  Österreich", "ch  Schweiz", "de-th  Thüringen", "dl-de/zero-2-0", "NOT CHECKED", "--remote"})
    EXPECT_THAT(list.out, HasSubstr(word));
  const auto one = geodata({"list", "at"});
  EXPECT_THAT(one.out, HasSubstr("shows: Datenquelle: BEV"));
  EXPECT_THAT(one.out, HasSubstr("Stichtag [the files' date]"));
  EXPECT_THAT(one.out, Not(HasSubstr("de-nw")));
  for (const char* region : {"at", "ch", "de-nw", "de-rp", "de-sl", "de-ni"})
    EXPECT_THAT(geodata({"list", region}).out, Not(HasSubstr("{")));
  EXPECT_EQ(geodata({"list", "fr"}).exit_code, 2);
}

TEST_F(GeodataCommand, PlansOfAustriaAndEssenAreRightOfflineFromStoredListings) {
  use_loopback_recipes({"at", "de-nw"});
  offer_slice("at");
  offer_slice("de-nw");
  const auto asking = geodata({"add", "at", "--remote", "--kinds=dsm,dtm", "--dry-run"});
  ASSERT_EQ(asking.exit_code, 0) << asking.err;
  EXPECT_THAT(asking.err, HasSubstr("asking 127.0.0.1 for its listing"));
  ASSERT_EQ(geodata({"add", "de-nw", "--area=Essen", "--kinds=dsm", "--dry-run"}).exit_code, 0);
  office_.answer_with([](const auto&) { return test::LoopbackServer::Answer{.status = 500}; });
  office_.forget_counts();
  const auto austria = geodata({"add", "at", "--remote", "--kinds=dsm,dtm", "--dry-run", "--offline"});
  EXPECT_EQ(austria.exit_code, 0) << austria.err;
  EXPECT_THAT(austria.err, Not(HasSubstr("asking")));
  EXPECT_THAT(austria.out, HasSubstr("at, Österreich: the whole region"));
  EXPECT_TRUE(
      std::regex_search(austria.out, std::regex("at-dsm +3 +0 +index only +1\\.2 kB +2025 +CC BY 4\\.0")))
      << austria.out;
  EXPECT_THAT(austria.out, HasSubstr("ALS DSM Höhenraster 1 m, Stichtag 15.09.2025, CC BY 4.0"));
  const auto essen = geodata({"add", "de-nw", "--area=Essen", "--kinds=dsm", "--dry-run", "--offline"});
  EXPECT_EQ(essen.exit_code, 0) << essen.err;
  // Of the four squares listed two lie there, one of them in two years; sizes are the listing's.
  EXPECT_TRUE(
      std::regex_search(essen.out, std::regex("de-nw-dsm +2 +0 +4\\.2 MB +4\\.2 MB +2020 +dl-de/zero-2-0")))
      << essen.out;
  EXPECT_EQ(office_.counts().requests, 0);
  const auto unknown = geodata({"add", "de-rp", "--dry-run", "--offline"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("is not kept here, and --offline asks nobody"));
}

/// Commands of the manual's page, as they stand there.
std::vector<std::string> commands_of_the_manual() {
  std::ifstream in(ROOF_SOURCE_DIR "/http/packaging/OPERATING.md");
  std::vector<std::string> commands;
  bool here = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) here = line == "## From nothing to Austria";
    if (here && line.starts_with("    roofd ")) commands.push_back(line.substr(4));
  }
  return commands;
}

TEST_F(GeodataCommand, TheManualsPageWorksWordForWord) {
  use_loopback_recipes({"at", "glo-30"});
  offer_slice("at");
  // Relief of the squares around Innsbruck, coarse, as the office names them.
  const auto tile = [](int lon, int lat) {
    return test::tif_of(test::made_heights(lon, lat, 1, 0.02), "EPSG:4326");
  };
  for (int lon = 10; lon <= 12; ++lon)
    for (int lat = 46; lat <= 47; ++lat) {
      const std::string name =
          "Copernicus_DSM_COG_10_N" + std::to_string(lat) + "_00_E0" + std::to_string(lon) + "_00_DEM";
      office_.put("/copernicus-dem-30m.s3.amazonaws.com/" + name + "/" + name + ".tif",
                  {.body = tile(lon, lat)});
    }
  const auto commands = commands_of_the_manual();
  ASSERT_GE(commands.size(), 7U);
  std::string script = "set -e\ncd '" + folder_.path() + "'\nroofd() { '" ROOFD "' \"$@\"; }\n";
  for (const std::string& command : commands) script += command + "\n";
  std::ofstream(folder_.path("page.sh")) << script;
  const int status =
      std::system(("bash " + folder_.path("page.sh") + " > " + folder_.path("out") + " 2>&1").c_str());
  const std::string out = text_of_file(folder_.path("out"));
  EXPECT_EQ(status, 0) << out;
  EXPECT_THAT(out, HasSubstr("names 2 data sets"));
  EXPECT_THAT(out, HasSubstr("dsm: ALS DSM"));
  EXPECT_THAT(out, HasSubstr("ALS_DSM_CRS3035RES50000mN2650000E4400000.tif, 2025"));
  EXPECT_THAT(text_of_file(root() + "/geodata.json"), HasSubstr("datasets"));
}

TEST_F(GeodataCommand, KilledWhileItFetchesItGoesOnAndEndsComplete) {
  std::vector<Square> squares;
  for (int i = 0; i < 12; ++i) squares.push_back({354 + i % 4, 5697 + i / 4, 2020});
  offer_heights(squares, {.thinks_for = std::chrono::milliseconds(30)});
  const std::vector<std::string> add{"add", "de-nw", "--kinds=dsm"};
  for (int kill = 1; kill <= 3; ++kill) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::execl(ROOFD, ROOFD, "geodata", "add", "de-nw", "--kinds=dsm",
              ("--geodata=" + root() + "/geodata.json").c_str(), nullptr);
      ::_exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(150 * kill));
    if (kill == 2) {  // a second one beside it is turned away
      const auto second = geodata(add);
      if (second.exit_code != 0) {
        EXPECT_EQ(second.exit_code, 5) << second.err;
      }
    }
    ::kill(child, kill == 3 ? SIGINT : SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (kill == 3 && WIFEXITED(status)) {
      EXPECT_TRUE(WEXITSTATUS(status) == 130 || WEXITSTATUS(status) == 0);
    }
  }
  const auto ended = geodata(add);
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("de-nw-dsm: 12 files are here"));
  const auto check = geodata({"check", "--deep"});
  EXPECT_EQ(check.exit_code, 0) << check.out;
  EXPECT_THAT(check.out, HasSubstr("12 tiles here, 0 at the office, 12 read"));
  const auto status = geodata({"status"});
  EXPECT_TRUE(std::regex_search(status.out, std::regex("de-nw-dsm +12 +0 +0"))) << status.out;
  EXPECT_FALSE(std::filesystem::exists(root() + "/downloads"));
  // A tile that somebody harms is found, and says which.
  std::ofstream(root() + "/tiles/de-nw-dsm/354_5697_2020.tif") << "II*";
  const auto harmed = geodata({"check", "--deep"});
  EXPECT_EQ(harmed.exit_code, 1);
  EXPECT_THAT(harmed.out, HasSubstr("354_5697_2020.tif"));
}

/// North Rhine-Westphalia's buildings by district, one house each, as the office lists them.
class GeodataOutlines : public GeodataCommand {
 protected:
  GeodataOutlines() {
    use_loopback_recipes({"de-nw"});
    std::string listed;
    for (const auto& [name, place] : packets_) {
      offer(name, 1);
      listed += (listed.empty() ? "" : ",") + (R"({"name":")" + file_of(name) + "\"}");
    }
    office_.put(kFolder + "index.json", {.body = R"({"datasets":[{"name":"k","files":[)" + listed + "]}]}"});
  }
  void offer(const std::string& name, int houses) {
    std::vector<std::pair<double, double>> places;
    for (int i = 0; i < houses; ++i)
      places.emplace_back(packets_.at(name).first + 20 * i, packets_.at(name).second);
    office_.put(kFolder + file_of(name),
                {.body = test::zip_of({{"a.gpkg", test::squares_gpkg("GebauedeBauwerk", places)}})});
  }
  static std::string file_of(const std::string& name) {
    return "gru_vereinf_" + name + "_EPSG25832_GeoPackage.zip";
  }
  int requests_for(const std::string& name) { return office_.counts(kFolder + file_of(name)).requests; }

  inline static const std::string kFolder =
      "/www.opengeodata.nrw.de/produkte/geobasis/lk/akt/gru_vereinfacht_gpkg/";
  const std::map<std::string, std::pair<double, double>> packets_{
      {"05113000_Essen", {360000, 5702000}},
      {"05911000_Bochum", {374000, 5705000}},
      {"05111000_Duesseldorf", {345000, 5677000}}};
};

TEST_F(GeodataOutlines, AnUpdateOfAnAreaStaysInIt) {
  ASSERT_EQ(geodata({"add", "de-nw", "--area=Essen", "--kinds=buildings"}).exit_code, 0);
  offer("05113000_Essen", 4);
  const auto update = geodata({"update", "de-nw"});
  EXPECT_EQ(update.exit_code, 0) << update.err;
  EXPECT_TRUE(std::regex_search(update.out, std::regex("de-nw-buildings +1 +0 "))) << update.out;
  EXPECT_EQ(requests_for("05911000_Bochum") + requests_for("05111000_Duesseldorf"), 0);
  EXPECT_THAT(geodata({"check"}).out, HasSubstr("de-nw-buildings: 4 outlines"));
  // What is here is not planned again; another area keeps the first.
  EXPECT_TRUE(
      std::regex_search(geodata({"add", "de-nw", "--area=Essen", "--kinds=buildings", "--dry-run"}).out,
                        std::regex("de-nw-buildings +1 +1 ")));
  ASSERT_EQ(geodata({"add", "de-nw", "--area=Bochum", "--kinds=buildings"}).exit_code, 0);
  EXPECT_THAT(geodata({"check"}).out, HasSubstr("de-nw-buildings: 5 outlines"));
}

TEST_F(GeodataCommand, AnAreaOfOlderTilesDoesNotMakeTheSetOlder) {
  offer_heights({{354, 5697, 2024}, {360, 5702, 2020}});
  ASSERT_EQ(geodata({"add", "de-nw", "--kinds=dsm", "--area=6.908,51.410,0.1km"}).exit_code, 0);
  EXPECT_THAT(entries_of("de-nw"), HasSubstr("\"year\": 2024"));
  ASSERT_EQ(geodata({"add", "de-nw", "--kinds=dsm", "--area=6.992,51.456,0.1km"}).exit_code, 0);
  EXPECT_THAT(geodata({"check"}).out, HasSubstr("de-nw-dsm: 2 tiles here"));
  EXPECT_THAT(entries_of("de-nw"), HasSubstr("\"year\": 2024"));
}

TEST_F(GeodataOutlines, TheNoticesDayIsThatOfTheFetchAndStaysUntilTheNext) {
  std::string recipe = text_of_file(root() + "/recipes/de-nw.json");
  const std::string notice = "\"notice\": \"Geobasis NRW";
  ASSERT_NE(recipe.find(notice), std::string::npos);
  recipe.insert(recipe.find(notice) + notice.size(), " of {date}");  // a recipe of the operator's own
  std::ofstream(root() + "/recipes/de-nw.json") << recipe;
  const std::vector<std::string> add{"add", "de-nw", "--area=Essen", "--kinds=buildings"};
  ASSERT_EQ(geodata(add).exit_code, 0);
  const std::string now = entries_of("de-nw");
  const std::regex day("Geobasis NRW of [0-9.]{10}");
  ASSERT_TRUE(std::regex_search(now, day)) << now;
  const std::string then = std::regex_replace(now, day, "Geobasis NRW of 01.03.2019");
  std::ofstream(root() + "/geodata.d/de-nw.json") << then;
  ASSERT_EQ(geodata(add).exit_code, 0);
  EXPECT_EQ(entries_of("de-nw"), then) << "nothing was fetched";
  ASSERT_EQ(geodata({"update", "de-nw"}).exit_code, 0);
  EXPECT_THAT(entries_of("de-nw"), Not(HasSubstr("01.03.2019")));
}

TEST_F(GeodataOutlines, ARegionThatIsDoneLeavesTheDownloadsOfAnother) {
  std::filesystem::create_directories(root() + "/downloads");
  const std::string other = root() + "/downloads/data.bev.gv.at_dom.tif-0123456789abcdef.part";
  std::ofstream(other) << "half of eight gigabytes";
  ASSERT_EQ(geodata({"add", "de-nw", "--area=Essen", "--kinds=buildings"}).exit_code, 0);
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(root() + "/downloads"))
    left.push_back(entry.path());
  EXPECT_THAT(left, testing::ElementsAre(other));
}

TEST_F(GeodataCommand, WrongWordsAreRefusedWithOneSentence) {
  const auto refused = [&](std::vector<std::string> arguments, const std::string& sentence) {
    const auto ended = geodata(std::move(arguments));
    EXPECT_EQ(ended.exit_code, 2) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(sentence));
  };
  refused({"add"}, "is followed by a region");
  refused({"add", "atlantis"}, "\"atlantis\" is none of the regions at, ch");
  refused({"add", "at", "--area=Nirgendwo"}, "--area=Nirgendwo is neither a larger town's name or number");
  refused({"add", "at", "--area=200,10,5km"}, "has no longitude and latitude");
  refused({"add", "de-by", "--kinds=dsm,roofs"}, "\"roofs\" is no kind of data");
  refused({"add", "de-sn", "--area=Hamburg", "--kinds=dsm"}, "--area=Hamburg lies outside the region");
  refused({"fetch", "at"}, "needs --area=... or --all");
  refused({"fetch", "at", "--all", "--offline"}, "nothing of at is here yet");
  refused({"check"}, "names no data set");
  refused({"check", "--place=here"}, "is no lon,lat");
  refused({"dance"}, "is not a verb of geodata");
  std::filesystem::create_directories(root() + "/recipes");
  std::ofstream(root() + "/recipes/x.json") << "{\"id\": 5}";
  refused({"list"}, "x.json: id is not a string");
}

TEST_F(GeodataCommand, TooLittleRoomIsSaidBeforeAnythingIsFetched) {
  use_loopback_recipes({"at"});
  std::string recipe = text_of_file(root() + "/recipes/at.json");
  for (std::size_t at = 0; (at = recipe.find("\"file_mb\": 8000", at)) != std::string::npos;)
    recipe.replace(at, 15, "\"file_mb\": 9000000");
  std::ofstream(root() + "/recipes/at.json") << recipe;
  const auto ended = geodata({"add", "at", "--kinds=orthophoto"});
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("are needed; name an --area or fewer --kinds"));
  EXPECT_FALSE(std::filesystem::exists(root() + "/at-orthophoto.gpkg"));
  EXPECT_EQ(office_.counts().requests, 0);
}

}  // namespace
