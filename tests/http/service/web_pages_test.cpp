// What holds on every page of the web application of the real program, and must never happen on one.
#include <regex>

#include "http/web/pages/page_routes.hpp"
#include "tests/http/service/web_fixture.hpp"

namespace {

using test::Form;
using test::kAnna;
using test::kBert;
using test::kPassword;
using test::location;
using test::Reply;
using test::RunningService;
using test::says;
using test::WebVisitor;
using WebPages = test::WebTest;

/// A route's path with values for its placeholders.
std::string path_of(const http::PageRoute& route, const std::string& project = "1") {
  std::string path(route.named.path);
  path = std::regex_replace(path, std::regex(R"(\{projekt_id\})"), project);
  path = std::regex_replace(path, std::regex(R"(\{token\})"), std::string(43, 'A'));
  return std::regex_replace(path, std::regex(R"(\{name\})"), "ergebnis.json");
}

TEST_F(WebPages, AButtonThatThereIsNotIsTold) {
  anna.join(kAnna, kPassword);
  for (const std::string& page :
       {std::string("/schluessel"), std::string("/konto"), anna.project(0, "Haus")}) {
    const Reply reply = anna.post(page, {{"tat", "fliegen"}});
    EXPECT_EQ(reply.status, 422) << page;
    EXPECT_TRUE(says(reply, "Laden Sie die Seite neu")) << page;
  }
}

TEST_F(WebPages, EveryPageHasAllThatItsTemplateNames) {
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

TEST_F(WebPages, NoPageOfASessionIsCachedAndEveryPageHasTheStrictPolicy) {
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

TEST_F(WebPages, OneWhoIsNotSignedInSeesNothingOfAnybody) {
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

TEST_F(WebPages, TwoAccountsNeverSeeEachOther) {
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

TEST_F(WebPages, TheGeoJsonNamesItsSourcesAndEachSurfacesErrors) {
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

TEST_F(WebPages, AFormOfAForeignPageIsRefused) {
  anna.join(kAnna, kPassword);
  const Form form{{"tat", "anlegen"}, {"name", "Diebesgut"}};
  EXPECT_EQ(anna.post("/schluessel", form, {{"Origin", "https://boese.example"}}).status, 403);
  EXPECT_EQ(anna.post("/schluessel", form, {{"Sec-Fetch-Site", "cross-site"}}).status, 403);
  EXPECT_FALSE(says(anna.get("/schluessel"), "Diebesgut"));
}

TEST_F(WebPages, ScriptsInEveryFieldStayText) {
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

TEST_F(WebPages, APageIsMadeAnewWhenWhatItShowsHasChanged) {
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

TEST_F(WebPages, TheApisClientsGetTheApisAnswers) {
  const Reply mistyped = service.unchecked("GET", "/projekt", "", {{"Accept", "*/*"}});
  EXPECT_EQ(mistyped.code(), "pfad_unbekannt");
  const Reply keyed = service.unchecked("GET", "/projekte", "", {{"X-API-Key", service.new_key()}});
  EXPECT_EQ(keyed.code(), "pfad_unbekannt");
  anna.join(kAnna, kPassword);
  const Reply session = service.unchecked("GET", "/api/v1/projekte", "", {{"Cookie", anna.cookie()}});
  EXPECT_EQ(session.code(), "schluessel_fehlt");
}

TEST_F(WebPages, AListsPicturesDoNotUseUpTheAddressesLimit) {
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

TEST_F(WebPages, StylesAreKeptForGoodUnderTheNameOfTheirBytes) {
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

}  // namespace
