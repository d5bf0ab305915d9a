// A fetch that was broken off, by the server, the disk, the operator or a kill, goes on, and the bytes are
// right.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "child_program.hpp"
#include "fetcher_fixture.hpp"
#include "geo/fetch/sha256.hpp"
#include "tests/full_disk.hpp"

namespace {

using namespace std::chrono_literals;
using fetch_test::content_of;
using fetch_test::Fetch;
using fetch_test::tiff_bytes;
using geo::FailureKind;
using testing::HasSubstr;

TEST_F(Fetch, ABodyThatIsCutGoesOnWhereItStopped) {
  for (const bool resets : {false, true}) {
    office_.forget_counts();
    office_.put("/tile.tif",
                {.body = bytes_, .habits = {.cut_times = 2, .cut_after = 100'000, .cut_resets = resets}});
    const auto result = fetched("/tile.tif", {.replace = true});
    ASSERT_TRUE(result) << result.error().text;
    EXPECT_EQ(content_of(folder_.file("tile.tif")), bytes_);
    EXPECT_EQ(office_.counts().requests, 3);
    if (!resets) {
      EXPECT_EQ(office_.counts().ranged, 2);
    }
  }
}

TEST_F(Fetch, AnEmptyAnswerToAFetchThatGoesOnIsTriedABoundedNumberOfTimes) {
  const std::string rest = "bytes 100000-299999/" + std::to_string(bytes_.size());
  for (const int status : {200, 204, 206}) {
    office_.put("/tile.tif", {.body = bytes_, .habits = {.cut_times = 1, .cut_after = 100'000}});
    geo::Fetcher once(network_, {.tries = 1});
    ASSERT_FALSE(once.file({.url = office_.url("/tile.tif"), .target = folder_.file("tile.tif")}, control_));
    office_.answer_with([&](const auto&) -> std::optional<test::LoopbackServer::Answer> {
      return test::LoopbackServer::Answer{.status = status, .headers = {{"Content-Range", rest}}};
    });
    office_.forget_counts();
    EXPECT_THAT(text_of_failure("/tile.tif"), HasSubstr("nothing more after 100000 of 300000 bytes"))
        << status;
    EXPECT_EQ(office_.counts().requests, 4) << status;
    // What came is kept.
    office_.answer_with({});
    office_.forget_counts();
    ASSERT_TRUE(fetched("/tile.tif")) << status;
    EXPECT_EQ(content_of(folder_.file("tile.tif")), bytes_);
    EXPECT_EQ(office_.counts().bytes, bytes_.size() - 100'000);
    std::filesystem::remove(folder_.file("tile.tif"));
  }
}

TEST_F(Fetch, AServerThatIgnoresRangesSendsItAgainFromTheBeginning) {
  office_.put("/tile.tif",
              {.body = bytes_, .habits = {.ignores_range = true, .cut_times = 2, .cut_after = 100'000}});
  ASSERT_TRUE(fetched("/tile.tif"));
  EXPECT_EQ(content_of(folder_.file("tile.tif")), bytes_);
}

TEST_F(Fetch, AFileThatChangesInTheMiddleBeginsAnew) {
  const std::string newer = tiff_bytes(300'000, 2);
  for (const bool ignores_if_range : {false, true}) {
    office_.put("/tile.tif", {.body = bytes_, .habits = {.cut_times = 1, .cut_after = 100'000}});
    geo::Fetcher once(network_, {.tries = 1});
    ASSERT_FALSE(once.file({.url = office_.url("/tile.tif"), .target = folder_.file("tile.tif")}, control_));
    ASSERT_TRUE(std::filesystem::exists(folder_.file("tile.tif.part")));
    office_.put("/tile.tif", {.body = newer, .habits = {.ignores_if_range = ignores_if_range}});
    const auto result = fetched("/tile.tif");
    ASSERT_TRUE(result) << result.error().text;
    EXPECT_EQ(content_of(folder_.file("tile.tif")), newer);
    std::filesystem::remove(folder_.file("tile.tif"));
  }
}

TEST_F(Fetch, WithoutAValidatorNothingIsPiecedTogetherUnlessTheSumIsKnown) {
  office_.put("/tile.tif",
              {.body = bytes_, .habits = {.tells_no_validator = true, .cut_times = 1, .cut_after = 100'000}});
  ASSERT_TRUE(fetched("/tile.tif"));
  EXPECT_EQ(office_.counts().ranged, 0);
  office_.put("/tile.tif",
              {.body = bytes_, .habits = {.tells_no_validator = true, .cut_times = 1, .cut_after = 100'000}});
  ASSERT_TRUE(fetched("/tile.tif", {.sha256 = "1220" + geo::sha256_of(bytes_), .replace = true}));
  EXPECT_EQ(office_.counts().ranged, 1);
  EXPECT_EQ(content_of(folder_.file("tile.tif")), bytes_);
}

TEST_F(Fetch, ACancelledFetchEndsAtOnceAndGoesOnLater) {
  office_.put("/tile.tif", {.body = bytes_, .habits = {.drop_bytes = 10'000, .drop_pause = 100ms}});
  std::thread stop([this] {
    std::this_thread::sleep_for(700ms);
    control_.cancel();
  });
  const auto result = fetched("/tile.tif");
  stop.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, FailureKind::cancelled);
  const auto held = std::filesystem::file_size(folder_.file("tile.tif.part"));
  EXPECT_GT(held, 0u);
  office_.change_habits("/tile.tif", {});
  office_.forget_counts();
  const geo::RunControl fresh;
  ASSERT_TRUE(fetcher_.file({.url = office_.url("/tile.tif"), .target = folder_.file("tile.tif")}, fresh));
  EXPECT_EQ(content_of(folder_.file("tile.tif")), bytes_);
  EXPECT_EQ(office_.counts().bytes, bytes_.size() - held);
}

TEST_F(Fetch, ADiskThatIsFullKeepsWhatCame) {
  office_.put("/tile.tif", {.body = bytes_});
  std::string text;
  {
    const test::FullDisk full(100'000);
    text = text_of_failure("/tile.tif");
  }
  EXPECT_THAT(text, HasSubstr("make room"));
  EXPECT_EQ(std::filesystem::file_size(folder_.file("tile.tif.part")), 100'000u);
  office_.forget_counts();
  ASSERT_TRUE(fetched("/tile.tif"));
  EXPECT_EQ(content_of(folder_.file("tile.tif")), bytes_);
  EXPECT_EQ(office_.counts().ranged, 1);
}

TEST_F(Fetch, OnlyADiskWithoutRoomIsToldAsOne) {
  office_.put("/tile.tif", {.body = bytes_});
  {
    const test::FullDisk full(100'000);
    const auto result = fetched("/tile.tif");
    ASSERT_FALSE(result);
    EXPECT_TRUE(result.error().no_room) << result.error().text;
  }
  // Told before it is full.
  office_.answer_with(
      [&](const auto&) { return test::LoopbackServer::Answer{.body = bytes_, .told_length = 1ull << 50}; });
  const auto huge = fetched("/huge.tif", {.target = folder_.file("huge.tif")});
  ASSERT_FALSE(huge);
  EXPECT_TRUE(huge.error().no_room) << huge.error().text;
  office_.answer_with({});
  // A folder that is none, and a URL that is none.
  std::ofstream(folder_.file("none")) << "x";
  const auto elsewhere = fetched("/tile.tif", {.target = folder_.file("none/tile.tif")});
  ASSERT_FALSE(elsewhere);
  EXPECT_FALSE(elsewhere.error().no_room) << elsewhere.error().text;
  EXPECT_THAT(elsewhere.error().text, HasSubstr("see to the folder"));
  const auto nowhere = fetcher_.file({.url = "file:///tile.tif", .target = folder_.file("x")}, control_);
  ASSERT_FALSE(nowhere);
  EXPECT_FALSE(nowhere.error().no_room) << nowhere.error().text;
}

/// The program that the next test kills: fetches what the environment names.
TEST(FetchProgram, DISABLED_FetchesOneFile) {
  const char* url = std::getenv("ROOF_TEST_URL");
  const char* target = std::getenv("ROOF_TEST_TARGET");
  if (!url || !target) GTEST_SKIP();
  geo::Network network({});
  geo::Fetcher fetcher(network);
  const geo::RunControl control;
  EXPECT_TRUE(fetcher.file({.url = url, .target = target}, control));
}

pid_t started_fetch(const std::string& url, const std::string& target) {
  setenv("ROOF_TEST_URL", url.c_str(), 1);
  setenv("ROOF_TEST_TARGET", target.c_str(), 1);
  return test::started_as_child("FetchProgram.DISABLED_FetchesOneFile");
}

TEST_F(Fetch, KilledInTheMiddleItGoesOnAndTheBytesAreRight) {
  const std::string bytes = tiff_bytes(3'000'000);
  office_.put("/big.tif", {.body = bytes, .habits = {.drop_bytes = 15'000, .drop_pause = 4ms}});
  const std::string target = folder_.file("big.tif");
  std::uintmax_t before = 0;
  for (int kills = 0; kills < 4; ++kills) {
    const pid_t child = started_fetch(office_.url("/big.tif"), target);
    // Until it has got further than the one before.
    std::error_code none_yet;
    for (int i = 0; i < 1'000; ++i) {
      const auto now = std::filesystem::file_size(target + ".part", none_yet);
      if (!none_yet && now > before + 100'000 + 37 * kills) break;
      std::this_thread::sleep_for(5ms);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    ASSERT_FALSE(std::filesystem::exists(target));
    const auto now = std::filesystem::file_size(target + ".part");
    EXPECT_GT(now, before);
    before = now;
  }
  office_.change_habits("/big.tif", {});
  office_.forget_counts();
  ASSERT_TRUE(fetched("/big.tif", {.target = target}));
  EXPECT_TRUE(content_of(target) == bytes);
  EXPECT_EQ(office_.counts().bytes, bytes.size() - before);
}

TEST_F(Fetch, TwoProgramsDoNotFetchTheSameFileAtOnce) {
  office_.put("/tile.tif", {.body = bytes_, .habits = {.drop_bytes = 1'000, .drop_pause = 20ms}});
  const std::string target = folder_.file("tile.tif");
  const pid_t child = started_fetch(office_.url("/tile.tif"), target);
  for (int i = 0; i < 1'000 && !std::filesystem::exists(target + ".part.state"); ++i)
    std::this_thread::sleep_for(5ms);
  const auto second = fetched("/tile.tif");
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().text, HasSubstr("another program"));
  EXPECT_FALSE(second.error().no_room);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  office_.change_habits("/tile.tif", {});
  EXPECT_TRUE(fetched("/tile.tif"));
}

}  // namespace
