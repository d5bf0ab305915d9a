// The web application of the real program: the way from the front page to a key that works.
#include <algorithm>
#include <cmath>
#include <regex>

#include "actors/accounts/key_text.hpp"
#include "geo/sample_region/sample_region.hpp"
#include "tests/http/service/web_fixture.hpp"

namespace {

using test::Form;
using test::kAnna;
using test::kPassword;
using test::location;
using test::Reply;
using test::RunningService;
using test::says;
using test::WebVisitor;
using Web = test::WebTest;

TEST_F(Web, LeadsFromTheFrontPageToAKeyThatWorksAndIsRevoked) {
  EXPECT_TRUE(says(anna.get("/"), "Dach berechnen"));
  EXPECT_EQ(location(anna.get("/projekte/neu?adresse=Weg%201")),
            "/registrieren?weiter=/projekte/neu%3Fadresse%3DWeg%25201");
  anna.join(kAnna, kPassword);
  EXPECT_TRUE(says(anna.get("/projekte?meldung=willkommen"), "Willkommen"));
  const std::string project = anna.project(0, "Omas Haus");
  const Reply page = anna.get(project);
  EXPECT_TRUE(says(page, "Omas Haus"));
  EXPECT_TRUE(says(page, "kWh im Jahr · H0 Haushalt")) << "also on paper, where the forms are left out";
  EXPECT_TRUE(says(page, "id=\"bild-flaeche-1\""));
  EXPECT_TRUE(says(page, "±"));
  const std::string key = anna.key();
  ASSERT_FALSE(key.empty());
  EXPECT_FALSE(says(anna.get("/schluessel"), key));
  const std::string number = project.substr(project.rfind('/') + 1);
  EXPECT_EQ(service.get("/projekte/" + number + "/dachanalyse", key).status, 200);
  EXPECT_EQ(service.get("/projekte/" + number + "/modell", key).code(), "modell_fehlt");
  EXPECT_EQ(location(anna.post(project, {{"tat", "speichern"}})), project + "?meldung=gespeichert");
  EXPECT_EQ(service.get("/projekte/" + number + "/modell", key).status, 200);
  EXPECT_EQ(service.get("/projekte/" + number + "/orthofoto", key).status, 200);
  const Reply economics = anna.get(project + "/wirtschaftlichkeit");
  EXPECT_TRUE(says(economics, "Kapitalwert"));
  EXPECT_EQ(anna.get(project + "/wirtschaftlichkeit.csv").headers.at("content-type"),
            "text/csv; charset=utf-8");

  static const std::regex kId("id=\"schluessel-([0-9a-f]{12})\"");
  std::smatch id;
  const std::string keys = anna.get("/schluessel").body;
  ASSERT_TRUE(std::regex_search(keys, id, kId));
  EXPECT_TRUE(says(anna.post("/schluessel", {{"tat", "widerrufen"}, {"schluessel", id[1]}}), "Häkchen"));
  EXPECT_EQ(service.get("/projekte", key).status, 200);
  anna.post("/schluessel", {{"tat", "widerrufen"}, {"schluessel", id[1]}, {"bestaetigt", "ja"}});
  EXPECT_EQ(service.get("/projekte", key).code(), "schluessel_ungueltig");
}

/// "115,6" of a German page, rounded.
std::string rounded(std::string text) {
  std::replace(text.begin(), text.end(), ',', '.');
  return std::to_string(std::lround(std::stod(text)));
}

TEST(FrontPage, ShowsOfItsExampleWhatTheServiceAnswersForThatHouse) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(geo::write_sample_region({.out_dir = folder.path("region")}));
  const RunningService service(test::kNoLimits, folder.path("region/geodata.json"));
  WebVisitor anna(service);
  const std::string front = anna.get("/").body;
  const std::string example = "Lindenstraße 2, 86987 Lerchenmoos";
  EXPECT_NE(front.find("Beispiel: " + example), std::string::npos);
  const auto& addresses = test::sample_region().addresses;
  const auto house = std::find(addresses.begin(), addresses.end(), example);
  ASSERT_NE(house, addresses.end());
  anna.join(kAnna, kPassword);
  const std::string page = anna.get(anna.project(static_cast<std::size_t>(house - addresses.begin()))).body;
  // Of the second surface, which the front page shows.
  const std::regex area(R"(<dd>([0-9,]+) m²<span class="error-span">± ([0-9,]+) m²)");
  auto surface = std::sregex_iterator(page.begin(), page.end(), area);
  ASSERT_NE(surface, std::sregex_iterator());
  ASSERT_NE(++surface, std::sregex_iterator());
  EXPECT_NE(front.find("<dd>" + rounded((*surface)[1]) + " m² <span class=\"muted\">± " +
                       rounded((*surface)[2]) + " m²"),
            std::string::npos)
      << (*surface)[0];
  for (const char* figure : {"35,0°", "4.509", "1.025"}) {
    EXPECT_NE(front.find(figure), std::string::npos) << figure;
    EXPECT_NE(page.find(figure), std::string::npos) << figure;
  }
}

