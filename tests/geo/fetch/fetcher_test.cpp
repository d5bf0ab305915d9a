// Files from offices' servers that behave as the real ones do: each habit of shared/open-data.md, A.5.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <fstream>
#include <random>
#include <set>

#include "child_program.hpp"
#include "geo/fetch/fetcher.hpp"
#include "geo/fetch/sha256.hpp"
#include "tests/full_disk.hpp"
#include "tests/office_server.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace std::chrono_literals;
using geo::Content;
using geo::FailureKind;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

/// Bytes like a TIFF's, no two places alike.
std::string tiff_bytes(std::size_t size, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes.replace(0, 4, std::string("II*\0", 4));
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Fetch : public testing::Test {
 protected:
  static geo::NetworkOptions quick() {
    geo::NetworkOptions options{.contact = "gis@example.org"};
    options.rules.requests_per_s = 1'000;
    options.rules.burst = 1'000;
    options.connect_limit = 2s;
    options.slow_limit = 1s;
    options.dead_for = 100ms;
    return options;
  }
  geo::FetchResult<geo::FetchedFile> fetched(const std::string& path, geo::FileRequest request = {}) {
    request.url = office_.url(path);
    if (request.target.empty()) request.target = folder_.file("tile.tif");
    return fetcher_.file(request, control_);
  }
  std::string text_of_failure(const std::string& path, geo::FileRequest request = {}) {
    const auto result = fetched(path, std::move(request));
    EXPECT_FALSE(result) << path;
    return result ? "" : result.error().text;
  }
  std::set<std::string> files_left() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.insert(entry.path().filename());
    return names;
  }

  const std::string bytes_ = tiff_bytes(300'000);
  test::OfficeServer office_;
  test::TemporaryFolder folder_;
  geo::RunControl control_;
  geo::Network network_{quick()};
  geo::Fetcher fetcher_{network_, {.tries = 4, .first_wait = 20ms, .longest_wait = 3s}};
};

TEST_F(Fetch, AFileComesWholeAndNothingElseIsLeft) {
  office_.put("/tile.tif", {.body = bytes_});
  const auto result = fetched("/tile.tif", {.content = Content::tiff});
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_EQ(result->bytes, bytes_.size());
  EXPECT_EQ(content_of(folder_.file("tile.tif")), bytes_);
  EXPECT_EQ(files_left(), std::set<std::string>{"tile.tif"});
  EXPECT_EQ(office_.counts("/tile.tif").requests, 1);
  EXPECT_EQ(office_.counts("/tile.tif").heads, 0);
  EXPECT_THAT(office_.counts("/tile.tif").last_user_agent, HasSubstr("gis@example.org"));
}

TEST_F(Fetch, WhatIsThereAlreadyIsNotAskedForAgain) {
  office_.put("/tile.tif", {.body = bytes_});
  ASSERT_TRUE(fetched("/tile.tif"));
  const auto again = fetched("/tile.tif", {.size = bytes_.size(), .sha256 = geo::sha256_of(bytes_)});
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->was_there);
  EXPECT_EQ(office_.counts().requests, 1);
  EXPECT_TRUE(fetched("/tile.tif", {.replace = true}));
  EXPECT_EQ(office_.counts().requests, 2);
}

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

TEST_F(Fetch, RetryAfterIsObeyed) {
  office_.put("/tile.tif", {.body = bytes_, .habits = {.busy_times = 2, .retry_after = "1"}});
  ASSERT_TRUE(fetched("/tile.tif"));
  const auto times = office_.counts("/tile.tif").times;
  ASSERT_EQ(times.size(), 3u);
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i] - times[i - 1], 1s);
}

