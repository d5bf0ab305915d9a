// The contract's sentences on projects: one per account and house however it is spelled, created once, listed
// page by page, their analyses restarted with what was sent last.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/algorithm/string/replace.hpp>

#include <set>
#include <thread>

#include "persistence/keys.hpp"
#include "tests/http/service/contract_world.hpp"

namespace {

using persistence::Table;
using test::kNoLimits;
using test::Reply;
using test::RunningService;
using test::World;

/// The first of the settlement's addresses whose street has this in it.
std::string address_with(const std::string& part) {
  for (const std::string& address : test::sample_region().addresses)
    if (address.find(part) != std::string::npos) return address;
  ADD_FAILURE() << "no address with " << part;
  return {};
}

TEST(Creation, TellsWhatTheContractSaysOfANewProject) {
  RunningService service;
  const std::string key = service.new_key();
  const auto body = service.create(key, 0).json();
  EXPECT_EQ(body["name"], "Haus");
  EXPECT_EQ(body["adresse"], test::sample_region().addresses[0]) << "as it was sent";
  EXPECT_EQ(body["zustand"], "läuft");
  EXPECT_GT(body["lat"], 45);
  EXPECT_GT(body["lon"], 5);
  const std::string path = body["analyse_url"];
  EXPECT_TRUE(path.starts_with("http://") && path.ends_with("/api/v1/projekte/1/dachanalyse")) << path;
  EXPECT_LT(service.await_result(key, 1).status, 300);
}

TEST(Creation, OfTheSameHouseIs409HoweverItIsSpelled) {
  RunningService service(kNoLimits);
  const std::string key = service.new_key();
  const std::string address = address_with("straße");
  ASSERT_EQ(service.post("/projekte", key, test::project_order(address).dump()).status, 202);
  const std::string short_street = boost::replace_all_copy(address, "straße", "str.");
  for (const std::string& spelling :
       {address, "  " + boost::replace_all_copy(address, " ", "   "), short_street,
        boost::replace_all_copy(address, "straße", "strasse"),
        boost::replace_all_copy(address, "straße", "STRASSE"), boost::replace_all_copy(address, ",", ""),
        address.substr(address.find(", ") + 2) + ", " + address.substr(0, address.find(','))}) {
    const auto again = service.post("/projekte", key, test::project_order(spelling).dump());
    EXPECT_EQ(again.status, 409) << spelling << again.body;
    EXPECT_EQ(again.json()["bestehendes_projekt"]["analyse_url"].get<std::string>().find("/projekte/1/") !=
                  std::string::npos,
              true);
    EXPECT_TRUE(again.json()["bestehendes_projekt"].contains("url"));
  }
  EXPECT_EQ(service.get("/projekte", key).json()["anzahl"], 1);
}

TEST(Creation, OfOneAddressManyTimesAtOnceMakesExactlyOneProject) {
  RunningService service(kNoLimits);
  const std::string key = service.new_key();
  std::vector<Reply> replies(12);
  std::vector<std::thread> clients;
  const std::string address = address_with("straße");
  const std::string body = test::project_order(address).dump();
  const std::string other = test::project_order(boost::replace_all_copy(address, "straße", "str.")).dump();
  for (std::size_t i = 0; i < replies.size(); ++i)
    clients.emplace_back([&, i] { replies[i] = service.post("/projekte", key, i % 2 == 0 ? body : other); });
  for (std::thread& client : clients) client.join();
  int created = 0;
  for (const Reply& reply : replies) {
    created += reply.status == 202 ? 1 : 0;
    if (reply.status != 202) {
      EXPECT_EQ(reply.code(), "projekt_besteht_bereits");
    }
  }
  EXPECT_EQ(created, 1);
  EXPECT_EQ(service.get("/projekte", key).json()["anzahl"], 1);
}

TEST(Creation, OfAnAmbiguousAddressNamesSpellingsThatResolveWhenSentBack) {
  RunningService service(kNoLimits);
  const std::string key = service.new_key();
  const std::string address = address_with("straße");
  std::string wrong = address;
  wrong.erase(2, 1);
  const auto reply = service.post("/projekte", key, test::project_order(wrong).dump());
  ASSERT_EQ(reply.code(), "adresse_nicht_eindeutig") << "a typing error is never resolved silently";
  const auto found = reply.json()["fehler"]["gefunden"];
  EXPECT_EQ(found[0], address) << "the right spelling comes first";
  for (const auto& spelling : found)
    EXPECT_EQ(service.post("/projekte", key, test::project_order(spelling).dump()).status, 202) << spelling;
}

TEST(Creation, CountsCharactersAndNotBytes) {
  RunningService service(kNoLimits);
  const std::string key = service.new_key();
  auto body = test::project_order(test::sample_region().addresses[0]);
  std::string name;
  for (int i = 0; i < 150; ++i) name += "ü";
  body["name"] = name + "ü";
  EXPECT_EQ(service.post("/projekte", key, body.dump()).code(), "anfrage_ungueltig");
  body["name"] = name;
  EXPECT_EQ(service.post("/projekte", key, body.dump()).json()["name"], name);
}

TEST(SingleCall, CreatesOnceAndThenTellsTheSameProjectsState) {
  RunningService service(kNoLimits);
  const std::string key = service.new_key();
  const std::string path = World::single_call(test::sample_region().addresses[0]);
  const auto first = service.get(path, key);
  ASSERT_EQ(first.status, 202);
  EXPECT_EQ(first.json()["name"], test::sample_region().addresses[0])
      << "the resolved address, when none is sent";
  EXPECT_GE(first.json()["erneut_in_s"], 10);
  const auto finished = service.await_result(key, 1);
  const auto again = service.get(path + "&lastprofil=G0&name=anders", key);
  EXPECT_EQ(again.body, finished.body) << "what is sent later changes nothing";
  EXPECT_EQ(service.get("/projekte", key).json()["anzahl"], 1);
}

TEST(SingleCall, TakesTheKeyFromTheUrlVerbrauchAndAnyEncodingOfAnUmlaut) {
  RunningService service(kNoLimits);
  const std::string key = service.new_key();
  const std::string address = address_with("straße");
  const std::string tail = "&verbrauch=4500&schluessel=" + key;
  const std::string plus = boost::replace_all_copy(boost::replace_all_copy(address, " ", "+"), "ß", "%C3%9F");
  EXPECT_EQ(service.get("/analyse?adresse=" + plus + tail).status, 202);
  for (const std::string& spelling :
       {boost::replace_all_copy(plus, "+", "%20"), boost::replace_all_copy(plus, "%C3%9F", "%c3%9f"),
        boost::replace_all_copy(plus, "%C3%9F", "ss")}) {
    const auto again = service.get("/analyse?adresse=" + spelling + tail);
    EXPECT_TRUE(again.status == 202 || again.status == 200) << again.body;
  }
  EXPECT_EQ(service.get("/projekte", key).json()["anzahl"], 1);
}

TEST(Listing, GoesPageByPageFromTheNewestAndKeepsTheLimit) {
  RunningService service(kNoLimits);
  const std::string key = service.new_key();
  for (std::size_t n = 0; n < 5; ++n) service.create(key, n);
  std::vector<int> seen;
  std::string path = "/projekte?limit=2";
  for (int page = 0; page < 3; ++page) {
    const auto body = service.get(path, key).json();
    EXPECT_EQ(body["anzahl"], body["projekte"].size());
    for (const auto& project : body["projekte"]) seen.push_back(project["projekt_id"]);
    if (page == 2) {
      EXPECT_TRUE(body["weiter"].is_null());
      break;
    }
    const std::string next = body["weiter"];
    const auto base = next.find("/api/v1");
    EXPECT_TRUE(next.starts_with("http://")) << next;
    EXPECT_NE(next.find("limit=2"), std::string::npos) << next;
    path = next.substr(base + 7);
  }
  EXPECT_EQ(seen, (std::vector<int>{5, 4, 3, 2, 1}));
  EXPECT_EQ(service.get("/projekte?vor_id=3", key).json()["anzahl"], 2);
  for (const char* wrong :
       {"limit=0", "limit=201", "limit=x", "limit=", "limit=1.5", "vor_id=x", "vor_id=-1"})
    EXPECT_EQ(service.get(std::string("/projekte?") + wrong, key).code(), "anfrage_ungueltig") << wrong;
  for (const char* good : {"limit=1", "limit=200", "vor_id=1", "unbekannt=1"})
    EXPECT_EQ(service.get(std::string("/projekte?") + good, key).status, 200) << good;
}

TEST(Restart, TakesWhatIsNotSentFromTheLastRequest) {
  RunningService service(kNoLimits);
  const std::string key = service.new_key();
  service.create(key, 0);
  service.await_result(key, 1);
  const auto restarted = service.post("/projekte/1/dachanalyse", key, R"({"jahresverbrauch_kwh": 9000})");
  EXPECT_EQ(restarted.status, 202);
  EXPECT_TRUE(restarted.json().contains("wartet")) << "a Laufstand";
  auto result = service.await_result(key, 1).json();
  EXPECT_EQ(result["jahresverbrauch_kwh"], 9000);
  EXPECT_EQ(result["lastprofil"], "H0");
  service.post("/projekte/1/dachanalyse", key, R"({"lastprofil": "G3"})");
  result = service.await_result(key, 1).json();
  EXPECT_EQ(result["jahresverbrauch_kwh"], 9000);
  EXPECT_EQ(result["lastprofil"], "G3");
  service.post("/projekte/1/dachanalyse", key, "", {});
  EXPECT_EQ(service.await_result(key, 1).json()["lastprofil"], "G3");
}

TEST(Restart, OfARunThatWaitsOrComputesStartsNothing) {
  std::vector<std::string> options = kNoLimits;
  options.emplace_back("--analysis.slots=1");
  RunningService service(options);
  const std::string key = service.new_key();
  for (std::size_t n = 0; n < 6; ++n) service.create(key, n);
  const auto before = service.get("/projekte/6/dachanalyse", key).json();
  EXPECT_EQ(before["wartet"], true);
  EXPECT_TRUE(before["fertig"].is_null() && before["gesamt"].is_null() && before["schritt"].is_null());
  const auto after = service.post("/projekte/6/dachanalyse", key, R"({"jahresverbrauch_kwh": 1})").json();
  EXPECT_EQ(after["wartet"], true);
  EXPECT_EQ(service.await_result(key, 6).json()["jahresverbrauch_kwh"], 4500);
}

TEST(TestAccount, ExpiresAfterThirtyDays) {
  RunningService service;
  const std::string key = service.new_key("test");
  EXPECT_EQ(service.get("/projekte", key).status, 200);
  service.stop();
  test::change_store(service, [](persistence::Store& store) {
    const std::string id = persistence::number_key(1);
    auto account = persistence::decode_account(store.get(Table::accounts, id)->value());
    EXPECT_EQ(account->expires_ms - account->created_ms, 30LL * 24 * 3600 * 1000);
    account->expires_ms = 1;
    ASSERT_TRUE(store.commit({{Table::accounts, id, encode(*account)}}));
  });
  service.start();
  EXPECT_EQ(service.get("/projekte", key).code(), "schluessel_ungueltig");
}

TEST(DamagedResult, IsMovedAsideByTheOperatorWithTheServerRunningAndStopped) {
  RunningService service(kNoLimits);
  const std::string key = service.new_key();
  for (const std::size_t n : {0U, 1U}) service.create(key, n);
  for (const std::uint64_t project : {1U, 2U}) service.await_result(key, project);
  const auto quarantine = [&](const std::string& project) {
    return test::run_roofd(
        {"result", "quarantine", "--data-dir=" + service.data_dir(), "--project=" + project});
  };
  EXPECT_EQ(quarantine("1").exit_code, 1) << "a good result stays";
  service.stop();
  test::change_store(service, [](persistence::Store& store) {
    for (const std::uint64_t project : {1U, 2U}) test::damage_result(store, project);
  });
  const auto stopped = quarantine("1");
  EXPECT_EQ(stopped.exit_code, 0) << stopped.err;
  EXPECT_NE(stopped.out.find("moved aside"), std::string::npos);
  service.start();
  EXPECT_EQ(service.get("/projekte/2/dachanalyse", key).code(), "analyse_unlesbar");
  EXPECT_EQ(quarantine("2").exit_code, 0);
  for (const char* path : {"/projekte/1/dachanalyse", "/projekte/2/dachanalyse"}) {
    EXPECT_EQ(service.get(path, key).code(), "analyse_fehlt");
    EXPECT_EQ(service.post(path, key, "", {}).status, 202);
  }
  EXPECT_EQ(service.await_result(key, 1).status, 200);
  EXPECT_EQ(quarantine("4711").exit_code, 1);
  EXPECT_EQ(quarantine("x").exit_code, 1);
  EXPECT_EQ(test::run_roofd({"result", "quarantine", "--data-dir=" + service.data_dir()}).exit_code, 2);
}

}  // namespace
