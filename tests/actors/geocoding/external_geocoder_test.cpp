// The geocoding services, asked for real over HTTP on loopback: what they answer, and what becomes of it when
// they are slow, busy, wrong or gone.
#include "actors/geocoding/external_geocoder.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/loopback_server.hpp"

namespace actors {
namespace {

using Kind = Located::Kind;
using ServerAnswer = test::LoopbackServer::Answer;

// Answers in the services' own formats, with made-up places.
const std::string kNominatimHouse =
    R"([{"place_id":1,"lat":"48.3059","lon":"14.2862","category":"building","type":"yes","place_rank":30,)"
    R"("address":{"house_number":"5","road":"Hauptstraße","town":"Linz","postcode":"4020","country_code":"at"}}])";
const std::string kPhotonHouse =
    R"({"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":)"
    R"([14.2862,48.3059]},"properties":{"osm_key":"building","type":"house","countrycode":"AT","postcode":"4020",)"
    R"("city":"Linz","street":"Hauptstraße","housenumber":"5"}}]})";
const std::string kGeoadminHouse =
    R"({"results":[{"id":1,"weight":1,"attrs":{"origin":"address","label":"Hauptstrasse 5 <b>3084 Wabern</b>",)"
    R"("detail":"hauptstrasse 5 3084 wabern","lat":46.9279,"lon":7.4513,"x":1197427.0,"y":2600968.75,"num":5}}]})";

/// Time-out of a request that is answered: long enough however busy the machine is.
constexpr std::uint32_t kPatience_ms = 60'000;
/// Time-out of a request that nobody answers.
constexpr std::uint32_t kImpatience_ms = 300;

ExternalGeocoder asking(const GeocodingDialect& dialect, const test::LoopbackServer& server,
                        std::uint32_t timeout_ms = kPatience_ms) {
  return ExternalGeocoder(dialect, {.url = server.url("/search"), .pace_ms = 1, .timeout_ms = timeout_ms});
}

test::LoopbackServer always(const ServerAnswer& answer) {
  return test::LoopbackServer([answer](const auto&) { return answer; });
}

TEST(Nominatim, FindsAHouseWhoseCoordinatesComeAsStrings) {
  const auto server = always({.body = kNominatimHouse});
  auto geocoder = asking(kNominatim, server);
  const Located place = geocoder.locate("Hauptstr. 5, 4020 Linz");
  ASSERT_EQ(place.kind, Kind::house);
  EXPECT_EQ(place.street, "Hauptstraße");
  EXPECT_EQ(place.house_number, "5");
  EXPECT_EQ(place.postcode, "4020");
  EXPECT_EQ(place.town, "Linz");
  EXPECT_EQ(place.country, "AT");
  EXPECT_DOUBLE_EQ(place.lat_deg, 48.3059);
  EXPECT_DOUBLE_EQ(place.lon_deg, 14.2862);
}

TEST(Nominatim, IsAskedInThreeCountriesWithTheAddressPercentEncodedAndAContact) {
  std::string target, agent;
  test::LoopbackServer server([&](const auto& request) {
    target = std::string(request.target());
    agent = std::string(request[boost::beast::http::field::user_agent]);
    return ServerAnswer{.body = "[]"};
  });
  ExternalGeocoder geocoder(kNominatim,
                            {.url = server.url("/search"), .pace_ms = 1, .contact = "betrieb@example.org"});
  EXPECT_EQ(geocoder.locate("Straße & Söhne 5").kind, Kind::unknown);
  EXPECT_NE(target.find("q=Stra%C3%9Fe%20%26%20S%C3%B6hne%205"), std::string::npos) << target;
  EXPECT_NE(target.find("countrycodes=at%2Cde%2Cch"), std::string::npos) << target;
  EXPECT_NE(agent.find("betrieb@example.org"), std::string::npos) << agent;
}

TEST(Nominatim, AStreetOrAPostcodesMiddleIsNoHouse) {
  std::string street = kNominatimHouse;
  street.replace(street.find("\"place_rank\":30"), 15, "\"place_rank\":26");
  const auto server = always({.body = street});
  auto geocoder = asking(kNominatim, server);
  EXPECT_EQ(geocoder.locate("Hauptstraße 5, 4020 Linz").kind, Kind::unknown);
}

TEST(Nominatim, AHouseInAnotherCountryIsNone) {
  std::string abroad = kNominatimHouse;
  abroad.replace(abroad.find("\"at\""), 4, "\"it\"");
  const auto server = always({.body = abroad});
  auto geocoder = asking(kNominatim, server);
  EXPECT_EQ(geocoder.locate("Hauptstraße 5, 4020 Linz").kind, Kind::unknown);
}

TEST(Photon, FindsAHouseInGeoJson) {
  const auto server = always({.body = kPhotonHouse});
  auto geocoder = asking(kPhoton, server);
  const Located place = geocoder.locate("Linz, Hauptstraße 5");
  ASSERT_EQ(place.kind, Kind::house);
  EXPECT_EQ(place.country, "AT");
  EXPECT_DOUBLE_EQ(place.lon_deg, 14.2862);
}

TEST(Geoadmin, ReadsTheHouseFromTheLabelAndThePlaceFromLatAndLon) {
  const auto server = always({.body = kGeoadminHouse});
  auto geocoder = asking(kGeoadmin, server);
  const Located place = geocoder.locate("Hauptstrasse 5, 3084 Wabern");
  ASSERT_EQ(place.kind, Kind::house);
  EXPECT_EQ(place.street, "Hauptstrasse");
  EXPECT_EQ(place.town, "Wabern");
  EXPECT_DOUBLE_EQ(place.lat_deg, 46.9279);
  EXPECT_DOUBLE_EQ(place.lon_deg, 7.4513);
}

TEST(Geoadmin, ReadsANumberWithALetterApart) {
  std::string letter = kGeoadminHouse;
  letter.replace(letter.find("Hauptstrasse 5 "), 15, "Hauptstrasse 5 a ");
  const auto server = always({.body = letter});
  auto geocoder = asking(kGeoadmin, server);
  EXPECT_EQ(geocoder.locate("Hauptstrasse 5a, 3084 Wabern").house_number, "5 a");
  EXPECT_EQ(geocoder.locate("Hauptstrasse 5, 3084 Wabern").kind, Kind::ambiguous);
}

TEST(ExternalGeocoder, NeverResolvesATypingErrorSilentlyWhateverTheServiceMakesOfIt) {
  const auto server = always({.body = kNominatimHouse});
  auto geocoder = asking(kNominatim, server);
  const Located place = geocoder.locate("Haubtstraße 5, 4020 Linz");
  EXPECT_EQ(place.kind, Kind::ambiguous);
  ASSERT_FALSE(place.candidates.empty());
  EXPECT_EQ(place.candidates[0], "Hauptstraße 5, 4020 Linz");
  EXPECT_EQ(geocoder.locate(place.candidates[0]).kind, Kind::house);
}

TEST(ExternalGeocoder, OnlyProposesForTheWrongPostcodeCountryOrNumberAndForNone) {
  const auto server = always({.body = kNominatimHouse});
  auto geocoder = asking(kNominatim, server);
  for (const char* text :
       {"Hauptstraße 5, 5020 Salzburg", "Hauptstraße 7, 4020 Linz", "Hauptstraße 5 a, 4020 Linz",
        "Hauptstraße 3-5, 4020 Linz", "Hauptstraße, 4020 Linz", "Hauptstraße 5, Linz, Deutschland"}) {
    const Located place = geocoder.locate(text);
    EXPECT_EQ(place.kind, Kind::ambiguous) << text;
    EXPECT_EQ(place.candidates, std::vector<std::string>{"Hauptstraße 5, 4020 Linz"}) << text;
  }
}

TEST(ExternalGeocoder, AsksForARangeAndForADoorEachByItself) {
  const auto server = always({.body = kNominatimHouse});
  auto geocoder = asking(kNominatim, server);
  for (const char* text : {"Hauptstraße 5/1, Linz", "Hauptstraße 5-1, Linz", "Hauptstraße 5 1, Linz"})
    geocoder.locate(text);
  EXPECT_EQ(geocoder.locate("Hauptstraße 5/1, Linz").kind, Kind::house) << "a door in Austria";
  EXPECT_EQ(geocoder.locate("Hauptstraße 5 1, Linz").kind, Kind::ambiguous);
}

TEST(ExternalGeocoder, AsksOnceForAnAddressHoweverItIsSpelled) {
  const auto server = always({.body = kNominatimHouse});
  auto geocoder = asking(kNominatim, server);
  for (const char* spelling :
       {"Hauptstraße 5, 4020 Linz", "hauptstr. 5  4020 LINZ", "HAUPTSTRASSE 5, 4020 Linz"})
    EXPECT_EQ(geocoder.locate(spelling).kind, Kind::house) << spelling;
  EXPECT_EQ(server.requests(), 1);
}

TEST(ExternalGeocoder, KeepsThePaceBetweenRequestsOfAllThreads) {
  const auto server = always({.body = "[]"});
  ExternalGeocoder geocoder(kNominatim, {.url = server.url(), .pace_ms = 60, .timeout_ms = kPatience_ms});
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&geocoder, i] { geocoder.locate("Weg " + std::to_string(i)); });
  for (auto& thread : threads) thread.join();
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(3 * 60));
  EXPECT_EQ(server.requests(), 4);
}