TEST_F(Fetch, AServerThatAsksForTooLongIsGivenUpWithItsReason) {
  office_.put("/tile.tif", {.body = bytes_, .habits = {.busy_times = 1'000, .retry_after = "3600"}});
  const auto begin = Clock::now();
  const auto result = fetched("/tile.tif");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, FailureKind::data_overloaded);
  EXPECT_EQ(result.error().status, 429);
  EXPECT_EQ(result.error().retry_after, 3'600s);
  EXPECT_LT(Clock::now() - begin, 1s);
  EXPECT_EQ(office_.counts().requests, 1);
}

TEST_F(Fetch, BadGatewaysAreTriedAgainABoundedNumberOfTimes) {
  for (const int status : {502, 503, 504}) {
    office_.put("/tile.tif", {.body = bytes_, .habits = {.busy_times = 2, .busy_status = status}});
    const auto result = fetched("/tile.tif", {.replace = true});
    EXPECT_TRUE(result) << status << result.error().text;
  }
  office_.forget_counts();
  office_.put("/tile.tif", {.body = bytes_, .habits = {.busy_times = 1'000, .busy_status = 502}});
  EXPECT_THAT(text_of_failure("/tile.tif", {.replace = true}), HasSubstr("502"));
  EXPECT_EQ(office_.counts().requests, 4);
}

TEST_F(Fetch, AMissingFileIsToldAsMissingAndNotTriedAgain) {
  const auto result = fetched("/nothing.tif");
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().missing());
  EXPECT_EQ(office_.counts().requests, 1);
}

TEST_F(Fetch, AnHtmlPageWithStatus200IsRefused) {
  office_.put("/tile.tif", {.body = bytes_, .habits = {.says_html = true}});
  for (const Content content : {Content::tiff, Content::zip, Content::sqlite, Content::json, Content::xml,
                                Content::numbers, Content::text})
    EXPECT_THAT(text_of_failure("/tile.tif", {.content = content}), HasSubstr("tile.tif is not"));
  EXPECT_EQ(files_left(), std::set<std::string>{});
}

TEST_F(Fetch, RedirectionsAreFollowedButNotInACircleNorToOtherProtocols) {
  office_.put("/tile.tif", {.body = bytes_});
  office_.put("/moved.tif", {.habits = {.redirects_to = "/tile.tif"}});
  EXPECT_TRUE(fetched("/moved.tif"));
  office_.put("/circle.tif", {.habits = {.redirects_to = "/circle.tif"}});
  EXPECT_THAT(text_of_failure("/circle.tif", {.replace = true}), HasSubstr("circle"));
  for (const char* evil : {"file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "dict://x/y"}) {
    office_.put("/evil.tif", {.habits = {.redirects_to = evil}});
    EXPECT_THAT(text_of_failure("/evil.tif", {.replace = true}), HasSubstr("another protocol")) << evil;
  }
}

TEST_F(Fetch, SumsAndSizesAreChecked) {
  office_.put("/tile.tif", {.body = bytes_});
  EXPECT_THAT(text_of_failure("/tile.tif", {.size = 5}), HasSubstr("its listing says 5"));
  EXPECT_THAT(text_of_failure("/tile.tif", {.sha256 = std::string(64, 'a')}), HasSubstr("SHA-256"));
  EXPECT_EQ(files_left(), std::set<std::string>{});
  std::string upper = geo::sha256_of(bytes_);
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  EXPECT_TRUE(fetched("/tile.tif", {.size = bytes_.size(), .sha256 = upper}));
}

TEST_F(Fetch, ASlowDripIsGivenUp) {
  office_.put("/tile.tif", {.body = bytes_, .habits = {.drop_bytes = 10, .drop_pause = 50ms}});
  geo::Fetcher once(network_, {.tries = 1});
  const auto begin = Clock::now();
  const auto result =
      once.file({.url = office_.url("/tile.tif"), .target = folder_.file("tile.tif")}, control_);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text, HasSubstr("too slow"));
  EXPECT_LT(Clock::now() - begin, 5s);
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

TEST_F(Fetch, ManyFilesComeAtOnceButFewFromOneServer) {
  constexpr int kFiles = 40;
  std::vector<geo::FileRequest> requests;
  for (int i = 0; i < kFiles; ++i) {
    const std::string name = std::to_string(i) + ".tif";
    office_.put("/" + name, {.body = tiff_bytes(20'000, i), .habits = {.thinks_for = 20ms}});
    requests.push_back({.url = office_.url("/" + name), .target = folder_.path() / "sub" / name});
  }
  std::atomic<int> told{0};
  geo::FetchProgress last;
  const auto results =
      fetcher_.files(requests,
                     {.on_file = [&](std::size_t, const auto& result) { told += result.has_value(); },
                      .on_progress = [&](const geo::FetchProgress& now) { last = now; }},
                     control_);
  for (int i = 0; i < kFiles; ++i) {
    ASSERT_TRUE(results[i]) << results[i].error().text;
    EXPECT_EQ(content_of(requests[i].target), tiff_bytes(20'000, i));
  }
  EXPECT_EQ(told, kFiles);
  EXPECT_EQ(last.done, 40u);
  EXPECT_EQ(last.bytes, 40u * 20'000);
  EXPECT_LE(office_.most_at_once(), 3);
  EXPECT_GE(office_.most_at_once(), 2);
  EXPECT_LE(office_.connections(), 3);
}

TEST_F(Fetch, RequestsASecondAreBounded) {
  geo::NetworkOptions options = quick();
  options.hosts["127.0.0.1"] = {.connections = 4, .requests_per_s = 20, .burst = 2};
  geo::Network paced(options);
  geo::Fetcher fetcher(paced);
  office_.put("/a.json", {.body = "[]"});
  const auto begin = Clock::now();
  for (int i = 0; i < 12; ++i)
    ASSERT_TRUE(fetcher.text({.url = office_.url("/a.json"), .content = Content::json}, control_));
  EXPECT_GE(Clock::now() - begin, 450ms);  // 2 at once, 10 at 20 a second
}

TEST_F(Fetch, AServerThatDoesNotAnswerIsGivenUpForAllItsFiles) {
  std::vector<geo::FileRequest> requests;
  for (int i = 0; i < 50; ++i)
    requests.push_back({.url = "http://127.0.0.1:1/" + std::to_string(i) + ".tif",
                        .target = folder_.file(std::to_string(i) + ".tif")});
  const auto begin = Clock::now();
  const auto results = fetcher_.files(requests, {}, control_);
  EXPECT_LT(Clock::now() - begin, 10s);
  for (const auto& result : results) ASSERT_FALSE(result);
  EXPECT_THAT(results.back().error().text, HasSubstr("was not tried"));
}

TEST_F(Fetch, ListingsComeCompressedAndBounded) {
  office_.put("/index.json", {.body = "{\"a\": 1}", .habits = {.redirects_to = "/moved/index.json"}});
  office_.put("/moved/index.json", {.body = "{\"a\": 1}"});
  const auto text = fetcher_.text({.url = office_.url("/index.json"), .content = Content::json}, control_);
  ASSERT_TRUE(text) << text.error().text;
  EXPECT_EQ(text->text, "{\"a\": 1}");
  EXPECT_EQ(text->url, office_.url("/moved/index.json"));
  office_.put("/big.json", {.body = "[" + std::string(10'000, ' ') + "]"});
  EXPECT_FALSE(fetcher_.text({.url = office_.url("/big.json"), .most_bytes = 1'000}, control_));
}

TEST_F(Fetch, AProbeAsksForOneByteAndNeverByHead) {
  office_.put("/tile.tif", {.body = bytes_});
  office_.put("/whole.tif", {.body = bytes_, .habits = {.ignores_range = true}});
  const auto ranged = fetcher_.probe(office_.url("/tile.tif"), control_);
  ASSERT_TRUE(ranged) << ranged.error().text;
  EXPECT_EQ(ranged->bytes, bytes_.size());
  EXPECT_TRUE(ranged->serves_ranges);
  const auto whole = fetcher_.probe(office_.url("/whole.tif"), control_);
  ASSERT_TRUE(whole) << whole.error().text;
  EXPECT_EQ(whole->bytes, bytes_.size());
  EXPECT_FALSE(whole->serves_ranges);
  EXPECT_EQ(office_.counts().heads, 0);
}

TEST_F(Fetch, OfflineNothingIsAsked) {
  office_.put("/tile.tif", {.body = bytes_});
  geo::go_offline();
  const std::string text = text_of_failure("/tile.tif");
  EXPECT_FALSE(fetcher_.text({.url = office_.url("/tile.tif")}, control_));
  geo::go_offline(false);
  EXPECT_THAT(text, HasSubstr("--offline"));
  EXPECT_EQ(office_.connections(), 0);
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
  EXPECT_THAT(text_of_failure("/tile.tif"), HasSubstr("another program"));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  office_.change_habits("/tile.tif", {});
  EXPECT_TRUE(fetched("/tile.tif"));
}

// What follows is done by a server, or a listing, that means harm.

using Answer = test::LoopbackServer::Answer;

TEST_F(Fetch, IsNotLedIntoALocalNetwork) {
  // The office is 127.0.0.1 here; "localhost" is another host that is local.
  const std::string port = office_.url("").substr(std::string("http://127.0.0.1").size());
  office_.put("/tile.tif", {.body = bytes_});
  office_.put("/evil.tif", {.habits = {.redirects_to = "http://localhost" + port + "/tile.tif"}});
  EXPECT_THAT(text_of_failure("/evil.tif"), HasSubstr("local network"));
  const auto named = fetcher_.text(
      {.url = office_.url("/tile.tif"), .named_by = "https://data.example.org/index.json"}, control_);
  ASSERT_FALSE(named);
  EXPECT_THAT(named.error().text, HasSubstr("local network"));
  EXPECT_TRUE(
      fetcher_.text({.url = office_.url("/tile.tif"), .named_by = office_.url("/index.json")}, control_));
  EXPECT_EQ(office_.counts("/tile.tif").requests, 1);
}

TEST_F(Fetch, OnlyHttpIsAsked) {
  for (const char* url : {"file:///etc/passwd", "ftp://example.org/x", "/etc/passwd", "", "http://",
                          "javascript:1", "http://a b/", "https://exa\nmple.org/"}) {
    const auto result = fetcher_.file({.url = url, .target = folder_.file("x")}, control_);
    ASSERT_FALSE(result) << url;
    EXPECT_EQ(result.error().kind, FailureKind::invalid_input) << url;
  }
  EXPECT_EQ(files_left(), std::set<std::string>{});
}

TEST_F(Fetch, AContentRangeThatLiesIsNotBelieved) {
  // Half of it is there already.
  office_.put("/tile.tif", {.body = bytes_, .habits = {.cut_times = 1, .cut_after = 150'000}});
  geo::Fetcher once(network_, {.tries = 1});
  const std::string size = std::to_string(bytes_.size());
  for (const std::string& lie : std::initializer_list<std::string>{
           "bytes 0-149999/" + size, "bytes 150000-299999/400000", std::string("bytes x-y/z"),
           std::string("items 1-2/3"), std::string(), "bytes 149999-299998/" + size,
           std::string("bytes 18446744073709551615-0/1")}) {
    office_.put("/tile.tif", {.body = bytes_, .habits = {.cut_times = 1, .cut_after = 150'000}});
    std::filesystem::remove(folder_.file("tile.tif"));
    ASSERT_FALSE(once.file({.url = office_.url("/tile.tif"), .target = folder_.file("tile.tif")}, control_));
    std::atomic<int> lies{1};
    office_.answer_with([&](const auto& request) -> std::optional<Answer> {
      if (request.count(boost::beast::http::field::range) == 0 || lies-- <= 0) return {};
      return Answer{.status = 206, .body = std::string(150'000, 'x'), .headers = {{"Content-Range", lie}}};
    });
    const auto result = fetched("/tile.tif");
    ASSERT_TRUE(result) << lie << result.error().text;
    EXPECT_TRUE(content_of(folder_.file("tile.tif")) == bytes_) << lie;
    office_.answer_with({});
  }
}

TEST_F(Fetch, AContentLengthThatLiesIsNotBelieved) {
  office_.answer_with([&](const auto&) {
    return Answer{.body = bytes_, .cut_after = bytes_.size(), .told_length = 400'000};
  });
  EXPECT_THAT(text_of_failure("/tile.tif"), HasSubstr("tile.tif"));
  office_.answer_with([&](const auto&) { return Answer{.body = bytes_, .told_length = 1ull << 50}; });
  EXPECT_THAT(text_of_failure("/tile.tif"), HasSubstr("has room for"));
  // Shorter: only the sum can tell.
  office_.answer_with(
      [&](const auto&) { return Answer{.body = bytes_, .cut_after = bytes_.size(), .told_length = 1'000}; });
  EXPECT_THAT(text_of_failure("/tile.tif", {.size = bytes_.size()}), HasSubstr("its listing says"));
  EXPECT_THAT(text_of_failure("/tile.tif", {.sha256 = geo::sha256_of(bytes_)}), HasSubstr("SHA-256"));
}

TEST_F(Fetch, AnEndlessBodyEnds) {
  office_.answer_with([](const auto&) { return Answer{.body = std::string(1 << 20, 'x'), .endless = true}; });
  const auto begin = Clock::now();
  EXPECT_THAT(text_of_failure("/tile.tif", {.most_bytes = 20'000'000}), HasSubstr("more than it should"));
  EXPECT_THAT(text_of_failure("/tile.tif", {.size = 1'000}), HasSubstr("more than it should"));
  EXPECT_FALSE(fetcher_.text({.url = office_.url("/a"), .most_bytes = 5'000'000}, control_));
  EXPECT_FALSE(fetcher_.bytes(office_.url("/a"), {0, 100}, control_));
  EXPECT_TRUE(fetcher_.probe(office_.url("/a"), control_));
  EXPECT_LT(Clock::now() - begin, 10s);
  EXPECT_EQ(files_left(), std::set<std::string>{});
}

TEST_F(Fetch, AnEndlessHeadEnds) {
  office_.answer_with([](const auto&) {
    Answer answer{.body = "x"};
    for (int i = 0; i < 10'000; ++i)
      answer.headers.emplace_back("X-" + std::to_string(i), std::string(50, 'y'));
    return answer;
  });
  EXPECT_THAT(text_of_failure("/tile.tif"), HasSubstr("endless head"));
}

TEST_F(Fetch, ASmallAnswerThatUnpacksToALargeOneEnds) {
  // 200 MB of zeros.
  std::string packed(1 << 20, '\0'), zeros(1 << 20, '\0');
  z_stream stream{};
  ASSERT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  for (int i = 0; i < 200; ++i) {
    stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
    stream.avail_in = static_cast<uInt>(zeros.size());
    deflate(&stream, i == 199 ? Z_FINISH : Z_NO_FLUSH);
  }
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  office_.put("/index.json", {.body = packed, .habits = {.headers = {{"Content-Encoding", "gzip"}}}});
  const auto text = fetcher_.text({.url = office_.url("/index.json"), .most_bytes = 10'000'000}, control_);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().text, HasSubstr("longer than a listing"));
}

TEST_F(Fetch, NothingSecretIsInWhatPeopleRead) {
  const std::string port = office_.url("").substr(std::string("http://").size());
  std::vector<std::string> said;
  const auto results = fetcher_.files(
      {{.url = "http://gast:geheim@" + port + "/a.tif?api_key=abc123&x=1", .target = folder_.file("a")},
       {.url = "http://gast:geheim@127.0.0.1:1/a.tif?Token=abc123", .target = folder_.file("b")}},
      {.on_wait = [&](const std::string& text) { said.push_back(text); }}, control_);
  for (const auto& result : results) said.push_back(result.error().text);
  for (const std::string& text : said)
    EXPECT_THAT(text, testing::Not(testing::AnyOf(HasSubstr("geheim"), HasSubstr("abc123")))) << text;
  EXPECT_THAT(said.back(), HasSubstr("127.0.0.1:1/a.tif"));
}

TEST_F(Fetch, LinksInStrangeLettersArePercentEncoded) {
  for (const char* path :
       {"/3D-Daten/Oberfl%C3%A4che%20(DOM1)/a.zip", "/3D-Daten/Oberfl%c3%a4che%20(DOM1)/a.zip"})
    office_.put(path, {.body = "PK\5\6"});
  EXPECT_TRUE(fetched("/3D-Daten/Oberfläche (DOM1)/a.zip"));
  EXPECT_TRUE(fetched("/3D-Daten/Oberfl%C3%A4che%20(DOM1)/a.zip", {.replace = true}));
}

}  // namespace
