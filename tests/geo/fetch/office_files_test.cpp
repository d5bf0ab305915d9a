// Windows of files on offices' servers: right whatever the server, the disk and other readers do, and asked
// for once.
#include <ogrsf_frmts.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "child_program.hpp"
#include "tests/full_disk.hpp"
#include "tests/geo/fetch/office_fixture.hpp"

namespace {

using namespace std::chrono_literals;
using fetch_test::Cache;
using fetch_test::OfficeFilesTest;
using geo::FailureKind;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kMi = 1 << 20;

TEST_F(OfficeFilesTest, AreReadRightAnywhereAndNothingTwice) {
  Cache cache(options());
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t offset = random() % bytes_.size();
    const std::size_t count = std::min<std::size_t>(bytes_.size() - offset, random() % 300'000);
    ASSERT_EQ(read(cache.files, offset, count), part(offset, count)) << offset << " " << count;
  }
  EXPECT_EQ(office_.counts().bytes, bytes_.size());
  EXPECT_EQ(office_.counts().heads, 0);
}

TEST_F(OfficeFilesTest, AreForgottenWhenThereAreManyAndTheDiskRemembersThem) {
  auto few = options();
  few.most_known = 8;
  Cache cache(few);
  const auto name = [](int i) { return "/tile" + std::to_string(i) + ".tif"; };
  for (int i = 0; i < 20; ++i) {
    office_.put(name(i), {.body = bytes_});
    ASSERT_TRUE(cache.files.open(office_.url(name(i)), control_));
  }
  office_.forget_counts();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(cache.files.known(office_.url(name(i)))) << i;
  EXPECT_EQ(office_.counts().requests, 0) << "nobody is asked anew";
  std::filesystem::remove_all(folder_.path() / "cache");
  int known = 0;
  for (int i = 0; i < 20; ++i) known += cache.files.known(office_.url(name(i))).has_value();
  EXPECT_LE(known, 8) << "of those in memory";
}

TEST_F(OfficeFilesTest, NeighboursComeInOneRequest) {
  Cache cache(options());
  EXPECT_EQ(read(cache.files, 2 * kMi, 4 * kMi), part(2 * kMi, 4 * kMi));
  EXPECT_EQ(office_.counts().requests, 2);  // the first block tells what it is
  EXPECT_EQ(read(cache.files, 0, bytes_.size()), bytes_);
  EXPECT_EQ(office_.counts().requests, 4);  // before and after those
}

TEST_F(OfficeFilesTest, AreKeptFromOneProgramToTheNext) {
  {
    Cache cache(options()), unused(options());
    read(cache.files, 0, bytes_.size());
  }
  office_.forget_counts();
  office_.take_away("/dsm.tif");
  Cache cache(options());
  EXPECT_EQ(read(cache.files, 0, bytes_.size()), bytes_);
  EXPECT_EQ(office_.counts().requests, 0);
}

TEST_F(OfficeFilesTest, EightReadersAskOnceForABlock) {
  Cache cache(options());
  std::vector<std::thread> readers;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i)
    readers.emplace_back([&, i] {
      const auto file = cache.files.open(url(), control_);
      std::string into(bytes_.size(), '\0');
      // Each in an order of its own.
      std::mt19937 random(i);
      std::vector<std::size_t> pieces(bytes_.size() / 100'000 + 1);
      for (std::size_t p = 0; p < pieces.size(); ++p) pieces[p] = p * 100'000;
      std::shuffle(pieces.begin(), pieces.end(), random);
      for (const std::size_t at : pieces) {
        const geo::OfficeFiles::Piece piece{at,
                                            {&into[at], std::min<std::size_t>(100'000, into.size() - at)}};
        if (cache.files.read(*file, {&piece, 1}, control_)) return;
      }
      right += into == static_cast<const std::string&>(bytes_);
    });
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(right, 8);
  EXPECT_EQ(office_.counts().bytes, bytes_.size());
  EXPECT_LE(office_.most_at_once(), 3);
}

TEST_F(OfficeFilesTest, ThatChangeBetweenTwoRangesFailAndAreThenReadNew) {
  fetch_test::write_raster(folder_.file("newer.tif"), 2);
  const fetch_test::Bytes newer = fetch_test::bytes_of(folder_.file("newer.tif"));
  for (const bool ignores_if_range : {false, true}) {
    std::filesystem::remove_all(folder_.path() / "cache");
    office_.put("/dsm.tif", {.body = bytes_});
    Cache cache(options());
    const auto file = cache.files.open(url(), control_);
    ASSERT_TRUE(file);
    EXPECT_EQ(read(cache.files, *file, 0, kMi), part(0, kMi));
    office_.put("/dsm.tif", {.body = newer, .habits = {.ignores_if_range = ignores_if_range}});
    EXPECT_EQ(read(cache.files, *file, 3 * kMi, kMi), "");
    ASSERT_TRUE(failure_);
    EXPECT_THAT(failure_->text, HasSubstr("has changed"));
    // What was held of the old one is not served beside the new, also not to who still has it open.
    EXPECT_EQ(read(cache.files, *file, 0, kMi), "");
    EXPECT_EQ(read(cache.files, 0, newer.size()), newer);
    EXPECT_EQ(read(cache.files, *file, 0, kMi), "");
    Cache next(options());
    EXPECT_EQ(read(next.files, 0, newer.size()), newer);
  }
}

TEST_F(OfficeFilesTest, ThatAreMissingAreAskedForOnceAWeek) {
  office_.take_away("/dsm.tif");
  for (int i = 0; i < 3; ++i) {
    Cache cache(options());
    for (int j = 0; j < 3; ++j) EXPECT_EQ(read(cache.files, 0, 10), "");
    EXPECT_TRUE(failure_->missing());
  }
  EXPECT_EQ(office_.counts().requests, 1);
  office_.put("/dsm.tif", {.body = bytes_});
  auto impatient = options();
  impatient.missing_for = 0s;
  Cache cache(impatient);
  EXPECT_EQ(read(cache.files, 0, 10), part(0, 10));
}

TEST_F(OfficeFilesTest, AreAskedAgainWhetherTheyHaveChanged) {
  auto doubtful = options();
  doubtful.same_for = 0s;
  Cache cache(doubtful);
  EXPECT_EQ(read(cache.files, 0, bytes_.size()), bytes_);
  office_.put("/dsm.tif", {.body = bytes_ + "more"});
  EXPECT_EQ(read(cache.files, 0, bytes_.size() + 4), fetch_test::Bytes(bytes_ + "more"));
}

TEST_F(OfficeFilesTest, HeldOnesAreGoodWhileTheServerIsNot) {
  auto doubtful = options();
  doubtful.same_for = 0s;
  Cache cache(doubtful);
  EXPECT_EQ(read(cache.files, 0, bytes_.size()), bytes_);
  for (const auto& bad :
       {test::OfficeHabits{.busy_times = 1'000, .busy_status = 503}, test::OfficeHabits{.says_html = true}}) {
    office_.change_habits("/dsm.tif", bad);
    std::this_thread::sleep_for(150ms);
    EXPECT_EQ(read(cache.files, 0, bytes_.size()), bytes_);
  }
}

TEST_F(OfficeFilesTest, OfABusyServerAreOverloadedAndNotAskedForAgainUntilItsPauseIsOver) {
  office_.change_habits("/dsm.tif", {.busy_times = 1'000, .busy_status = 503, .retry_after = "60"});
  office_.put("/other.tif", {.body = bytes_});
  Cache cache(options());
  const auto begin = Clock::now();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(read(cache.files, 0, 10), "");
    EXPECT_EQ(failure_->kind, FailureKind::data_overloaded);
    EXPECT_GT(failure_->retry_after, 50s);
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_FALSE(cache.files.open(office_.url("/other.tif"), control_));  // of the same server
  EXPECT_LT(Clock::now() - begin, 2s);
  EXPECT_EQ(office_.counts().requests, 1);
}

TEST_F(OfficeFilesTest, OfAShortPauseAreWaitedFor) {
  office_.change_habits("/dsm.tif", {.busy_times = 1, .retry_after = "1"});
  Cache cache(options());
  EXPECT_EQ(read(cache.files, 0, 10), part(0, 10));
}

TEST_F(OfficeFilesTest, OfADeadServerFailFastAndDoNotHoldUpOthers) {
  Cache cache(options());
  auto begin = Clock::now();
  EXPECT_FALSE(cache.files.open("http://127.0.0.1:1/dead.tif", control_));
  EXPECT_LT(Clock::now() - begin, 3s);
  begin = Clock::now();
  for (int i = 0; i < 200; ++i)
    EXPECT_FALSE(cache.files.open("http://127.0.0.1:1/" + std::to_string(i), control_));
  EXPECT_EQ(read(cache.files, 0, 10), part(0, 10));
  EXPECT_LT(Clock::now() - begin, 4s);
}

TEST_F(OfficeFilesTest, OfAServerWithoutRangesAreRefused) {
  office_.change_habits("/dsm.tif", {.ignores_range = true});
  Cache cache(options());
  EXPECT_EQ(read(cache.files, 0, 10), "");
  EXPECT_THAT(failure_->text, HasSubstr("in parts"));
  EXPECT_LT(office_.counts().requests, 2);
}

TEST_F(OfficeFilesTest, ThatBreakOffAreAskedForAgain) {
  for (const bool resets : {false, true}) {
    std::filesystem::remove_all(folder_.path() / "cache");
    office_.change_habits("/dsm.tif", {.cut_times = 2, .cut_after = 500'000, .cut_resets = resets});
    Cache cache(options());
    EXPECT_EQ(read(cache.files, 0, bytes_.size()), bytes_);
  }
}

TEST_F(OfficeFilesTest, WhoseDiskHasFaultsAreRightOrFetchedAgain) {
  {
    Cache cache(options());
    read(cache.files, 0, bytes_.size());
  }
  std::mt19937 random(3);
  for (int round = 0; round < 5; ++round) {
    for (const auto& path : cache_files()) {
      fetch_test::Bytes bytes = fetch_test::bytes_of(path);
      switch (random() % 5) {
        case 0:
          bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
          break;
        case 1:
          bytes.resize(random() % bytes.size());
          break;
        case 2:
          bytes += "more";
          break;
        case 3:
          bytes = fetch_test::bytes_of(cache_files().front());
          break;
        default:
          break;
      }
      std::ofstream(path, std::ios::binary) << bytes;
    }
    Cache cache(options());
    ASSERT_EQ(read(cache.files, 0, bytes_.size()), bytes_) << round;
  }
  std::filesystem::remove_all(folder_.path() / "cache");
  std::ofstream(folder_.file("cache")) << "no folder";
  Cache cache(options());
  EXPECT_EQ(read(cache.files, 0, bytes_.size()), bytes_);
}

TEST_F(OfficeFilesTest, TakeNoMoreDiskThanAllowedAndTheOldestGoFirst) {
  auto small = options();
  small.disk_bytes = 4 * kMi;
  small.memory_bytes = 1;
  Cache cache(small);
  EXPECT_EQ(read(cache.files, 0, bytes_.size()), bytes_);
  std::uint64_t held = 0;
  for (const auto& path : cache_files()) held += std::filesystem::file_size(path);
  EXPECT_LE(held, 4 * kMi);
  EXPECT_GT(held, 2 * kMi);
  office_.forget_counts();
  EXPECT_EQ(read(cache.files, bytes_.size() - 10, 10), part(bytes_.size() - 10, 10));
  EXPECT_EQ(office_.counts().requests, 0);  // the newest is there still
}

TEST_F(OfficeFilesTest, AreReadAlsoWhenNothingCanBeKept) {
  Cache cache(options());
  const test::FullDisk full;
  EXPECT_EQ(read(cache.files, 0, bytes_.size()), bytes_);
}

TEST_F(OfficeFilesTest, AReadingThatIsStoppedEndsAtOnce) {
  office_.change_habits("/dsm.tif", {.thinks_for = 3s});
  Cache cache(options());
  std::thread stop([this] {
    std::this_thread::sleep_for(200ms);
    control_.cancel();
  });
  const auto begin = Clock::now();
  EXPECT_EQ(read(cache.files, 0, 10), "");
  stop.join();
  EXPECT_LT(Clock::now() - begin, 1s);
  EXPECT_EQ(failure_->kind, FailureKind::cancelled);
  // Who waits for the same is not stopped with it.
  office_.change_habits("/dsm.tif", {});
  const geo::RunControl other;
  EXPECT_TRUE(cache.files.open(url(), other));
}

TEST_F(OfficeFilesTest, AServerThatStallsEndsTheReadingInTime) {
  auto hurried = options();
  hurried.read_limit = 500ms;
  office_.change_habits("/dsm.tif", {.thinks_for = 10s});
  Cache cache(hurried);
  const auto begin = Clock::now();
  EXPECT_EQ(read(cache.files, 0, 10), "");
  EXPECT_LT(Clock::now() - begin, 1500ms);
}

TEST_F(OfficeFilesTest, OfflineWhatIsHeldIsGoodAndNoSocketIsOpened) {
  {
    Cache cache(options());
    read(cache.files, 0, 2 * kMi);
  }
  const int before = office_.connections();
  geo::go_offline();
  auto doubtful = options();
  doubtful.same_for = 0s;
  Cache cache(doubtful);
  EXPECT_EQ(read(cache.files, 0, 2 * kMi), part(0, 2 * kMi));
  EXPECT_EQ(read(cache.files, 5 * kMi, 10), "");
  EXPECT_THAT(failure_->text, HasSubstr("--offline"));
  geo::go_offline(false);
  EXPECT_EQ(office_.connections(), before);
}

TEST_F(OfficeFilesTest, TwoProgramsShareAFolder) {
  std::vector<std::thread> programs;
  std::atomic<int> right{0};
  for (int i = 0; i < 2; ++i)
    programs.emplace_back([&] {
      auto small = options();
      small.disk_bytes = 3 * kMi;
      Cache cache(small);
      for (int round = 0; round < 5; ++round) {
        const auto file = cache.files.open(url(), control_);
        std::string into(bytes_.size(), '\0');
        const geo::OfficeFiles::Piece piece{0, into};
        right += !cache.files.read(*file, {&piece, 1}, control_) &&
                 into == static_cast<const std::string&>(bytes_);
      }
    });
  for (auto& program : programs) program.join();
  EXPECT_EQ(right, 10);
}

/// The program that the next test kills: reads windows of ROOF_TEST_URL through ROOF_TEST_CACHE for ever.
TEST(OfficeReader, DISABLED_ReadsForEver) {
  const char* url = std::getenv("ROOF_TEST_URL");
  const char* cache = std::getenv("ROOF_TEST_CACHE");
  if (!url || !cache) GTEST_SKIP();
  const geo::RunControl control;
  for (std::mt19937 random(std::random_device{}());;) {
    Cache reader({.folder = cache, .disk_bytes = 5 * kMi, .memory_bytes = 1});
    const auto file = reader.files.open(url, control);
    if (!file) continue;
    for (int i = 0; i < 20; ++i) {
      std::string into(1'000, '\0');
      const geo::OfficeFiles::Piece piece{random() % (file->bytes - into.size()), into};
      reader.files.read(*file, {&piece, 1}, control);
    }
  }
}

TEST_F(OfficeFilesTest, OfAReaderThatIsKilledAreRightAfterwards) {
  setenv("ROOF_TEST_URL", url().c_str(), 1);
  setenv("ROOF_TEST_CACHE", (folder_.path() / "cache").c_str(), 1);
  for (int i = 0; i < 4; ++i) {
    std::filesystem::remove_all(folder_.path() / "cache");
    office_.forget_counts();
    const pid_t child = test::started_as_child("OfficeReader.DISABLED_ReadsForEver");
    // It is in the midst of writing blocks and making room for them.
    for (int wait = 0; wait < 2'000 && office_.counts().requests < 3 + 3 * i; ++wait)
      std::this_thread::sleep_for(1ms);
    EXPECT_GE(office_.counts().requests, 3 + 3 * i);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    Cache cache(options());
    ASSERT_EQ(read(cache.files, 0, bytes_.size()), bytes_) << i;
  }
}

TEST_F(OfficeFilesTest, OfAServerThatLiesAreRightOrFail) {
  const std::string size = std::to_string(bytes_.size());
  const std::string etag = "\"1\"";
  office_.put("/dsm.tif", {.body = bytes_, .etag = etag});
  using Answer = test::LoopbackServer::Answer;
  const auto says = [&](const std::string& range, std::size_t count) {
    return Answer{.status = 206,
                  .body = std::string(count, 'x'),
                  .headers = {{"Content-Range", range}, {"ETag", etag}}};
  };
  auto endless = says("bytes 3145728-4194303/" + size, kMi);
  endless.endless = true;
  const std::vector<Answer> lies{says("bytes 0-1048575/" + size, kMi),
                                 says("bytes 3145728-4194303/99999999", kMi),
                                 says("bytes 3145728-4194303/*", kMi),
                                 says("", kMi),
                                 says("bytes 3145728-4194303/" + size, 2 * kMi),
                                 says("bytes 3145728-4194303/" + size, 10),
                                 says("bytes 18446744073709551615-3/" + size, kMi),
                                 endless,
                                 Answer{.status = 204},
                                 Answer{.body = std::string(kMi, 'x')}};
  for (std::size_t i = 0; i < lies.size(); ++i) {
    std::filesystem::remove_all(folder_.path() / "cache");
    office_.answer_with({});
    Cache cache(options());
    const auto file = cache.files.open(url(), control_);
    ASSERT_TRUE(file);
    office_.answer_with([&](const auto&) { return lies[i]; });
    EXPECT_EQ(read(cache.files, *file, 3 * kMi, kMi), "") << i;
    office_.answer_with({});
    Cache next(options());
    EXPECT_EQ(read(next.files, 3 * kMi, kMi), part(3 * kMi, kMi)) << i;
  }
}

TEST_F(OfficeFilesTest, WithAWeakETagOnlyAreSeenToChange) {
  office_.put("/dsm.tif", {.body = bytes_, .etag = "W/\"1\""});
  Cache cache(options());
  const auto file = cache.files.open(url(), control_);
  ASSERT_TRUE(file);
  office_.put("/dsm.tif", {.body = std::string(bytes_.rbegin(), bytes_.rend()), .etag = "W/\"2\""});
  EXPECT_EQ(read(cache.files, *file, 3 * kMi, kMi), "");
  EXPECT_THAT(failure_->text, HasSubstr("has changed"));
}

TEST_F(OfficeFilesTest, AreDataSetsLikeAnyOther) {
  auto cache = std::make_shared<Cache>(options());
  geo::serve_office_files({cache, &cache->files});
  const std::string path = geo::kOfficePrefix + url();
  std::vector<float> remote(300 * 300), there(300 * 300);
  for (const auto& [name, into] : {std::pair{path, &remote}, {local(), &there}}) {
    const auto* file = GDALDataset::Open(name.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY);
    ASSERT_TRUE(file) << name << CPLGetLastErrorMsg();
    EXPECT_EQ(const_cast<GDALDataset*>(file)->GetRasterBand(1)->RasterIO(
                  GF_Read, 700, 800, 300, 300, into->data(), 300, 300, GDT_Float32, 0, 0, nullptr),
              CE_None);
    GDALClose(const_cast<GDALDataset*>(file));
  }
  EXPECT_EQ(remote, there);
  // Nothing was looked for beside it, and what was read is a window.
  EXPECT_EQ(office_.counts().requests, office_.counts("/dsm.tif").requests);
  EXPECT_LT(office_.counts().bytes, 5 * kMi);
  EXPECT_TRUE(geo::office_file_state(path));
  EXPECT_FALSE(geo::office_file_state(geo::kOfficePrefix + office_.url("/other.tif")));
  EXPECT_FALSE(geo::office_file_state(local()));
}

TEST_F(OfficeFilesTest, MayBeGeoPackages) {
  GDALAllRegister();
  const std::string path = folder_.file("parcels.gpkg");
  auto* made =
      GetGDALDriverManager()->GetDriverByName("GPKG")->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr);
  OGRLayer* layer = made->CreateLayer("GST", nullptr, wkbPoint);
  for (int i = 0; i < 2'000; ++i) {
    OGRFeature feature(layer->GetLayerDefn());
    OGRPoint point(i, 2 * i);
    feature.SetGeometry(&point);
    ASSERT_EQ(layer->CreateFeature(&feature), OGRERR_NONE);
  }
  GDALClose(made);
  office_.put_file("/parcels.gpkg", path);
  auto cache = std::make_shared<Cache>(options());
  geo::serve_office_files({cache, &cache->files});
  auto* read = GDALDataset::Open((geo::kOfficePrefix + office_.url("/parcels.gpkg")).c_str(),
                                 GDAL_OF_VECTOR | GDAL_OF_READONLY);
  ASSERT_TRUE(read) << CPLGetLastErrorMsg();
  read->GetLayer(0)->SetSpatialFilterRect(99.5, 199, 109.5, 219);
  EXPECT_EQ(read->GetLayer(0)->GetFeatureCount(), 10);
  GDALClose(read);
}

}  // namespace
