// A worker's data that change under it.
#include "http/commands/fresh_geodata.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "tests/actors/recording_log.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

namespace region_files = std::filesystem;

/// The made-up settlement, of which each test changes something.
struct FreshGeodataTest : ::testing::Test {
  FreshGeodataTest() {
    region_files::copy(region_files::path(test::sample_region().catalogue).parent_path(), folder.path(),
                       region_files::copy_options::recursive);
  }
  std::optional<geo::Geodata> read(std::vector<std::string>& faults) const {
    auto geodata = geo::Geodata::load(folder.path("geodata.json"));
    if (geodata) return std::move(*geodata);
    faults.push_back(geodata.error().text);
    return {};
  }
  http::FreshGeodata fresh(const std::function<void()>& while_reading = [] {}) {
    std::vector<std::string> faults;
    return {*read(faults),
            [this, while_reading](std::vector<std::string>& told) {
              ++reads;
              auto geodata = read(told);
              while_reading();
              return geodata;
            },
            log};
  }
  /// As `roofd geodata add` writes it: entries of a file of their own.
  void add_region(const std::string& name) const {
    region_files::create_directories(folder.path("geodata.d"));
    std::ofstream(folder.path("geodata.d/" + name))
        << R"({"datasets": [{"kind": "dsm", "path": ")" << folder.path("dsm.tif") << R"("}]})";
  }
  static std::size_t surface_models(const http::FreshGeodata& data) {
    return data.live()->now()->catalogue.of(geo::DataKind::dsm).size();
  }

  test::TemporaryFolder folder;
  std::shared_ptr<test::RecordingLog> log = std::make_shared<test::RecordingLog>();
  int reads = 0;
};

TEST_F(FreshGeodataTest, IsNotReadAgainWhileNothingChanges) {
  auto data = fresh();
  EXPECT_TRUE(data.as_read());
  EXPECT_TRUE(data.refresh());
  EXPECT_EQ(reads, 0);
}

TEST_F(FreshGeodataTest, NoticesARegionThatIsAddedBesideTheCatalogue) {
  auto data = fresh();
  add_region("essen.json");
  EXPECT_FALSE(data.as_read());
  EXPECT_TRUE(data.refresh());
  EXPECT_EQ(surface_models(data), 2U);
  EXPECT_TRUE(data.as_read());
  region_files::remove(folder.path("geodata.d/essen.json"));
  EXPECT_FALSE(data.as_read()) << "and when it is taken away";
}

TEST_F(FreshGeodataTest, NoticesAFileInWhosePlaceAnotherOneOfItsSizeAndTimeIsPut) {
  const auto data = fresh();
  const std::string file = folder.path("dsm.tif"), copy = folder.path("copy.tif");
  region_files::copy_file(file, copy);
  region_files::last_write_time(copy, region_files::last_write_time(file));
  region_files::rename(copy, file);
  EXPECT_FALSE(data.as_read());
}

TEST_F(FreshGeodataTest, NoticesAfterALongLoadWhatHasChangedDuringIt) {
  auto data = fresh([this] { add_region("b.json"); });
  add_region("a.json");
  EXPECT_TRUE(data.refresh());
  EXPECT_FALSE(data.as_read()) << "b.json came while the rest was read";
  EXPECT_TRUE(data.refresh());
  EXPECT_EQ(surface_models(data), 3U);
}

TEST_F(FreshGeodataTest, TellsOfTheSameFaultOnce) {
  auto data = fresh();
  const auto break_catalogue = [&](const char* text) { std::ofstream(folder.path("geodata.json")) << text; };
  break_catalogue("{");
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(data.refresh());
  EXPECT_EQ(log->lines.size(), 1U);
  break_catalogue("{}");
  EXPECT_FALSE(data.refresh());
  EXPECT_EQ(log->lines.size(), 2U) << "another fault";
  EXPECT_EQ(reads, 4);
  EXPECT_EQ(surface_models(data), 1U) << "those in use stay";
}

}  // namespace
