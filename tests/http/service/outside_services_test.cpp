// What the program asks for outside, over real sockets: a geocoding service, and elevation data over HTTP.
// The servers serve, are busy, fail or say nothing; the client gets the contract's codes and nothing is half
// stored.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/http/service/running_service.hpp"
#include "tests/loopback_server.hpp"

namespace {

using test::RunningService;
using Answer = test::LoopbackServer::Answer;

/// The region's first address as its register has it.
struct KnownHouse {
  std::string street, number, postcode, town, lon, lat;
  std::string text() const { return street + " " + number + ", " + postcode + " " + town; }
};

KnownHouse known_house() {
  const auto csv = std::filesystem::path(test::sample_region().catalogue).parent_path() / "addresses.csv";
  std::ifstream in(csv);
  std::string head, row, field;
  std::getline(in, head);
  std::getline(in, row);
  std::map<std::string, std::string> value;
  std::stringstream names(head), fields(row);
  for (std::string name; std::getline(names, name, ',') && std::getline(fields, field, ',');)
    value[name] = field;
  return {value["strasse"], value["hausnummer"], value["plz"], value["ort"], value["lon"], value["lat"]};
}

std::string nominatim_answer(const KnownHouse& house) {
  const nlohmann::json place = {{"place_rank", 30},
                                {"lat", house.lat},
                                {"lon", house.lon},
                                {"address",
                                 {{"road", house.street},
                                  {"house_number", house.number},
                                  {"postcode", house.postcode},
                                  {"village", house.town},
                                  {"country_code", "at"}}}};
  return nlohmann::json::array({place}).dump();
}

struct WithNominatim {
  explicit WithNominatim(test::LoopbackServer::Handler handler)
      : nominatim(std::move(handler)),
        service({"--geocoder=nominatim", "--geocoding.url=" + nominatim.url("/search"),
                 "--geocoding.pace-ms=1", "--geocoding.timeout-ms=5000"}),
        key(service.new_key()) {}

  test::Reply create(const std::string& address) {
    return service.post("/projekte", key, test::project_order(address).dump());
  }
  std::size_t projects() { return service.get("/projekte", key).json()["projekte"].size(); }

  test::LoopbackServer nominatim;
  RunningService service;
  std::string key;
};

TEST(OutsideGeocoder, FindsTheHouseAndIsNamedAmongTheSources) {
  const KnownHouse house = known_house();
  WithNominatim with([&](const auto&) { return Answer{.body = nominatim_answer(house)}; });
  const auto created = with.create(house.text());
  ASSERT_EQ(created.status, 202) << created.body;
  const auto result = with.service.await_result(with.key, created.json()["projekt_id"]);
  ASSERT_EQ(result.status, 200) << result.body;
  EXPECT_NE(result.body.find("OpenStreetMap-Mitwirkende"), std::string::npos);
}

TEST(OutsideGeocoder, ThatIsBusyAnswersOverloadedAndNothingIsStored) {
  WithNominatim with([](const auto&) { return Answer{.status = 429}; });
  const auto refused = with.create("Weg 1, 4020 Linz");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.code(), "dienst_ueberlastet");
  EXPECT_TRUE(refused.headers.contains("retry-after"));
  EXPECT_EQ(with.projects(), 0u);
}

TEST(OutsideGeocoder, ThatSaysNothingAnswersUnreachableAndTheSameOrderSucceedsLater) {
  const KnownHouse house = known_house();
  std::atomic<bool> healthy{false};
  WithNominatim with(
      [&](const auto&) { return healthy ? Answer{.body = nominatim_answer(house)} : Answer{.hangs = true}; });
  const auto refused = with.create(house.text());
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.code(), "dienst_nicht_erreichbar");
  EXPECT_TRUE(refused.headers.contains("retry-after"));
  EXPECT_EQ(with.projects(), 0u);
  healthy = true;
  EXPECT_EQ(with.create(house.text()).status, 202);
  EXPECT_EQ(with.projects(), 1u);
}

