// The web application of the real program: the way from the front page to a key that works, and what must
// never happen on it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "actors/accounts/key_text.hpp"
#include "geo/sample_region/sample_region.hpp"
#include "http/web/pages/page_routes.hpp"
#include "tests/http/service/web_visitor.hpp"

namespace {

using test::Form;
using test::Reply;
using test::RunningService;
using test::WebVisitor;

constexpr auto kPassword = "grünes Haus am Hang";
constexpr auto kAnna = "anna@example.org";
constexpr auto kBert = "bert@example.org";

std::string location(const Reply& reply) {
  const auto found = reply.headers.find("location");
  return found == reply.headers.end() ? std::string() : found->second;
}

bool says(const Reply& reply, const std::string& text) { return reply.body.find(text) != std::string::npos; }

/// A route's path with values for its placeholders.
std::string path_of(const http::PageRoute& route, const std::string& project = "1") {
  std::string path(route.named.path);
  path = std::regex_replace(path, std::regex(R"(\{projekt_id\})"), project);
  path = std::regex_replace(path, std::regex(R"(\{token\})"), std::string(43, 'A'));
  return std::regex_replace(path, std::regex(R"(\{name\})"), "ergebnis.json");
}

struct Web : ::testing::Test {
  RunningService service{test::kNoLimits};
  WebVisitor anna{service};
};

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

TEST_F(Web, AButtonThatThereIsNotIsTold) {
  anna.join(kAnna, kPassword);
  for (const std::string& page :
       {std::string("/schluessel"), std::string("/konto"), anna.project(0, "Haus")}) {
    const Reply reply = anna.post(page, {{"tat", "fliegen"}});
    EXPECT_EQ(reply.status, 422) << page;
    EXPECT_TRUE(says(reply, "Laden Sie die Seite neu")) << page;
  }
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

TEST_F(Web, WhoseAddressAStrangerUsedGetsNoAccountOfHis) {
  WebVisitor stranger(service);
  stranger.post("/registrieren", {{"email", kAnna}, {"passwort", kPassword}});
  const std::string link = test::mailed_path(service, kAnna);
  const Reply refused = anna.post(link, {{"tat", "bestaetigen"}, {"passwort", "mein eigenes Passwort"}});
  EXPECT_EQ(refused.status, 422);
  EXPECT_TRUE(says(refused, "Mit diesem Passwort wurde das Konto nicht angefragt")) << refused.body;
  EXPECT_TRUE(anna.cookie().empty());
  EXPECT_EQ(stranger.post("/anmelden", {{"email", kAnna}, {"passwort", kPassword}}).status, 422);
  EXPECT_EQ(anna.post(link, {{"tat", "bestaetigen"}, {"passwort", kPassword}}).status, 303);
  const Reply again = anna.post(link, {{"tat", "bestaetigen"}, {"passwort", kPassword}});
  EXPECT_EQ(again.status, 422);
  EXPECT_TRUE(says(again, "Dieser Link gilt nicht mehr")) << again.body;
}

TEST_F(Web, AStrangersAddressIsThereAgainAfterTheMailsClick) {
  const auto way_after_sign_up = [&](const std::string& email, const std::string& way) {
    WebVisitor stranger(service);
    const Reply sent =
        stranger.post("/registrieren", {{"email", email}, {"passwort", kPassword}, {"weiter", way}});
    EXPECT_TRUE(says(sent, "kein Mailserver")) << "mails become files here";
    return location(
        stranger.post(test::mailed_path(service, email), {{"tat", "bestaetigen"}, {"passwort", kPassword}}));
  };
  WebVisitor stranger(service);
  const std::string form = stranger.get(location(stranger.get("/projekte/neu?adresse=H%C3%B6he%201"))).body;
  EXPECT_NE(form.find("href=\"/anmelden?weiter=/projekte/neu%3Fadresse%3DH%25C3%25B6he%25201\""),
            std::string::npos)
      << form;
  EXPECT_EQ(way_after_sign_up(kAnna, "/projekte/neu?adresse=H%C3%B6he%201"),
            "/projekte/neu?adresse=H%C3%B6he%201&meldung=willkommen");
  EXPECT_EQ(way_after_sign_up(kBert, "//boese.example/"), "/projekte?meldung=willkommen");
  WebVisitor signed_out(service);
  signed_out.use_cookie("sitzung=" + std::string(38, 'A'));
  EXPECT_TRUE(location(signed_out.get("/projekte/neu")).starts_with("/anmelden")) << "was here before";
}

TEST_F(Web, EveryPageHasAllThatItsTemplateNames) {
  anna.join(kAnna, kPassword);
  const std::string project = anna.project(0);
  anna.key();
  anna.post(project, {{"tat", "speichern"}});
  for (const auto& route : http::page_table())
    if (route.named.method == "GET") anna.get(path_of(route, project.substr(project.rfind('/') + 1)));
  for (const Form& form : {Form{{"tat", "umbenennen"}, {"name", ""}}, Form{{"tat", "neu_berechnen"}},
                           Form{{"tat", "loeschen"}}, Form{{"tat", "gibtsnicht"}}})
    anna.post(project, form);
  anna.post("/projekte/neu", {{"adresse", "Nirgendwo 99, 00000 Nirgends"}, {"jahresverbrauch_kwh", "x"}});
  anna.post("/konto", {{"tat", "passwort_aendern"}, {"passwort", "falsch"}, {"passwort_neu", "kurz"}});
  anna.post("/schluessel", {{"tat", "anlegen"}, {"name", " "}});
  EXPECT_EQ(service.log().find("a page has a gap"), std::string::npos) << service.log();
  EXPECT_EQ(service.log().find("a page failed"), std::string::npos) << service.log();
}

TEST_F(Web, NoPageOfASessionIsCachedAndEveryPageHasTheStrictPolicy) {
  anna.join(kAnna, kPassword);
  for (const char* path : {"/", "/projekte", "/projekte/neu", "/schluessel", "/verbrauch", "/konto",
                           "/konto/daten.json", "/gibt/es/nicht", "/projekte/99"}) {
    const Reply page = anna.get(path);
    EXPECT_EQ(page.headers.at("cache-control"), "no-store") << path;
    const std::string policy = page.headers.at("content-security-policy");
    EXPECT_EQ(policy.find("unsafe"), std::string::npos) << path;
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos) << path;
  }
}

TEST_F(Web, OneWhoIsNotSignedInSeesNothingOfAnybody) {
  WebVisitor stranger(service);
  for (const auto& route : http::page_table()) {
    if (!route.signed_in) continue;
    const std::string path = path_of(route);
    const Reply reply =
        route.named.method == "GET" ? stranger.get(path) : stranger.post(path, {{"tat", "x"}});
    EXPECT_EQ(reply.status, 303) << path;
    EXPECT_TRUE(location(reply).starts_with(route.for_newcomers ? "/registrieren" : "/anmelden")) << path;
  }
}

TEST_F(Web, TwoAccountsNeverSeeEachOther) {
  anna.join(kAnna, kPassword);
  const std::string project = anna.project(0, "Annas Geheimnis");
  anna.post(project, {{"tat", "speichern"}});
  WebVisitor bert(service);
  bert.join(kBert, kPassword);
  for (const std::string part : {"", "/wirtschaftlichkeit", "/wirtschaftlichkeit.csv", "/datei/ergebnis.json",
                                 "/datei/modell.glb", "/datei/uebersicht.svg", "/datei/flaechen.geojson"}) {
    const Reply reply = bert.get(project + part);
    EXPECT_EQ(reply.status, 404) << part;
    EXPECT_FALSE(says(reply, "Geheimnis")) << part;
  }
  for (const char* deed : {"speichern", "umbenennen", "loeschen", "neu_berechnen_wie_zuvor"})
    EXPECT_EQ(bert.post(project, {{"tat", deed}, {"name", "Berts"}, {"bestaetigt", "ja"}}).status, 404)
        << deed;
  for (const char* list :
       {"/projekte", "/projekte?suche=Geheimnis", "/projekte/punkte.json", "/konto/daten.json"})
    EXPECT_FALSE(says(bert.get(list), "Annas")) << list;
  EXPECT_TRUE(says(anna.get(project), "Annas Geheimnis"));
  const std::string key = anna.key();
  static const std::regex kId("id=\"schluessel-([0-9a-f]{12})\"");
  std::smatch id;
  const std::string keys = anna.get("/schluessel").body;
  ASSERT_TRUE(std::regex_search(keys, id, kId));
  bert.post("/schluessel", {{"tat", "widerrufen"}, {"schluessel", id[1]}, {"bestaetigt", "ja"}});
  EXPECT_EQ(service.get("/projekte", key).status, 200);
}

TEST_F(Web, TheGeoJsonNamesItsSourcesAndEachSurfacesErrors) {
  anna.join(kAnna, kPassword);
  const auto json = anna.get(anna.project(0) + "/datei/flaechen.geojson").json();
  EXPECT_FALSE(json.at("quellen").get<std::string>().empty());
  ASSERT_FALSE(json.at("features").empty());
  for (const auto& feature : json.at("features")) {
    EXPECT_EQ(feature.at("properties").at("adresse"), test::sample_region().addresses.at(0));
    EXPECT_GE(feature.at("properties").at("gebaeude").get<int>(), 1);
    for (const char* error : {"neigung_fehler_grad", "azimut_fehler_grad", "dachflaeche_fehler_m2"})
      EXPECT_GT(feature.at("properties").at(error).get<double>(), 0) << error;
    for (const auto& ring : feature.at("geometry").at("coordinates")) EXPECT_EQ(ring.front(), ring.back());
  }
}

TEST_F(Web, WhatSomebodyTakesAlongIsAllThatWasTyped) {
  anna.join(kAnna, kPassword);
  anna.project(0, "Omas Haus");
  const auto all = anna.get("/konto/daten.json").json();
  const auto& project = all["projekte"].at(0);
  EXPECT_EQ(project["adresse"], test::sample_region().addresses.at(0));
  EXPECT_EQ(project["name"], "Omas Haus");
  EXPECT_EQ(project["jahresverbrauch_kwh"], 4500);
  EXPECT_EQ(project["lastprofil"], "H0");
  EXPECT_EQ(project["land"], "DE");
  EXPECT_GT(project["angelegt_ms"].get<std::int64_t>(), 0);
  EXPECT_FALSE(project["ergebnis"].is_null());
  EXPECT_EQ(all["ergebnisse_ausgelassen"], false);
}

TEST(WebLimits, ARefusedRecalculationKeepsWhatWasTyped) {
  RunningService service({"--limits.create-per-hour=1"});
  WebVisitor anna(service);
  anna.join(kAnna, kPassword);
  const std::string project = anna.project(0);
  const Reply refused =
      anna.post(project, {{"tat", "neu_berechnen"}, {"jahresverbrauch_kwh", "6.321"}, {"lastprofil", "G1"}});
  EXPECT_TRUE(says(refused, "6.321")) << refused.status;
  EXPECT_TRUE(says(refused, "value=\"G1\" selected")) << refused.body;
}

TEST_F(Web, AFormOfAForeignPageIsRefused) {
  anna.join(kAnna, kPassword);
  const Form form{{"tat", "anlegen"}, {"name", "Diebesgut"}};
  EXPECT_EQ(anna.post("/schluessel", form, {{"Origin", "https://boese.example"}}).status, 403);
  EXPECT_EQ(anna.post("/schluessel", form, {{"Sec-Fetch-Site", "cross-site"}}).status, 403);
  EXPECT_FALSE(says(anna.get("/schluessel"), "Diebesgut"));
}

TEST_F(Web, ScriptsInEveryFieldStayText) {
  const std::string script = "<script>alert(1)</script>";
  anna.join(kAnna, kPassword);
  const std::string project = anna.project(0, script);
  anna.key(script);
  for (const std::string& page :
       {anna.get(project).body, anna.get("/projekte").body, anna.get("/schluessel").body,
        anna.get("/projekte?suche=" + http::url_encoded(script)).body,
        anna.get(project + "/wirtschaftlichkeit?strompreis=" + http::url_encoded(script)).body,
        anna.post("/projekte/neu", {{"adresse", script}, {"name", script}}).body,
        anna.post("/anmelden", {{"email", script}, {"passwort", script}, {"weiter", script}}).body,
        anna.get("/anmelden?weiter=" + http::url_encoded(script)).body,
        anna.get("/projekte?meldung=" + http::url_encoded(script)).body})
    EXPECT_EQ(page.find(script), std::string::npos);
}

TEST_F(Web, ASignInLeadsOnlyToOurOwnPages) {
  anna.join(kAnna, kPassword);
  for (const auto& [wanted, led] :
       std::map<std::string, std::string>{{"/konto", "/konto"},
                                          {"//boese.example/", "/projekte"},
                                          {"https://boese.example/", "/projekte"},
                                          {"/\\boese.example", "/projekte"},
                                          {"/konto\r\nSet-Cookie: a=b", "/projekte"}}) {
    WebVisitor visitor(service);
    const Reply reply =
        visitor.post("/anmelden", {{"email", kAnna}, {"passwort", kPassword}, {"weiter", wanted}});
    EXPECT_TRUE(reply.status == 400 || location(reply) == led) << wanted << " " << location(reply);
  }
}

TEST_F(Web, AFormThatComesAfterItsSessionEndedIsThereAgainAfterTheSignIn) {
  anna.join(kAnna, kPassword);
  WebVisitor late(service);
  const Reply led = late.post("/projekte/neu", {{"tat", "anlegen"},
                                                {"adresse", "Höhe 1 & <b>"},
                                                {"name", "Omas Haus"},
                                                {"jahresverbrauch_kwh", "4711"},
                                                {"lastprofil", "G0"}});
  const std::string way = location(led);
  ASSERT_TRUE(way.starts_with("/anmelden?weiter=/projekte/neu%3F")) << way;
  const std::string form = late.get(way).body;
  const auto field = std::regex(R"re(name="weiter" value="([^"]*)")re");
  std::smatch wanted;
  ASSERT_TRUE(std::regex_search(form, wanted, field)) << form;
  const std::string weiter = std::regex_replace(wanted.str(1), std::regex("&amp;"), "&");
  const Reply again = late.post("/anmelden", {{"email", kAnna}, {"passwort", kPassword}, {"weiter", weiter}});
  const Reply page = late.get(location(again));
  for (const char* typed : {"Höhe 1 &amp; &lt;b&gt;", "Omas Haus", "4711", "value=\"G0\" selected"})
    EXPECT_TRUE(says(page, typed)) << typed << page.body;
  WebVisitor other(service);
  EXPECT_EQ(location(other.post("/konto", {{"tat", "abmelden"}})), "/anmelden?weiter=/konto");
  EXPECT_EQ(location(other.post("/konto", {{"tat", "passwort"}, {"passwort", kPassword}})),
            "/anmelden?weiter=/konto")
      << "no secret goes into an address";
}

TEST_F(Web, AWrongPasswordAndAnUnknownAddressGetTheSamePage) {
  anna.join(kAnna, kPassword);
  WebVisitor visitor(service);
  const auto page = [&](const std::string& email) {
    const Reply reply = visitor.post("/anmelden", {{"email", email}, {"passwort", "ein falsches Passwort"}});
    EXPECT_EQ(reply.status, 422);
    return std::regex_replace(reply.body, std::regex(email), "");
  };
  EXPECT_EQ(page(kAnna), page("niemand@example.org"));
  const auto sent = [&](const std::string& email) {
    return std::regex_replace(visitor.post("/passwort", {{"email", email}}).body, std::regex(email), "");
  };
  EXPECT_EQ(sent(kAnna), sent("niemand@example.org"));
}

TEST_F(Web, WhoGuessesTooOftenIsToldWhenToComeBack) {
  anna.join(kAnna, kPassword);
  const auto turned_away = [](WebVisitor& visitor, const std::string& path, const test::Form& guess) {
    Reply reply = visitor.post(path, guess);
    for (int i = 0; i < 100 && reply.status == 422; ++i) reply = visitor.post(path, guess);
    EXPECT_EQ(reply.status, 429);
    EXPECT_TRUE(says(reply, "Zu viele Versuche"));
    EXPECT_GT(std::stoi(reply.headers["retry-after"]), 0);
  };
  WebVisitor stranger(service);
  turned_away(stranger, "/anmelden", {{"email", kAnna}, {"passwort", "geraten"}});
  turned_away(anna, "/konto",
              {{"tat", "passwort_aendern"}, {"passwort", "geraten"}, {"passwort_neu", "ein neues Passwort"}});
}

TEST_F(Web, ASessionIsNewAtEverySignInAndEndsEverywhere) {
  anna.join(kAnna, kPassword);
  const std::string stolen = anna.cookie();
  WebVisitor fixed(service);
  fixed.use_cookie("sitzung=" + std::string(38, 'A'));
  fixed.post("/anmelden", {{"email", kAnna}, {"passwort", kPassword}});
  EXPECT_NE(fixed.cookie(), "sitzung=" + std::string(38, 'A'));
  EXPECT_EQ(fixed.get("/konto").status, 200);
  fixed.post("/konto", {{"tat", "ueberall_abmelden"}});
  WebVisitor thief(service);
  thief.use_cookie(stolen);
  EXPECT_EQ(thief.get("/konto").status, 303);
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

TEST_F(Web, APageIsMadeAnewWhenWhatItShowsHasChanged) {
  anna.join(kAnna, kPassword);
  const std::string project = anna.project(0, "Haus");
  const std::string page = anna.get(project).body, list = anna.get("/projekte").body;
  EXPECT_EQ(anna.get(project).body, page);
  EXPECT_EQ(anna.get("/projekte").body, list);
  const std::string economics = project + "/wirtschaftlichkeit", account = anna.get("/konto").body;
  const std::string counted = anna.get(economics).body,
                    stored = anna.get(economics + "?speicher_kwh=10").body;
  EXPECT_NE(counted, stored);
  EXPECT_EQ(anna.get(economics).body, counted);
  EXPECT_EQ(anna.get(economics + "?speicher_kwh=10").body, stored);
  EXPECT_EQ(anna.get("/konto").body, account);
  EXPECT_TRUE(says(anna.get("/konto?meldung=email"), "Die neue E-Mail-Adresse gilt"));
  ASSERT_EQ(anna.post(project, {{"tat", "umbenennen"}, {"name", "Neuer Name"}}).status, 303);
  EXPECT_TRUE(says(anna.get(project), "Neuer Name"));
  EXPECT_TRUE(says(anna.get(economics), "Neuer Name"));
  EXPECT_TRUE(says(anna.get("/projekte"), "Neuer Name"));
  ASSERT_EQ(anna.post(project, {{"tat", "speichern"}}).status, 303);
  EXPECT_TRUE(says(anna.get(project), "gespeichert am"));
  EXPECT_TRUE(says(anna.get("/"), "Abmelden"));
  EXPECT_FALSE(says(WebVisitor(service).get("/"), "Abmelden"));
  anna.post("/abmelden", {{"tat", "abmelden"}});
  EXPECT_FALSE(says(anna.get("/"), "Abmelden"));
}

TEST_F(Web, AClosedAccountIsGone) {
  anna.join(kAnna, kPassword);
  anna.project(0);
  const std::string key = anna.key();
  EXPECT_TRUE(
      says(anna.post("/konto", {{"tat", "konto_loeschen"}, {"passwort", "falsch"}, {"bestaetigt", "ja"}}),
           "Das Passwort stimmt nicht."));
  EXPECT_EQ(location(anna.post("/konto",
                               {{"tat", "konto_loeschen"}, {"passwort", kPassword}, {"bestaetigt", "ja"}})),
            "/?meldung=konto_geloescht");
  EXPECT_EQ(service.get("/projekte", key).code(), "schluessel_ungueltig");
  EXPECT_EQ(anna.post("/anmelden", {{"email", kAnna}, {"passwort", kPassword}}).status, 422);
}

TEST_F(Web, TheApisClientsGetTheApisAnswers) {
  const Reply mistyped = service.unchecked("GET", "/projekt", "", {{"Accept", "*/*"}});
  EXPECT_EQ(mistyped.code(), "pfad_unbekannt");
  const Reply keyed = service.unchecked("GET", "/projekte", "", {{"X-API-Key", service.new_key()}});
  EXPECT_EQ(keyed.code(), "pfad_unbekannt");
  anna.join(kAnna, kPassword);
  const Reply session = service.unchecked("GET", "/api/v1/projekte", "", {{"Cookie", anna.cookie()}});
  EXPECT_EQ(session.code(), "schluessel_fehlt");
}

TEST_F(Web, AListsPicturesDoNotUseUpTheAddressesLimit) {
  RunningService few({"--limits.address-per-hour=40"});
  WebVisitor visitor(few);
  visitor.join(kAnna, kPassword);
  const std::string project = visitor.project(0);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(visitor.get(project + "/datei/uebersicht.svg").status, 200);
  WebVisitor stranger(few);
  int turned_away = 0;
  for (int i = 0; i < 60; ++i)
    turned_away += stranger.get(project + "/datei/uebersicht.svg").status == 429 ? 1 : 0;
  EXPECT_GE(turned_away, 20);
}

TEST_F(Web, StylesAreKeptForGoodUnderTheNameOfTheirBytes) {
  std::smatch style;
  const std::string front = anna.get("/").body;
  ASSERT_TRUE(std::regex_search(front, style, std::regex(R"(href="(/datei/roof\.[0-9a-f]{12}\.css)\")")));
  const Reply css = anna.get(style[1]);
  EXPECT_EQ(css.status, 200);
  EXPECT_EQ(css.headers.at("content-type"), "text/css; charset=utf-8");
  EXPECT_NE(css.headers.at("cache-control").find("immutable"), std::string::npos);
  EXPECT_EQ(anna.get("/favicon.ico").headers.at("content-type"), "image/svg+xml");
  EXPECT_EQ(anna.get("/datei/roof.css").status, 404);
  EXPECT_EQ(anna.get("/datei/layout.html").status, 404);
}

TEST(WebSettings, SignUpCanBeClosedAndThePagesSwitchedOff) {
  RunningService closed({"--web.sign-up=closed"});
  WebVisitor visitor(closed);
  EXPECT_TRUE(says(visitor.get("/registrieren"), "Keine neuen Konten"));
  EXPECT_FALSE(says(visitor.get("/"), "href=\"/registrieren\""));
  RunningService off({"--web.pages=off"});
  EXPECT_EQ(WebVisitor(off).get("/").code(), "pfad_unbekannt");
}

TEST(WebSettings, PasskeysAreOfferedWhereBrowsersGiveThem) {
  RunningService by_name({"--http.web-url=http://localhost:{port}"});
  WebVisitor visitor(by_name);
  EXPECT_TRUE(says(visitor.get("/anmelden"), "passkey-anmelden"));
  const Reply question = visitor.get("/anmelden/passkey");
  EXPECT_EQ(question.json().at("host"), "localhost");
  EXPECT_NE(question.json().at("frage"), visitor.get("/anmelden/passkey").json().at("frage"));
  const test::Form proof{{"tat", "passkey"},
                         {"frage", question.json().at("frage")},
                         {"nutzer", "AAAAAAAAAAE"},
                         {"kennung", "QUJD"},
                         {"client_data", "e30"},
                         {"authenticator_data", "****"},
                         {"signatur", std::string(4000, 'A')}};
  const std::string port = std::to_string(by_name.port());
  const Reply forged = visitor.post("/anmelden", proof, {{"Origin", "http://localhost:" + port}});
  EXPECT_EQ(forged.status, 422);
  EXPECT_TRUE(says(forged, "gehört zu keinem Konto"));
  RunningService by_figures;
  WebVisitor other(by_figures);
  EXPECT_FALSE(says(other.get("/anmelden"), "passkey-anmelden"));
  EXPECT_EQ(other.get("/anmelden/passkey").status, 404);
}

}  // namespace