TEST(ExternalGeocoder, ASilentServiceIsUnreachableInBoundedTime) {
  const auto server = always({.hangs = true});
  auto geocoder = asking(kNominatim, server, kImpatience_ms);
  EXPECT_EQ(geocoder.locate("Weg 1").kind, Kind::unreachable);  // it comes back, the server never does
}

TEST(ExternalGeocoder, AServiceThatStallsInItsAnswerIsUnreachable) {
  const auto server = always({.body = kNominatimHouse, .stalls = true});
  auto geocoder = asking(kNominatim, server, kImpatience_ms);
  EXPECT_EQ(geocoder.locate("Hauptstraße 5, 4020 Linz").kind, Kind::unreachable);
}

struct Wrong {
  const char* what;
  ServerAnswer answer;
};
class WrongService : public testing::TestWithParam<Wrong> {};

TEST_P(WrongService, IsUnreachableAndNothingIsRemembered) {
  std::atomic<bool> healthy = false;
  test::LoopbackServer server(
      [&](const auto&) { return healthy ? ServerAnswer{.body = kNominatimHouse} : GetParam().answer; });
  auto geocoder = asking(kNominatim, server);
  EXPECT_EQ(geocoder.locate("Hauptstraße 5, 4020 Linz").kind, Kind::unreachable);
  healthy = true;
  EXPECT_EQ(geocoder.locate("Hauptstraße 5, 4020 Linz").kind, Kind::house);
}

