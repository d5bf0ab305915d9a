// Accounts in the web application of the real program: signing up and in, sessions, what strangers must not
// do or learn, and the account's end.
#include <regex>

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
using WebAccount = test::WebTest;

TEST_F(WebAccount, WhoseAddressAStrangerUsedGetsNoAccountOfHis) {
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

TEST_F(WebAccount, AStrangersAddressIsThereAgainAfterTheMailsClick) {
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

TEST_F(WebAccount, WhatSomebodyTakesAlongIsAllThatWasTyped) {
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

TEST_F(WebAccount, ASignInLeadsOnlyToOurOwnPages) {
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

TEST_F(WebAccount, AFormThatComesAfterItsSessionEndedIsThereAgainAfterTheSignIn) {
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

TEST_F(WebAccount, AWrongPasswordAndAnUnknownAddressGetTheSamePage) {
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

TEST_F(WebAccount, WhoGuessesTooOftenIsToldWhenToComeBack) {
  anna.join(kAnna, kPassword);
  const auto turned_away = [](WebVisitor& visitor, const std::string& path, const Form& guess) {
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

TEST_F(WebAccount, ASessionIsNewAtEverySignInAndEndsEverywhere) {
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

TEST_F(WebAccount, AClosedAccountIsGone) {
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
  const Form proof{{"tat", "passkey"},
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
