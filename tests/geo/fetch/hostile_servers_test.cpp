// A server, or a listing, that means harm.
#include <zlib.h>

#include <atomic>

#include "fetcher_fixture.hpp"
#include "geo/fetch/sha256.hpp"

namespace {

using namespace std::chrono_literals;
using fetch_test::content_of;
using fetch_test::Fetch;
using geo::FailureKind;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;
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

}  // namespace
