// Slow, silent, countless and rude clients. Each gets an answer or a closed connection in bounded time, the
// service's memory stays where it was, and others are served as before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "tests/http/service/raw_client.hpp"
#include "tests/sanitizers.hpp"

namespace {

using test::RawClient;
using test::RunningService;
using namespace std::chrono_literals;
using testing::ElementsAre;

const std::string kGoodRequest = "GET /api/v1/lastprofile HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
const std::string kKept = "GET /api/v1/lastprofile HTTP/1.1\r\nHost: x\r\n\r\n";

/// A service with short time-outs, so that no test has to wait long, and without limits.
RunningService& hasty() {
  static RunningService instance({"--http.header-timeout=1", "--http.body-timeout=1", "--http.idle-timeout=2",
                                  "--limits.address-per-hour=0", "--limits.address-per-day=0"});
  return instance;
}
/// A service with the default time-outs, without limits.
RunningService& patient() {
  static RunningService instance(
      {"--limits.address-per-hour=0", "--limits.address-per-day=0", "--http.connections-per-address=0"});
  return instance;
}

void expect_served(const RunningService& service) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(service.get("/lastprofile").status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - began, test::kLastResort);
}

/// Sends `bytes`, then `drop` again and again, and returns what it heard.
RawClient::Heard drip(const RunningService& service, const std::string& bytes, const std::string& drop) {
  RawClient client(service.port());
  client.send(bytes);
  RawClient::Heard heard;
  for (int i = 0; i < 200 && heard.replies.empty() && !heard.closed; ++i) {
    if (!drop.empty()) client.send(drop);
    heard = client.hear(1, 100ms);
  }
  if (!heard.closed) heard.closed = client.hear(SIZE_MAX, 20s).closed;
  return heard;
}

void expect_told(const RawClient::Heard& heard) {
  ASSERT_THAT(heard.statuses, ElementsAre(408));
  EXPECT_EQ(heard.replies[0].code(), "anfrage_zu_langsam");
  EXPECT_EQ(heard.replies[0].headers.at("connection"), "close");
  EXPECT_TRUE(heard.closed);
}

TEST(SlowClient, WhoseHeaderNeverEndsIsToldAndClosed) {
  expect_told(drip(hasty(), "GET /api/v1/doku HTTP/1.1\r\n", ""));
}

TEST(SlowClient, WhoseHeaderArrivesByteByByteIsToldAndClosed) {
  expect_told(drip(hasty(), "GET /api/v1/doku HTTP/1.1\r\nX: ", "y"));
}

TEST(SlowClient, WhoseBodyNeverArrivesIsToldAndClosed) {
  expect_told(drip(hasty(), "POST /api/v1/projekte HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", ""));
}

TEST(SlowClient, WhoseBodyArrivesByteByByteIsToldAndClosed) {
  expect_told(
      drip(hasty(), "POST /api/v1/projekte HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", " "));
}

TEST(SlowClient, WhoseChunksNeverEndIsToldAndClosed) {
  expect_told(drip(hasty(), "POST /api/v1/projekte HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
                   "1\r\na\r\n"));
}

