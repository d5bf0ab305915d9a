// Files from offices' servers that behave as the real ones do: each habit of shared/open-data.md, A.5.
#include "geo/fetch/fetcher.hpp"

#include <atomic>
#include <set>
#include <thread>

#include "fetcher_fixture.hpp"
#include "geo/fetch/sha256.hpp"

namespace {

using namespace std::chrono_literals;
using fetch_test::content_of;
using fetch_test::Fetch;
using fetch_test::tiff_bytes;
using geo::Content;
using geo::FailureKind;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

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

TEST_F(Fetch, LinksInStrangeLettersArePercentEncoded) {
  for (const char* path :
       {"/3D-Daten/Oberfl%C3%A4che%20(DOM1)/a.zip", "/3D-Daten/Oberfl%c3%a4che%20(DOM1)/a.zip"})
    office_.put(path, {.body = "PK\5\6"});
  EXPECT_TRUE(fetched("/3D-Daten/Oberfläche (DOM1)/a.zip"));
  EXPECT_TRUE(fetched("/3D-Daten/Oberfl%C3%A4che%20(DOM1)/a.zip", {.replace = true}));
}

}  // namespace