TEST(OutsideGeocoder, ATypingErrorIsAnsweredWithTheRightSpellingWhichResolves) {
  const KnownHouse house = known_house();
  WithNominatim with([&](const auto&) { return Answer{.body = nominatim_answer(house)}; });
  std::string wrong = house.text();
  std::swap(wrong[2], wrong[3]);
  const auto refused = with.create(wrong);
  EXPECT_EQ(refused.status, 404);
  ASSERT_EQ(refused.code(), "adresse_nicht_eindeutig") << refused.body;
  const std::string proposed = refused.json()["fehler"]["gefunden"][0];
  EXPECT_EQ(proposed, house.text());
  EXPECT_EQ(with.create(proposed).status, 202);
}

TEST(OutsideGeocoder, WithAnUnknownNameIsRefusedAtTheStart) {
  const auto ended = test::run_roofd({"serve", "--geodata=" + test::sample_region().catalogue,
                                      "--data-dir=" + test::TemporaryFolder().path("d"), "--geocoder=bing"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_NE(ended.err.find("--geocoder=bing"), std::string::npos) << ended.err;
}

/// The sample region, its surface model behind a server.
class RemoteElevation : public testing::Test {
 protected:
  RemoteElevation() {
    ::setenv("GDAL_HTTP_TIMEOUT", "1", 1);  // the program inherits it
    const std::filesystem::path region = std::filesystem::path(test::sample_region().catalogue).parent_path();
    auto catalogue = sample_catalogue();
    for (auto& set : catalogue["datasets"]) {
      const std::string path = set["path"];
      set["path"] = set["kind"] == "dsm" ? "/vsicurl/" + server_.url("/dsm.tif") : (region / path).string();
    }
    std::ofstream(folder_.path("geodata.json")) << catalogue.dump();
  }
  ~RemoteElevation() override { ::unsetenv("GDAL_HTTP_TIMEOUT"); }

  static nlohmann::json sample_catalogue() {
    return nlohmann::json::parse(std::ifstream(test::sample_region().catalogue));
  }
  static std::string surface_model() {
    const auto region = std::filesystem::path(test::sample_region().catalogue).parent_path();
    const auto catalogue = sample_catalogue();
    for (const auto& set : catalogue["datasets"])
      if (set["kind"] == "dsm") return (region / set["path"].get<std::string>()).string();
    return {};
  }

  enum Mood { serves, busy, fails, hangs };
  Answer answer(const test::LoopbackServer::Request& request) const {
    switch (mood_.load()) {
      case busy:
        return {.status = 503};
      case fails:
        return {.status = 500};
      case hangs:
        return {.hangs = true};
      default:
        return test::file_answer(file_, request);
    }
  }

  test::TemporaryFolder folder_;
  const std::string file_ = surface_model();  // before the server's thread, which reads it
  std::atomic<Mood> mood_{serves};
  test::LoopbackServer server_{[this](const auto& request) { return answer(request); }};
};

TEST_F(RemoteElevation, EndsARunWithTheReasonAndAPostRestartsItWhenTheServerIsBack) {
  RunningService service({}, folder_.path("geodata.json"));
  const std::string key = service.new_key();
  const std::vector<std::pair<Mood, std::string>> moods = {
      {busy, "dienst_ueberlastet"}, {fails, "dienst_nicht_erreichbar"}, {hangs, "dienst_nicht_erreichbar"}};
  for (std::size_t i = 0; i < moods.size(); ++i) {
    mood_ = moods[i].first;
    const auto created = service.create(key, i);
    ASSERT_EQ(created.status, 202) << created.body;
    const auto ended = service.await_result(key, created.json()["projekt_id"]);
    EXPECT_EQ(ended.status, 503) << i;
    EXPECT_EQ(ended.code(), moods[i].second) << i;
    EXPECT_TRUE(ended.headers.contains("retry-after")) << i;
  }
  mood_ = serves;
  const std::uint64_t first = service.get("/projekte", key).json()["projekte"].back()["projekt_id"];
  const std::string path = "/projekte/" + std::to_string(first) + "/dachanalyse";
  EXPECT_EQ(service.post(path, key, "", {}).status, 202);
  const auto result = service.await_result(key, first);
  EXPECT_EQ(result.status, 200) << result.body;
}

TEST_F(RemoteElevation, ThatDoesNotServeAtTheStartIsRefusedWithAnExitCodeAndASentence) {
  mood_ = fails;
  const auto ended = test::run_roofd(
      {"serve", "--geodata=" + folder_.path("geodata.json"), "--data-dir=" + folder_.path("d")});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_NE(ended.err.find("path"), std::string::npos) << ended.err;
}

}  // namespace