TEST(SlowClient, WhoIsAskedToContinueAndDoesNotIsToldAndClosed) {
  RawClient client(hasty().port());
  client.send(
      "POST /api/v1/projekte HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_THAT(client.hear().statuses, ElementsAre(100, 408));
}

TEST(SlowClient, WhoSaysNothingIsClosedWithoutAWord) {
  RawClient silent(hasty().port());
  const auto heard = silent.hear();
  EXPECT_TRUE(heard.closed);
  EXPECT_TRUE(heard.replies.empty());
}

TEST(SlowClient, WhoSaysNothingAfterAnAnswerIsClosedWithoutAWord) {
  RawClient client(hasty().port());
  client.send(kKept);
  const auto heard = client.hear();
  EXPECT_TRUE(heard.closed);
  EXPECT_THAT(heard.statuses, ElementsAre(200));
}

TEST(PolitePart, AsksForABodyThatTheClientHoldsBack) {
  RawClient client(patient().port());
  client.send(
      "POST /api/v1/projekte HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_THAT(client.hear(1).statuses, ElementsAre(100));
  client.send("{}");
  EXPECT_THAT(client.hear(1).statuses, ElementsAre(401));
}

TEST(SplitPackets, MakeNoDifferenceWhereverTheyAreCut) {
  for (std::size_t cut = 1; cut < kGoodRequest.size(); ++cut) {
    RawClient client(patient().port());
    client.send(kGoodRequest.substr(0, cut));
    std::this_thread::sleep_for(1ms);  // so that the kernel does not join the two
    client.send(kGoodRequest.substr(cut));
    ASSERT_THAT(client.hear().statuses, ElementsAre(200)) << cut;
  }
}

TEST(PipelinedRequests, AreAnsweredInTheirOrder) {
  const std::string key = patient().new_key();
  RawClient client(patient().port());
  std::string all;
  std::vector<int> expected;
  for (int i = 0; i < 30; ++i) {
    // What needs an actor, what needs none, what has no body: they take different ways.
    all += "GET /api/v1/projekte HTTP/1.1\r\nHost: x\r\nX-API-Key: " + key + "\r\n\r\n";
    all += "GET /api/v1/nichts HTTP/1.1\r\nHost: x\r\n\r\n" + kKept;
    all += "OPTIONS /api/v1/doku HTTP/1.1\r\nHost: x\r\n\r\n";
    expected.insert(expected.end(), {200, 404, 200, 204});
  }
  client.send(all + kGoodRequest);
  expected.push_back(200);
  EXPECT_EQ(client.hear().statuses, expected);
}

TEST(PipelinedRequests, AreAllAnsweredHoweverManyComeAtOnce) {
  RawClient client(patient().port());
  const std::string one =
      "GET /api/v1/lastprofile HTTP/1.1\r\nHost: x\r\nX: " + std::string(250, 'a') + "\r\n\r\n";
  std::string all;
  for (int i = 0; i < 300; ++i) all += one;
  client.send(all + kGoodRequest);
  const auto heard = client.hear();
  EXPECT_EQ(heard.statuses, std::vector<int>(301, 200));
  EXPECT_TRUE(heard.closed);
}

TEST(LargeChunkExtensions, AreAnsweredBeforeTheConnectionCloses) {
  RawClient client(patient().port());
  client.send("POST /api/v1/projekte HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;" +
              std::string(100'000, 'x'));
  const auto heard = client.hear();
  ASSERT_THAT(heard.statuses, ElementsAre(413));
  EXPECT_EQ(heard.replies[0].code(), "anfrage_zu_gross");
  EXPECT_TRUE(heard.closed);
}

TEST(HalfClosedConnections, GetTheirAnswersAllTheSame) {
  const std::string key = patient().new_key();
  RawClient client(patient().port());
  client.send(kKept + "GET /api/v1/projekte HTTP/1.1\r\nHost: x\r\nX-API-Key: " + key + "\r\n\r\n");
  client.say_no_more();
  const auto heard = client.hear();
  EXPECT_THAT(heard.statuses, ElementsAre(200, 200));
  EXPECT_TRUE(heard.closed);
  RawClient half(patient().port());
  half.send("GET /api/v1/do");
  half.say_no_more();
  EXPECT_THAT(half.hear().statuses, ElementsAre(400));
}

TEST(RudeClients, WhoHangUpEarlyLeaveNothingBehind) {
  const std::string key = patient().new_key();
  const std::string list = "GET /api/v1/projekte HTTP/1.1\r\nHost: x\r\nX-API-Key: " + key + "\r\n\r\n";
  for (int i = 0; i < 300; ++i) {
    RawClient client(patient().port());
    client.send(i % 3 == 0 ? list : i % 3 == 1 ? list.substr(0, 40) : std::string("\x80\x81"));
    if (i % 2 == 0) client.hang_up();
  }
  expect_served(patient());
}

TEST(RudeClients, WhoTakeNoAnswersCostNoMemory) {
  if (test::kUnderThreadSanitizer)
    GTEST_SKIP() << "the thread sanitizer's shadow takes four times the memory";
  const std::string one = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::size_t before_kb = patient().memory_kb();
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<RawClient>(patient().port()));
    for (int k = 0; k < 1000; ++k)
      if (!clients.back()->send(one)) break;
  }
  expect_served(patient());
  // 10 clients ask for 10,000 descriptions of over 50 KB: half a gigabyte.
  EXPECT_LT(patient().memory_kb(), before_kb + 100'000);
}

TEST(CountlessClients, WhoseRequestsAreUnderWayDoNotSpoilTheProgramsEnd) {
  RunningService service(
      {"--limits.status-per-hour=0", "--limits.address-per-hour=0", "--limits.address-per-day=0"});
  const std::string list =
      "GET /api/v1/projekte HTTP/1.1\r\nHost: x\r\nX-API-Key: " + service.new_key() + "\r\n\r\n";
  std::string many;
  for (int i = 0; i < 20; ++i) many += list;
  for (int round = 0; round < 5; ++round) {
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 200; ++i) clients.push_back(std::make_unique<RawClient>(service.port()));
    for (const auto& client : clients) client->send(many);
    service.stop();  // checks for a clean end although answers are still to come
    service.start();
  }
}

TEST(CountlessClients, AThousandIdleOnesKeepNobodyFromBeingServed) {
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 1000; ++i) {
    idle.push_back(std::make_unique<RawClient>(patient().port()));
    ASSERT_TRUE(idle.back()->connected()) << i;
    if (i % 2 == 0) idle.back()->send("GET /api/v1/do");
  }
  expect_served(patient());
  // They are still there: each can go on where it stopped.
  idle[999]->send(kGoodRequest);
  EXPECT_THAT(idle[999]->hear().statuses, ElementsAre(200));
  idle[998]->send("ku HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(idle[998]->hear().statuses, ElementsAre(200));
}

TEST(CountlessClients, BeyondTheAllowedConnectionsAreToldSo) {
  const RunningService service({"--http.connections-max=5"});
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 5; ++i) {
    idle.push_back(std::make_unique<RawClient>(service.port()));
    idle.back()->send(kKept);
    EXPECT_THAT(idle.back()->hear(1).statuses, ElementsAre(200));
  }
  RawClient sixth(service.port());
  const auto heard = sixth.hear();
  ASSERT_THAT(heard.statuses, ElementsAre(503));
  EXPECT_EQ(heard.replies[0].code(), "dienst_ueberlastet");
  EXPECT_EQ(heard.replies[0].headers.count("retry-after"), 1U);
  EXPECT_TRUE(heard.closed);
  idle.clear();
  for (int i = 0; i < 100; ++i) {  // the server notices the five hang-ups in its own time
    RawClient next(service.port());
    next.send(kGoodRequest);
    if (next.hear().statuses == std::vector{200}) return;
  }
  FAIL() << "the places never fell free";
}

TEST(CountlessClients, OfOneAddressLeaveRoomForTheOthers) {
  const RunningService service({"--http.connections-per-address=5"});
  std::vector<std::unique_ptr<RawClient>> greedy;
  for (int i = 0; i < 5; ++i) {
    greedy.push_back(std::make_unique<RawClient>(service.port()));
    greedy.back()->send(kKept);
    EXPECT_THAT(greedy.back()->hear(1).statuses, ElementsAre(200));
  }
  RawClient sixth(service.port());
  EXPECT_THAT(sixth.hear().statuses, ElementsAre(503));
  RawClient neighbour(service.port(), "127.0.0.2");
  neighbour.send(kGoodRequest);
  EXPECT_THAT(neighbour.hear().statuses, ElementsAre(200));
}

TEST(CountlessClients, WhoUseUpTheFileDescriptorsDoNotEndTheProgram) {
  const RunningService service;
  expect_served(service);
  service.allow_open_files(service.open_files() + 10);
  std::vector<std::unique_ptr<RawClient>> many;
  for (int i = 0; i < 50; ++i) {
    many.push_back(std::make_unique<RawClient>(service.port()));
    many.back()->send(kKept);
  }
  many.clear();
  service.allow_open_files(1024);
  for (int i = 0; i < 200; ++i) {
    RawClient next(service.port());
    if (next.connected() && next.send(kGoodRequest) && next.hear(1, 1s).statuses == std::vector{200}) return;
  }
  FAIL() << "nobody is served any more; the program said: " << service.log();
}

}  // namespace
