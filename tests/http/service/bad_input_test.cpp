// What a client does wrong gives the contract's code and status, and nothing is stored.
#include <gtest/gtest.h>

#include "tests/http/service/running_service.hpp"

namespace {

using test::Reply;
using test::RunningService;

class BadInput : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    service_ = new RunningService;
    key_ = service_->new_key();
  }
  static void TearDownTestSuite() {
    delete service_;
    service_ = nullptr;
  }
  void TearDown() override {
    EXPECT_EQ(service_->get("/projekte", key_).json()["anzahl"], 0) << "something was stored";
  }

  static void expect(const Reply& reply, int status, const std::string& code) {
    EXPECT_EQ(reply.status, status) << reply.body;
    EXPECT_EQ(reply.code(), code);
    EXPECT_EQ(reply.headers.at("content-type"), "application/problem+json");
    const auto body = reply.json();
    EXPECT_EQ(body["status"], status);
    for (const char* field : {"type", "title", "detail", "instance", "doku"})
      EXPECT_TRUE(body[field].is_string()) << field;
    for (const char* field : {"meldung", "tu"})
      EXPECT_FALSE(body["fehler"][field].get<std::string>().empty()) << field;
    EXPECT_EQ(body["instance"], "urn:anfrage:" + reply.headers.at("x-request-id"));
  }
  static nlohmann::json order() { return test::project_order(test::sample_region().addresses[0]); }
  static Reply post(const nlohmann::json& body) { return service_->post("/projekte", key_, body.dump()); }

  static RunningService* service_;
  static std::string key_;
};
RunningService* BadInput::service_ = nullptr;
std::string BadInput::key_;

TEST_F(BadInput, BrokenJsonIsAnfrageUngueltig) {
  expect(service_->post("/projekte", key_, "{\"name\": "), 400, "anfrage_ungueltig");
}

TEST_F(BadInput, AnotherContentTypeIsInhaltstypFalsch) {
  expect(service_->post("/projekte", key_, order().dump(), {{"Content-Type", "text/plain"}}), 415,
         "inhaltstyp_falsch");
  expect(service_->post("/projekte", key_, order().dump(), {}), 415, "inhaltstyp_falsch");
}

TEST_F(BadInput, AnUnknownProfileListsTheElevenThatAreAllowed) {
  auto body = order();
  body["lastprofil"] = "X9";
  const auto reply = post(body);
  expect(reply, 400, "lastprofil_unbekannt");
  EXPECT_EQ(reply.json()["fehler"]["erlaubt"].size(), 11U);
}

TEST_F(BadInput, AConsumptionOfZeroOrNoneIsVerbrauchFehlt) {
  for (const nlohmann::json& wrong : {nlohmann::json(0), nlohmann::json(-1), nlohmann::json(100'000'001),
                                      nlohmann::json("4500"), nlohmann::json()}) {
    auto body = order();
    body["jahresverbrauch_kwh"] = wrong;
    expect(post(body), 400, "verbrauch_fehlt");
  }
}

TEST_F(BadInput, AnUnknownAddressIsAdresseNichtGefunden) {
  auto body = order();
  body["adresse"] = "Xyzgasse 1, 1010 Nirgendwo";
  expect(post(body), 404, "adresse_nicht_gefunden");
}

TEST_F(BadInput, ATypingErrorIsNeverResolvedSilentlyAndTheRightSpellingComesFirst) {
  auto body = order();
  std::string wrong = test::sample_region().addresses[0];
  std::swap(wrong[2], wrong[3]);
  body["adresse"] = wrong;
  const auto reply = post(body);
  expect(reply, 404, "adresse_nicht_eindeutig");
  EXPECT_EQ(reply.json()["fehler"]["gefunden"][0], test::sample_region().addresses[0]);
}

TEST_F(BadInput, AnAddressOfOver200CharactersIsAdresseZuLang) {
  auto body = order();
  std::string umlauts;
  for (int i = 0; i < 201; ++i) umlauts += "ü";
  body["adresse"] = umlauts;
  expect(post(body), 400, "adresse_zu_lang");
}

TEST_F(BadInput, AnUnknownProjectIsProjektUnbekannt) {
  expect(service_->get("/projekte/4711/dachanalyse", key_), 404, "projekt_unbekannt");
  expect(service_->get("/projekte/abc/dachanalyse", key_), 404, "projekt_unbekannt");
  expect(service_->post("/projekte/4711/dachanalyse", key_, "", {}), 404, "projekt_unbekannt");
}

TEST_F(BadInput, NoKeyAndAWrongKeyAreToldApart) {
  expect(service_->get("/projekte"), 401, "schluessel_fehlt");
  expect(service_->get("/projekte", "dach_nonsense"), 401, "schluessel_ungueltig");
  std::string mistyped = key_;
  mistyped.back() = mistyped.back() == 'a' ? 'b' : 'a';
  expect(service_->get("/projekte", mistyped), 401, "schluessel_ungueltig");
  expect(service_->post("/projekte", "", order().dump()), 401, "schluessel_fehlt");
}

TEST_F(BadInput, TheKeyIsTakenFromTheUrlAndTheHeaderWins) {
  EXPECT_EQ(service_->get("/projekte?schluessel=" + key_).status, 200);
  expect(service_->get("/projekte?schluessel=" + key_, "dach_nonsense"), 401, "schluessel_ungueltig");
}

TEST_F(BadInput, AnUnknownPathIs404AndAWrongMethod405WithAllow) {
  expect(service_->get("/nirgends", key_), 404, "pfad_unbekannt");
  const auto reply = service_->request("DELETE", "/projekte", {}, {{"X-API-Key", key_}});
  expect(reply, 405, "methode_nicht_erlaubt");
  EXPECT_NE(reply.headers.at("allow").find("POST"), std::string::npos);
}

TEST_F(BadInput, AnotherAccountsProjectIsUnknown) {
  RunningService other;
  const std::string mine = other.new_key();
  const std::string theirs = other.new_key();
  const auto created = other.create(mine, 0);
  const std::string path = "/projekte/" + created.json()["projekt_id"].dump() + "/dachanalyse";
  EXPECT_EQ(other.get(path, theirs).code(), "projekt_unbekannt");
  EXPECT_EQ(other.get("/projekte", theirs).json()["anzahl"], 0);
}

}  // namespace
