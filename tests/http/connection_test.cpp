// Bytes to requests and answers to bytes: what real clients, odd clients and hostile ones send.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/http/http_client.hpp"

namespace {

using test::Client;
using test::count_of;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using namespace std::string_literals;

constexpr auto kGet = "GET /api/v1/doku HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(Connection, ReadsARequestThatArrivesByteByByte) {
  Client client;
  const std::string bytes =
      "POST /api/v1/projekte?a=1 HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\nContent-Length: 5\r\n\r\nhello";
  for (const char byte : bytes) client.send({&byte, 1});
  ASSERT_EQ(client.requests.size(), 1U);
  EXPECT_EQ(client.requests[0].method, "POST");
  EXPECT_EQ(client.requests[0].path, "/api/v1/projekte");
  EXPECT_EQ(client.requests[0].parameter("a"), "1");
  EXPECT_EQ(client.requests[0].header("x-api-key"), "k");
  EXPECT_EQ(client.requests[0].body, "hello");
  EXPECT_EQ(client.requests[0].peer, "192.0.2.7");
}

TEST(Connection, AnswersPipelinedRequestsInOrderWhenTheyAreAnsweredOutOfOrder) {
  Client client;
  client.send(std::string(kGet) + kGet + kGet);
  ASSERT_EQ(client.requests.size(), 3U);
  client.answer(2, "third");
  client.answer(1, "second");
  EXPECT_EQ(client.received(), "");
  client.answer(0, "first");
  const std::string all = client.received();
  EXPECT_LT(all.find("first"), all.find("second"));
  EXPECT_LT(all.find("second"), all.find("third"));
  EXPECT_THAT(all, EndsWith("third"));
}

TEST(Connection, ReadsNoMoreThanItsShareOfPipelinedRequestsUntilSomeAreAnswered) {
  Client client({.pipelined = 2});
  client.send(std::string(kGet) + kGet + kGet);
  EXPECT_EQ(client.requests.size(), 2U);
  client.answer(0, "a");
  EXPECT_EQ(client.requests.size(), 3U);
}

TEST(Connection, AnswersEveryOneOfManyPipelinedRequestsThatAreAnsweredAtOnce) {
  Client client({.pipelined = 4});
  client.answer_at_once = [](const http::Request&) { return http::Response{.status = 200, .body = "x"}; };
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += kGet;
  client.send(bytes);
  EXPECT_EQ(count_of("HTTP/1.1 200 OK\r\n", client.received()), 100U);
}

TEST(Connection, LetsItsSenderWaitWhenTheRequestsUnderWayAreManyAndAnswersEachOfThem) {
  Client client({.header_bytes = 1000, .body_bytes = 1000});
  std::string bytes;
  for (int i = 0; i < 301; ++i)
    bytes += "GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(280, 'a') + "\r\n\r\n";
  std::size_t answered = 0, most_at_once = 0;
  while (answered < 301 && !client.connection.closing()) {
    for (; client.connection.wants_input() && !bytes.empty(); bytes.erase(0, 500))
      client.send(bytes.substr(0, 500));
    ASSERT_LT(answered, client.requests.size()) << "it reads on when answers are out";
    most_at_once = std::max(most_at_once, client.requests.size() - answered);
    client.answer(answered++, "");
  }
  EXPECT_EQ(answered, 301U);
  EXPECT_EQ(most_at_once, 16U);
  EXPECT_TRUE(client.faults.empty());
}

