// Malformed and hostile requests, one connection each. Behind each stands a good request: it is answered when
// the bytes before it have a certain end, and never when they have none, for then a proxy might have seen
// another request in them. Whatever comes, the service serves on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/http/service/raw_client.hpp"

namespace {

using test::RawClient;
using test::RunningService;
using namespace std::string_literals;

const std::string kGood = "GET /api/v1/lastprofile HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

struct Hostile {
  std::string name;
  std::string bytes;          ///< KEY stands for a good key
  std::vector<int> statuses;  ///< of all answers, the good request's 200 among them
};

std::string get(const std::string& target, const std::string& fields = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n";
}
std::string post(const std::string& fields, const std::string& body, const std::string& key = "KEY") {
  return "POST /api/v1/projekte HTTP/1.1\r\nHost: x\r\nX-API-Key: " + key +
         "\r\nContent-Type: application/json\r\n" + fields + "\r\n" + body;
}
std::string json_request(const std::string& body) {
  return post("Content-Length: " + std::to_string(body.size()) + "\r\n", body);
}
std::string chunked(const std::string& body) { return post("Transfer-Encoding: chunked\r\n", body); }
std::string times(std::size_t count, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

/// Sends each on a connection of its own, with a good request behind it.
void expect_answers(const std::vector<Hostile>& requests) {
  RunningService service({"--limits.address-per-hour=0", "--limits.address-per-day=0",
                          "--limits.create-per-hour=0", "--limits.status-per-hour=0", "--web.pages=off"});
  const std::string key = service.new_key();
  for (const Hostile& hostile : requests) {
    SCOPED_TRACE(hostile.name);
    std::string bytes = hostile.bytes;
    for (auto at = bytes.find("KEY"); at != std::string::npos; at = bytes.find("KEY", at + key.size()))
      bytes.replace(at, 3, key);  // the key itself may hold these letters
    RawClient client(service.port());
    client.send(bytes + kGood);
    const std::vector<std::size_t> heads(bytes.starts_with("HEAD") ? 1 : 0, 0);
    const auto heard = client.hear(SIZE_MAX, std::chrono::seconds(20), heads);
    EXPECT_EQ(heard.statuses, hostile.statuses);
    EXPECT_TRUE(heard.closed);
    EXPECT_EQ(heard.rest, "");
    EXPECT_EQ(service.get("/projekte", key).json()["anzahl"], 0) << "it serves on, and nothing was stored";
  }
}

TEST(HostileRequests, WithBadLengthsAreRefusedAndCut) {
  expect_answers(
      {Hostile{"Negative", post("Content-Length: -1\r\n", ""), {400}},
       Hostile{"NoNumber", post("Content-Length: ten\r\n", ""), {400}},
       Hostile{"WithAPlus", post("Content-Length: +2\r\n", "{}"), {400}},
       Hostile{"Hexadecimal", post("Content-Length: 0x2\r\n", "{}"), {400}},
       Hostile{"WithALetterBehind", post("Content-Length: 2a\r\n", "{}"), {400}},
       Hostile{"Empty", post("Content-Length:\r\n", "{}"), {400}},
       Hostile{"ListedTwiceTheSame", post("Content-Length: 2, 2\r\n", "{}"), {400, 200}},
       Hostile{"ListedAndDifferent", post("Content-Length: 2, 3\r\n", "{}"), {400}},
       Hostile{"Beyond64Bits", post("Content-Length: 99999999999999999999999\r\n", ""), {400}},
       Hostile{"HalfOf64Bits", post("Content-Length: 9223372036854775808\r\n", ""), {413}},
       Hostile{"TwoThatDiffer", post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"), {400}},
       Hostile{"JustTooLarge", post("Content-Length: 65537\r\n", ""), {413}},
       Hostile{"NoneAtAll", post("", ""), {400, 200}},
       Hostile{"ShorterThanTheBody", post("Content-Length: 2\r\n", "{}rest\r\n\r\n"), {400, 400}}});
}

TEST(HostileRequests, WhoseEndIsOpenToInterpretationAreRefusedAndCut) {
  expect_answers(
      {Hostile{"LengthThenChunked",
               post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
               {400}},
       Hostile{"ChunkedThenLength",
               post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"),
               {400}},
       Hostile{"CodingThatLooksChunked", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), {400}},
       Hostile{"Gzip", post("Transfer-Encoding: gzip\r\n", "x"), {400}},
       Hostile{"GzipThenChunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), {400}},
       Hostile{"ChunkedThenIdentity", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"), {400}},
       Hostile{"Identity", post("Transfer-Encoding: identity\r\n", ""), {400}},
       Hostile{"ChunkedTwice",
               post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
               {400}},
       Hostile{"ChunkedBehindAVerticalTab", post("Transfer-Encoding:\x0b chunked\r\n", "0\r\n\r\n"), {400}},
       Hostile{"SpaceBeforeTheColon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"), {400}},
       Hostile{"ChunkedInHttp10",
               "POST /api/v1/projekte HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
               {400}},
       Hostile{"ARequestInTheBody", json_request(kGood), {400, 200}},
       Hostile{"ARequestBehindAGetsBody",
               get("/api/v1/lastprofile", "Content-Length: " + std::to_string(kGood.size()) + "\r\n") + kGood,
               {200, 200}}});
}

TEST(HostileRequests, WithBadChunksAreRefusedAndCut) {
  expect_answers(
      {Hostile{"SizeNoNumber", chunked("xyz\r\nabc\r\n0\r\n\r\n"), {400}},
       Hostile{"SizeNegative", chunked("-1\r\n\r\n0\r\n\r\n"), {400}},
       Hostile{"SizeBeyond64Bits", chunked("ffffffffffffffffff\r\n{}\r\n0\r\n\r\n"), {400}},
       Hostile{"SizeHuge", chunked("7fffffffffffffff\r\n{}\r\n0\r\n\r\n"), {413}},
       Hostile{"MoreThanTheirSize", chunked("2\r\n{}{}\r\n0\r\n\r\n"), {400}},
       Hostile{"TooMuchInAll", chunked(times(70, "400\r\n" + std::string(1024, 'a') + "\r\n")), {413}},
       Hostile{"WithoutABody", chunked("0\r\n\r\n"), {400, 200}},
       Hostile{"OneByteEach", chunked("1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"), {400, 200}},
       Hostile{"WithExtensionAndTrailer", chunked("2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n"), {400, 200}}});
}

TEST(HostileRequests, ThatAreNoHttpAreRefused) {
  expect_answers(
      {Hostile{"NoHttp", "hello world\r\n\r\n", {400}},
       Hostile{"TlsHello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s, {400}},
       Hostile{"Zeros", std::string(64, '\0'), {400}},
       Hostile{"NoVersion", "GET /api/v1/lastprofile\r\n\r\n", {400}},
       Hostile{"Http2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400}},
       Hostile{"Http3", "GET / HTTP/3.0\r\nHost: x\r\n\r\n", {400}},
       Hostile{"VersionInSmallLetters", "GET / http/1.1\r\nHost: x\r\n\r\n", {400}},
       Hostile{"NoTarget", "GET  HTTP/1.1\r\nHost: x\r\n\r\n", {400}},
       Hostile{"SpaceInTheTarget", get("/api/v1/last profile"), {400}},
       Hostile{"NulInTheTarget", get("/api/v1/\0doku"s), {400}},
       Hostile{"TargetOf20KiB", get("/api/v1/" + std::string(20'000, 'a')), {413}},
       Hostile{"MethodOf20KiB", std::string(20'000, 'A') + " / HTTP/1.1\r\nHost: x\r\n\r\n", {413}},
       Hostile{"EmptyLinesBefore", "\r\n\r\n\r\n" + get("/api/v1/lastprofile"), {200, 200}},
       Hostile{"LineFeedsAlone", "GET /api/v1/lastprofile HTTP/1.1\nHost: x\n\n", {400}}});
}

TEST(HostileRequests, WithBadFieldsAreRefusedAndThoseWithOddOnesAreNot) {
  expect_answers(
      {Hostile{"NoHost", "GET /api/v1/lastprofile HTTP/1.1\r\n\r\n", {400}},
       Hostile{"TwoHosts", get("/api/v1/lastprofile", "Host: y\r\n"), {400}},
       Hostile{"NulInAValue", get("/api/v1/lastprofile", "X: a\0b\r\n"s), {400}},
       Hostile{"NulInAName", get("/api/v1/lastprofile", "X\0Y: a\r\n"s), {400}},
       Hostile{"SpaceInAName", get("/api/v1/lastprofile", "X Y: a\r\n"), {400}},
       Hostile{"UmlautInAName", get("/api/v1/lastprofile", "Schl\xc3\xbcssel: a\r\n"), {400}},
       Hostile{"NoColon", get("/api/v1/lastprofile", "nonsense\r\n"), {400}},
       Hostile{"NoName", get("/api/v1/lastprofile", ": a\r\n"), {400}},
       Hostile{"ReturnInAValue", get("/api/v1/lastprofile", "X: a\rb\r\n"), {400}},
       Hostile{"BellInAValue", get("/api/v1/lastprofile", "X: \x07\r\n"), {400}},
       Hostile{"DeleteInAValue", get("/api/v1/lastprofile", "X: \x7f\r\n"), {400}},
       Hostile{"OneOf17KiB", get("/api/v1/lastprofile", "X: " + std::string(17'000, 'a') + "\r\n"), {413}},
       Hostile{"FiveThousand", get("/api/v1/lastprofile", times(5000, "X: y\r\n")), {413}},
       Hostile{"UpgradeToHttp2",
               get("/api/v1/lastprofile", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"),
               {200, 200}},
       Hostile{"ExpectSomethingElse", get("/api/v1/lastprofile", "Expect: miracles\r\n"), {200, 200}},
       Hostile{"ARangeBackwards", get("/api/v1/lastprofile", "Range: bytes=9-1\r\n"), {200, 200}},
       Hostile{"AKeyOf10KiB",
               get("/api/v1/projekte", "X-API-Key: " + std::string(10'000, 'k') + "\r\n"),
               {401, 200}},
       Hostile{"AKeyInLatin1", get("/api/v1/projekte", "X-API-Key: dach_\xfc\r\n"), {401, 200}}});
}

TEST(HostileRequests, WithStrangeTargetsFindWhatTheTargetNames) {
  expect_answers(
      {Hostile{"AbsoluteForm", get("http://anywhere.example/api/v1/lastprofile"), {200, 200}},
       Hostile{"AbsoluteFormWithoutAPath", get("http://anywhere.example"), {404, 200}},
       Hostile{"AuthorityForm", "CONNECT anywhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n", {404, 200}},
       Hostile{"AsteriskForm", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", {204, 200}},
       Hostile{"AsteriskToGet", get("*"), {404, 200}},
       Hostile{"NoSlash", get("api/v1/lastprofile"), {404, 200}},
       Hostile{"TwoSlashes", get("//api/v1/lastprofile"), {404, 200}},
       Hostile{"DotsUp", get("/api/v1/../v1/lastprofile"), {404, 200}},
       Hostile{"DotsUpEncoded", get("/api/v1/%2e%2e/%2e%2e/etc/passwd"), {404, 200}},
       Hostile{"EncodedSlash", get("/api/v1/projekte%2F1%2Fdachanalyse"), {404, 200}},
       Hostile{"EncodedNul", get("/api/v1/lastprofile%00"), {404, 200}},
       Hostile{"EncodedBytesThatAreNoUtf8", get("/api/v1/%ff%fe"), {404, 200}},
       Hostile{"RawBytesThatAreNoUtf8", get("/api/v1/\xff\xfe"), {404, 200}},
       Hostile{"HalfAnEscape", get("/api/v1/lastprofile%2"), {404, 200}},
       Hostile{"QueryWithABrokenEscape", get("/api/v1/projekte?limit=%zz", "X-API-Key: KEY\r\n"), {400, 200}},
       Hostile{"QueryThatIsNoUtf8", get("/api/v1/projekte?limit=%ff", "X-API-Key: KEY\r\n"), {400, 200}},
       Hostile{"AProjectBeyond64Bits",
               get("/api/v1/projekte/99999999999999999999999/dachanalyse", "X-API-Key: KEY\r\n"),
               {404, 200}}});
}

TEST(HostileRequests, WithStrangeMethodsAreToldWhichThereAre) {
  expect_answers({Hostile{"Unknown", "BREW /api/v1/lastprofile HTTP/1.1\r\nHost: x\r\n\r\n", {405, 200}},
                  Hostile{"SmallLetters", "get /api/v1/lastprofile HTTP/1.1\r\nHost: x\r\n\r\n", {405, 200}},
                  Hostile{"Trace", "TRACE /api/v1/lastprofile HTTP/1.1\r\nHost: x\r\n\r\n", {405, 200}},
                  Hostile{"Head", "HEAD /api/v1/lastprofile HTTP/1.1\r\nHost: x\r\n\r\n", {200, 200}},
                  Hostile{"HeadOfNothing", "HEAD /api/v1/nichts HTTP/1.1\r\nHost: x\r\n\r\n", {404, 200}},
                  Hostile{"HeadWithoutAKey", "HEAD /api/v1/projekte HTTP/1.1\r\nHost: x\r\n\r\n", {401, 200}},
                  Hostile{"Options", "OPTIONS /api/v1/projekte HTTP/1.1\r\nHost: x\r\n\r\n", {204, 200}},
                  Hostile{"DeleteWithABody",
                          "DELETE /api/v1/projekte HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nGET ",
                          {405, 200}}});
}

TEST(HostileRequests, WithBadBodiesAreToldSoAndStoreNothing) {
  expect_answers({Hostile{"Nothing", json_request(""), {400, 200}},
                  Hostile{"HalfAnObject", json_request("{\"name\":"), {400, 200}},
                  Hostile{"Nul", json_request("{\"name\":\"a\0b\"}"s), {400, 200}},
                  Hostile{"NoUtf8", json_request("{\"name\":\"\xff\"}"), {400, 200}},
                  Hostile{"HalfASurrogate", json_request(R"({"name":"\ud800"})"), {400, 200}},
                  Hostile{"NestedTooDeeply", json_request(times(5000, "[") + times(5000, "]")), {400, 200}},
                  Hostile{"AFieldTwice", json_request(R"({"name":"a","name":"b"})"), {400, 200}},
                  Hostile{"NaN", json_request(R"({"jahresverbrauch_kwh":NaN})"), {400, 200}},
                  Hostile{"FiveThousandFieldsOfOneName",
                          json_request("{" + times(5000, R"("a":1,)") + R"("b":1})"),
                          {400, 200}},
                  Hostile{"InFull64KiB", json_request("\"" + std::string(65'534, 'a') + "\""), {400, 200}}});
}

}  // namespace