TEST_F(Web, AFormForAKeyThatIsSentAgainMakesNoSecondOne) {
  anna.join(kAnna, kPassword);
  const Form form{{"tat", "anlegen"}, {"name", "Büro"}, {"schluessel_zahl", "0"}};
  EXPECT_TRUE(says(anna.get("/schluessel"), R"(name="schluessel_zahl" value="0")"));
  EXPECT_TRUE(says(anna.post("/schluessel", form), "Neuer Schlüssel: Büro"));
  const Reply again = anna.post("/schluessel", form);
  EXPECT_TRUE(says(again, "kein weiterer Schlüssel angelegt"));
  EXPECT_FALSE(says(again, "Neuer Schlüssel: Büro"));
  EXPECT_TRUE(says(again, R"(value="Büro")")) << "what was typed is not lost";
  EXPECT_TRUE(says(anna.get("/schluessel"), R"(name="schluessel_zahl" value="1")"));
}

TEST_F(Web, AReplacedKeyIsRevokedOnItsPageAndNotReplacedAgain) {
  anna.join(kAnna, kPassword);
  const std::string key = anna.key();
  const std::string id = actors::key_id(actors::fingerprint_of(key));
  const Form replacement{{"tat", "ersetzen"}, {"schluessel", id}, {"ueberlappung_h", "168"}};
  EXPECT_TRUE(says(anna.post("/schluessel", replacement), "Neuer Schlüssel"));
  EXPECT_TRUE(says(anna.post("/schluessel", replacement), "ist schon ersetzt"));
  EXPECT_EQ(service.get("/projekte", key).status, 200);
  const Form revocation{{"tat", "widerrufen"}, {"schluessel", id}, {"bestaetigt", "ja"}};
  EXPECT_EQ(location(anna.post("/schluessel", revocation)), "/schluessel?meldung=widerrufen");
  EXPECT_EQ(service.get("/projekte", key).code(), "schluessel_ungueltig");
  const Form nothing{{"tat", "widerrufen"}, {"schluessel", "0123456789ab"}, {"bestaetigt", "ja"}};
  EXPECT_TRUE(says(anna.post("/schluessel", nothing), "nicht geklappt"));
}

TEST_F(Web, WhatWasAcknowledgedOutlivesAKill) {
  ASSERT_EQ(anna.post("/registrieren", {{"email", kAnna}, {"passwort", kPassword}}).status, 200);
  service.kill_9();
  service.start();
  const std::string link = test::mailed_path(service, kAnna);
  ASSERT_EQ(anna.post(link, {{"tat", "bestaetigen"}, {"passwort", kPassword}}).status, 303);
  service.kill_9();
  service.start();
  EXPECT_EQ(anna.get("/konto").status, 200);
  const std::string project = anna.project(0, "Haus");
  ASSERT_EQ(anna.post(project, {{"tat", "umbenennen"}, {"name", "Neuer Name"}}).status, 303);
  ASSERT_EQ(anna.post(project, {{"tat", "speichern"}}).status, 303);
  const std::string key = anna.key();
  service.kill_9();
  service.start();
  EXPECT_TRUE(says(anna.get(project), "Neuer Name"));
  EXPECT_EQ(service.get(project + "/modell", key).status, 200);
  ASSERT_EQ(anna.post(project, {{"tat", "loeschen"}, {"bestaetigt", "ja"}}).status, 303);
  service.kill_9();
  service.start();
  EXPECT_EQ(anna.get(project).status, 404);
  EXPECT_EQ(service.get(project + "/dachanalyse", key).code(), "projekt_unbekannt");
}

}  // namespace