TEST(Connection, ReadsNoMoreWhileAnswersWaitForAnEarlierOneHoweverLarge) {
  Client client({.output_bytes = 10'000});
  client.send(std::string(kGet) + kGet);
  client.answer(1, std::string(20'000, 'a'));
  EXPECT_GT(client.connection.held(), 20'000U);
  EXPECT_FALSE(client.connection.wants_input());
  client.answer(0, "first");
  client.received();
  client.connection.drained(client.now);
  EXPECT_EQ(client.connection.held(), 0U);
  EXPECT_TRUE(client.connection.wants_input());
}

TEST(Connection, AnswersEveryRequestOfASenderThatHasSaidAllItWill) {
  Client client({.pipelined = 2});
  client.send(std::string(kGet) + kGet + kGet);
  client.connection.end_of_input(client.now);
  for (std::size_t i = 0; i < 3; ++i) client.answer(i, "");
  EXPECT_EQ(count_of("HTTP/1.1 200", client.received()), 3U);
  EXPECT_TRUE(client.connection.closing());
}

TEST(Connection, AnswersHalfARequestWhoseOtherHalfWillNotCome) {
  Client client;
  client.send("GET /api/v1/doku HT");
  client.connection.end_of_input(client.now);
  EXPECT_EQ(client.faults, std::vector{http::WireFault::malformed});
  Client silent;
  silent.connection.end_of_input(silent.now);
  EXPECT_TRUE(silent.faults.empty());
  EXPECT_TRUE(silent.connection.closing());
}

TEST(Connection, ClosesAfterTheAnswersUnderWayWhenTheServiceEnds) {
  Client client;
  client.send(kGet);
  client.connection.finish();
  EXPECT_TRUE(client.connection.closing());
  client.answer(0, "");
  EXPECT_THAT(client.received(), HasSubstr("Connection: close\r\n"));
  Client half;
  half.send("GET /api/v1/doku HT");
  half.connection.finish();
  EXPECT_FALSE(half.connection.closing()) << "what has begun to arrive is still answered";
  half.send("TP/1.1\r\nHost: x\r\n\r\n");
  half.answer(0, "");
  EXPECT_THAT(half.received(), HasSubstr("Connection: close\r\n"));
  EXPECT_TRUE(half.connection.closing());
}

TEST(Connection, IgnoresASecondAnswerToTheSameRequest) {
  Client client;
  client.send(kGet);
  client.answer(0, "once");
  client.answer(0, "twice");
  EXPECT_THAT(client.received(), EndsWith("once"));
}

TEST(Connection, AnswersHeadWithTheSameFieldsAndNoBody) {
  Client client;
  client.send("HEAD /api/v1/doku HTTP/1.1\r\nHost: x\r\n\r\n");
  client.answer(0, "the body");
  const std::string answer = client.received();
  EXPECT_THAT(answer, HasSubstr("Content-Length: 8\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n"));
}

TEST(Connection, SendsNoBodyAndNoLengthWith204And304) {
  for (const int status : {204, 304}) {
    Client client;
    client.send(kGet);
    client.answer(0, "not to be sent", status);
    const std::string answer = client.received();
    EXPECT_THAT(answer, Not(HasSubstr("Content-Length"))) << status;
    EXPECT_THAT(answer, EndsWith("\r\n\r\n")) << status;
  }
}

TEST(Connection, AsksForTheBodyWhenTheClientWaitsForThat) {
  Client client;
  client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.received(), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("h");
  EXPECT_EQ(client.received(), "");
  client.send("i");
  ASSERT_EQ(client.requests.size(), 1U);
  EXPECT_EQ(client.requests[0].body, "hi");
}

TEST(Connection, DoesNotAskForABodyThatHasArrivedAlready) {
  Client client;
  client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi");
  ASSERT_EQ(client.requests.size(), 1U);
  EXPECT_EQ(client.received(), "");
}

TEST(Connection, ReadsChunkedBodiesWithTheirExtensionsAndTrailers) {
  Client client;
  client.send(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX: "
      "y\r\n\r\n");
  ASSERT_EQ(client.requests.size(), 1U);
  EXPECT_EQ(client.requests[0].body, "abcde");
  client.send(kGet);
  EXPECT_EQ(client.requests.size(), 2U);
}

TEST(Connection, TakesNoHeaderFieldFromBehindAChunkedBody) {
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  Client client;
  client.send(head + "0\r\nX-API-Key: dach_behind\r\nConnection: close\r\n\r\n");
  ASSERT_EQ(client.requests.size(), 1U);
  EXPECT_FALSE(client.requests[0].header("x-api-key"));
  EXPECT_FALSE(client.connection.closing());
}

// A Host field behind the body must not count, not even when everything comes in one packet.
TEST(Connection, MissesAHostThatComesBehindTheBodyHoweverTheBytesAreCut) {
  const std::string bytes = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nHost: x\r\n\r\n";
  for (const std::size_t packet : {bytes.size(), std::size_t{7}, std::size_t{1}}) {
    Client client;
    for (std::size_t at = 0; at < bytes.size(); at += packet) client.send(bytes.substr(at, packet));
    EXPECT_TRUE(client.requests.empty()) << packet;
    EXPECT_EQ(client.faults, std::vector{http::WireFault::malformed}) << packet;
  }
}

struct Malformed {
  const char* name;
  std::string bytes;
  friend void PrintTo(const Malformed& malformed, std::ostream* out) { *out << malformed.name; }
};

class ConnectionRefuses : public testing::TestWithParam<Malformed> {};

TEST_P(ConnectionRefuses, AnswersOnceAndReadsNoMore) {
  Client client;
  client.send(GetParam().bytes);
  EXPECT_EQ(client.requests.size(), 0U);
  ASSERT_EQ(client.faults.size(), 1U);
  EXPECT_EQ(client.faults[0], http::WireFault::malformed);
  EXPECT_TRUE(client.connection.closing());
  client.send(kGet);
  EXPECT_EQ(client.requests.size(), 0U);
  const std::string answer = client.received();
  EXPECT_EQ(count_of("HTTP/1.1 ", answer), 1U);
  EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
}

INSTANTIATE_TEST_SUITE_P(
    Bytes, ConnectionRefuses,
    testing::Values(
        Malformed{"NoHttp", "hello world\r\n\r\n"},
        Malformed{"Tls", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc", 9) + "\r\n\r\n"},
        Malformed{"NegativeLength", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"},
        Malformed{"LengthThatIsNoNumber", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n"},
        Malformed{"LengthBeyond64Bits",
                  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n"},
        Malformed{"TwoDifferentLengths",
                  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"},
        Malformed{
            "LengthAndChunked",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
        Malformed{
            "ChunkedAndLength",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"},
        Malformed{"ChunkSizeThatIsNoNumber",
                  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n"},
        Malformed{"NulInTheTarget", "GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n"s},
        Malformed{"NulInAFieldValue", "GET / HTTP/1.1\r\nHost: x\0y\r\n\r\n"s},
        Malformed{"SpaceInAFieldName", "GET / HTTP/1.1\r\nHo st: x\r\n\r\n"},
        Malformed{"SpaceInTheTarget", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"},
        Malformed{"NoHost", "GET / HTTP/1.1\r\nAccept: */*\r\n\r\n"},
        Malformed{"TwoHosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"},
        Malformed{"UnknownCoding", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n"},
        Malformed{"CodingThatOnlyLooksChunked",
                  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n"},
        Malformed{"ChunkedThatIsNotLast",
                  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"},
        Malformed{"ChunkedTwice",
                  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: "
                  "chunked\r\n\r\n0\r\n\r\n"},
        Malformed{"ChunkedInHttp10",
                  "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
        Malformed{"Http2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Connection, RefusesABodyThatIsLargerThanAllowedBeforeItArrives) {
  Client client({.body_bytes = 10});
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n");
  ASSERT_EQ(client.faults.size(), 1U);
  EXPECT_EQ(client.faults[0], http::WireFault::too_large);
}

TEST(Connection, RefusesAChunkedBodyThatGrowsTooLarge) {
  Client client({.body_bytes = 10});
  client.send(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
      "chunked\r\n\r\n8\r\n12345678\r\n8\r\n12345678\r\n0\r\n\r\n");
  ASSERT_EQ(client.faults.size(), 1U);
  EXPECT_EQ(client.faults[0], http::WireFault::too_large);
}

TEST(Connection, RefusesAChunksExtensionsThatAreLargerThanAHeaderMayBe) {
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::size_t packet : {std::size_t{100'000}, std::size_t{1000}}) {
    Client client;
    client.send(head);
    const std::string chunk = "5;" + std::string(100'000, 'x');
    for (std::size_t at = 0; at < chunk.size(); at += packet) client.send(chunk.substr(at, packet));
    EXPECT_EQ(client.faults, std::vector{http::WireFault::too_large}) << packet;
    EXPECT_TRUE(client.connection.wants_input()) << "the rest is thrown away, or the answer would be lost";
  }
}

TEST(Connection, SendsNoBodyToAHeadThatItRefuses) {
  Client client({.body_bytes = 10});
  client.send("HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n");
  EXPECT_EQ(client.faults.size(), 1U);
  EXPECT_THAT(client.received(), EndsWith("\r\n\r\n"));
}

TEST(Connection, RefusesHeadersThatAreLargerThanAllowed) {
  Client client({.header_bytes = 1000});
  client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + std::string(2000, 'a') + "\r\n\r\n");
  ASSERT_EQ(client.faults.size(), 1U);
  EXPECT_EQ(client.faults[0], http::WireFault::too_large);
}

TEST(Connection, RefusesEndlessHeadersThatArriveInPieces) {
  Client client({.header_bytes = 1000});
  client.send("GET / HTTP/1.1\r\n");
  for (int i = 0; i < 200 && client.faults.empty(); ++i) client.send("X-Field: 0123456789\r\n");
  ASSERT_EQ(client.faults.size(), 1U);
  EXPECT_EQ(client.faults[0], http::WireFault::too_large);
}

TEST(Connection, RefusesEndlessFieldsThatArriveWholeOneAfterTheOther) {
  Client client({.header_bytes = 1000});
  client.send("GET / HTTP/1.1\r\nHost: x\r\n");
  for (int i = 0; i < 200; ++i) client.send("X: 0123456789\r\n");
  client.send("\r\n");
  EXPECT_EQ(client.requests.size(), 0U);
  EXPECT_EQ(client.faults, std::vector{http::WireFault::too_large});
}

TEST(Connection, RefusesEndlessFieldsBehindAChunkedBody) {
  Client client({.header_bytes = 1000, .body_bytes = 1000});
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n");
  for (int i = 0; i < 2000; ++i) client.send("X: 0123456789\r\n");
  client.send("\r\n");
  EXPECT_EQ(client.requests.size(), 0U);
  EXPECT_EQ(client.faults, std::vector{http::WireFault::too_large});
}

TEST(Connection, AnswersWhatCameBeforeMalformedBytesFirst) {
  Client client;
  client.send(std::string(kGet) + "nonsense\r\n\r\n");
  EXPECT_EQ(client.received(), "");
  client.answer(0, "good");
  const std::string all = client.received();
  EXPECT_LT(all.find("good"), all.find("fault"));
  EXPECT_THAT(all, EndsWith("fault"));
}

class ConnectionTakes : public testing::TestWithParam<std::string> {};

TEST_P(ConnectionTakes, FieldsThatSayNothingToIt) {
  Client client;
  client.send(std::string("GET /api/v1/doku HTTP/1.1\r\nHost: x\r\n") + GetParam() + "\r\n\r\n");
  EXPECT_EQ(client.requests.size(), 1U);
  EXPECT_TRUE(client.faults.empty());
}

INSTANTIATE_TEST_SUITE_P(OddFields, ConnectionTakes,
                         testing::Values("Connection: foo", "Accept: foo", "Accept: */*;q=nonsense",
                                         "Date: yesterday", "Cache-Control: ;;;=", "Content-Type: a/b/c; =",
                                         "Upgrade: websocket", "X-Empty:", "Accept-Language: d\xc3\xa9",
                                         "If-None-Match: \"", "Authorization: Basic !!!", "Cookie: a=b; c",
                                         "Range: bytes=9-1"));

TEST(Connection, StaysOpenByDefaultInHttp11AndClosesWhenAsked) {
  Client staying;
  staying.send(kGet);
  staying.answer(0, "");
  EXPECT_FALSE(staying.connection.closing());
  EXPECT_THAT(staying.received(), HasSubstr("Connection: keep-alive\r\n"));
  Client closing;
  closing.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  closing.answer(0, "");
  EXPECT_TRUE(closing.connection.closing());
  EXPECT_THAT(closing.received(), HasSubstr("Connection: close\r\n"));
}

TEST(Connection, ClosesWhenAskedInTheSecondOfTwoConnectionLines) {
  Client client;
  client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n");
  client.answer(0, "");
  EXPECT_TRUE(client.connection.closing());
  EXPECT_THAT(client.received(), HasSubstr("Connection: close\r\n"));
}

TEST(Connection, ClosesAfterAnAnswerInHttp10UnlessAskedToStay) {
  Client closing;
  closing.send("GET / HTTP/1.0\r\n\r\n");
  closing.answer(0, "");
  EXPECT_TRUE(closing.connection.closing());
  Client staying;
  staying.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  staying.answer(0, "");
  EXPECT_FALSE(staying.connection.closing());
}

TEST(Connection, SkipsEmptyLinesBeforeARequest) {
  Client client;
  client.send("\r\n\r\n" + std::string(kGet) + "\r\n" + kGet);
  EXPECT_EQ(client.requests.size(), 2U);
  EXPECT_TRUE(client.faults.empty());
}

TEST(Connection, GivesEachRequestANumberOfItsOwn) {
  Client client;
  client.send(std::string(kGet) + kGet);
  ASSERT_EQ(client.requests.size(), 2U);
  EXPECT_EQ(client.requests[0].id.size(), 16U);
  EXPECT_NE(client.requests[0].id, client.requests[1].id);
}

using Overdue = http::Connection::Overdue;
using std::chrono::seconds;

constexpr http::ConnectionLimits kTimes{
    .header_timeout = seconds(10), .body_timeout = seconds(15), .idle_timeout = seconds(75)};

TEST(ConnectionTimeout, EndsAHeaderThatNeverBecomesWholeHoweverBusilyItArrives) {
  Client client(kTimes);
  client.send("GET / HTTP/1.1\r\n");
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(client.connection.overdue(client.now), Overdue::no) << i;
    client.now += seconds(1);
    client.send("X: y\r\n");
  }
  EXPECT_EQ(client.connection.overdue(client.now + seconds(1)), Overdue::request);
}

TEST(ConnectionTimeout, GivesABodyATimeOfItsOwn) {
  Client client(kTimes);
  client.send("POST / HTTP/1.1\r\n");
  client.now += seconds(9);
  client.send("Host: x\r\nContent-Length: 5\r\n\r\n");
  client.now += seconds(15);
  client.send("a");
  EXPECT_EQ(client.connection.overdue(client.now), Overdue::no);
  EXPECT_EQ(client.connection.overdue(client.now + seconds(1)), Overdue::request);
}

TEST(ConnectionTimeout, TellsTheSlowSenderAndReadsNoMore) {
  Client client(kTimes);
  client.send("GET / HT");
  client.connection.fault(http::WireFault::too_slow, client.now);
  EXPECT_EQ(client.faults, std::vector{http::WireFault::too_slow});
  EXPECT_THAT(client.received(), HasSubstr("Connection: close\r\n"));
  client.send("TP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(client.requests.empty());
  EXPECT_EQ(client.connection.overdue(client.now + seconds(16)), Overdue::no) << "it is told once";
}

TEST(ConnectionTimeout, EndsAConnectionOnWhichNothingHappens) {
  Client client(kTimes);
  client.send(kGet);
  client.answer(0, "");
  client.received();
  EXPECT_EQ(client.connection.overdue(client.now + seconds(75)), Overdue::no);
  EXPECT_EQ(client.connection.overdue(client.now + seconds(76)), Overdue::idle);
}

TEST(ConnectionTimeout, LeavesTimeToAnAnswerThatIsOnItsWay) {
  Client client;
  client.send(kGet);
  EXPECT_TRUE(client.connection.busy());
  EXPECT_EQ(client.connection.overdue(client.now + std::chrono::hours(1)), Overdue::no);
}

TEST(ConnectionTimeout, CountsFromThePartOfTheNextRequestThatWaitedBehindAnAnswer) {
  Client client(kTimes);
  client.send(std::string(kGet) + "GET / HT");
  client.now += seconds(10);
  client.answer(0, "");
  EXPECT_EQ(client.connection.overdue(client.now), Overdue::no);
  EXPECT_EQ(client.connection.overdue(client.now + seconds(11)), Overdue::request);
}

TEST(Connection, ReadsNoMoreRequestsWhileTheClientDoesNotTakeTheAnswers) {
  Client client({.output_bytes = 10'000});
  client.answer_at_once = [](const http::Request&) { return http::Response{.body = std::string(1000, 'a')}; };
  for (int i = 0; i < 100; ++i) client.send(kGet);
  EXPECT_LT(client.connection.output().size(), 12'000U);
  std::size_t answers = 0;
  for (int i = 0; i < 100 && !client.connection.output().empty(); ++i) {
    answers += count_of("HTTP/1.1 200", client.received());
    client.connection.drained(client.now);
  }
  EXPECT_EQ(answers, 100U) << "the rest is answered as soon as there is room";
}

}  // namespace