INSTANTIATE_TEST_SUITE_P(
    Answers, WrongService,
    testing::Values(Wrong{"HangsUp", {.hangs_up = true}},
                    Wrong{"Garbage", {.body = "\x01\x02 no HTTP", .is_garbage = true}},
                    Wrong{"Html", {.body = "<html>Wartung</html>"}},
                    Wrong{"HalfJson", {.body = "[{\"lat\":"}},
                    Wrong{"AnObject", {.body = "{\"error\":\"no\"}"}},
                    Wrong{"Status500", {.status = 500, .body = "[]"}},
                    Wrong{"Status403", {.status = 403, .body = "blocked"}}, Wrong{"Empty", {.body = ""}},
                    Wrong{"TooLarge", {.body = std::string(2 << 20, ' ')}},
                    Wrong{"RedirectLoop", {.status = 302, .headers = {{"Location", "/search"}}}}),
    [](const auto& info) { return std::string(info.param.what); });

TEST(ExternalGeocoder, OddEntriesInAnAnswerAreNoHousesAndDoNoHarm) {
  const auto server = always(
      {.body =
           R"([1, null, {}, {"place_rank":30}, {"place_rank":30,"lat":"x","lon":"y","address":{"road":"W"}},)"
           R"({"place_rank":30,"lat":"99","lon":"999","address":{"road":"W","house_number":"1","country_code":"at"}}])"});
  auto geocoder = asking(kNominatim, server);
  EXPECT_EQ(geocoder.locate("W 1").kind, Kind::unknown);
}

TEST(ExternalGeocoder, ABusyServiceIsLeftAloneUntilTheTimeItNames) {
  const auto server = always({.status = 429, .headers = {{"Retry-After", "60"}}});
  auto geocoder = asking(kNominatim, server);
  EXPECT_EQ(geocoder.locate("Weg 1").kind, Kind::overloaded);
  EXPECT_EQ(geocoder.locate("Weg 2").kind, Kind::overloaded);
  EXPECT_EQ(server.requests(), 1);
}

TEST(ExternalGeocoder, StopsAskingAServiceThatFailsAgainAndAgain) {
  const auto server = always({.hangs_up = true});
  auto geocoder = asking(kNominatim, server);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(geocoder.locate("Weg " + std::to_string(i)).kind, Kind::unreachable);
  EXPECT_LE(server.requests(), 10);  // curl may try a kept connection's request once more
}

TEST(CircuitBreaker, LetsOneQuestionThroughAfterThePauseAndAllAfterAnAnswer) {
  CircuitBreaker breaker(2, std::chrono::seconds(30));
  CircuitBreaker::Time now{};
  breaker.failed(now);
  EXPECT_TRUE(breaker.allows(now));
  breaker.failed(now);
  EXPECT_FALSE(breaker.allows(now + std::chrono::seconds(29)));
  now += std::chrono::seconds(30);
  EXPECT_TRUE(breaker.allows(now));
  EXPECT_FALSE(breaker.allows(now)) << "a second one while the first is under way";
  breaker.succeeded();
  EXPECT_TRUE(breaker.allows(now));
  EXPECT_TRUE(breaker.allows(now));
}

TEST(CircuitBreaker, PausesAgainWhenTheTrialFails) {
  CircuitBreaker breaker(1, std::chrono::seconds(30));
  CircuitBreaker::Time now{};
  breaker.failed(now);
  now += std::chrono::seconds(31);
  EXPECT_TRUE(breaker.allows(now));
  breaker.failed(now);
  EXPECT_FALSE(breaker.allows(now + std::chrono::seconds(1)));
}

}  // namespace
}  // namespace actors
