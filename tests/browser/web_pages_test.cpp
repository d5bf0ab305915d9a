// The web application's pages in a browser: the way from sign-up to economics, with and without JavaScript.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "geo/economics/cash_flow.hpp"
#include "tests/browser/member.hpp"
#include "tests/browser/page_checks.hpp"
#include "tests/browser/page_server.hpp"

namespace {

using test::Browser;

/// The form's own checks off, so that the service's answer is seen.
void send_unchecked(Browser& browser, const std::string& button) {
  browser.script("document.querySelectorAll('form').forEach(form => form.noValidate = true)");
  browser.click(button);
}

TEST(WebPages, AreGoodPagesFromTheFrontPageToTheEconomics) {
  test::Member anna;
  for (const char* page : {"/", "/registrieren", "/anmelden", "/passwort", "/lizenzen"}) {
    SCOPED_TRACE(page);
    anna.browser.open(anna.site + page);
    expect_good_page(anna.browser);
  }
  anna.sign_up();
  const std::string project = anna.finished_project();
  for (const std::string& page :
       {project, project + "/wirtschaftlichkeit", anna.site + "/projekte", anna.site + "/schluessel",
        anna.site + "/verbrauch", anna.site + "/konto"}) {
    SCOPED_TRACE(page);
    anna.browser.open(page);
    expect_good_page(anna.browser);
  }
  anna.browser.open(project + "/wirtschaftlichkeit?preis_ct=viel&jahre=900");
  EXPECT_TRUE(anna.browser.exists("[aria-invalid=true]"));
  expect_good_page(anna.browser);
  anna.browser.open(project);
  anna.browser.click("[value=speichern]");
  expect_good_page(anna.browser);
}

void expect_good_pages(Browser& browser, const std::string& site, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    browser.open(site + path);
    expect_good_page(browser);
  }
}

TEST(WebPages, OfTheOperatorAndOfAServiceWithoutSignUpAreGoodPages) {
  const test::TemporaryFolder folder;
  const std::string text = folder.path("text.txt");
  std::ofstream(text) << "Musterhaus GmbH\n\n# Anschrift\n\nAm Hang 1\n8010 Graz\n\npost@example.org\n";
  const test::RunningService service(
      {"--web.imprint=" + text, "--web.privacy=" + text, "--web.sign-up=closed"});
  Browser browser;
  expect_good_pages(browser, "http://localhost:" + std::to_string(service.port()),
                    {"/impressum", "/datenschutz", "/registrieren", "/anmelden", "/"});
}

TEST(WebPages, OfMailsLinksAreGoodPagesAlsoWhenTheyAreDeadOrTriedTooOften) {
  test::Member anna;
  Browser& browser = anna.browser;
  expect_good_pages(browser, anna.site, {"/bestaetigen/keiner", "/passwort/keiner", "/konto/email/keiner"});
  anna.sign_up();
  browser.open(anna.site + "/passwort");
  browser.type("#email", anna.person.email());
  browser.submit("#email");
  expect_good_page(browser);
  const std::string link = anna.person.link_in_last_mail();
  browser.open(link);
  expect_good_page(browser);
  browser.type("#passwort", "kurz");
  send_unchecked(browser, "[value=setzen]");
  expect_good_error_page(browser);
  browser.type("#passwort", "ein ganz anderes Haus");
  browser.click("[value=setzen]");
  expect_good_page(browser);
  browser.open(link);
  expect_good_page(browser);

  test::Person late("berta@example.org", anna.person);
  browser.open(anna.site + "/registrieren");
  browser.type("#email", late.email());
  browser.type("#passwort", late.password);
  browser.submit("#passwort");
  browser.open(late.link_in_last_mail());
  constexpr int kMoreThanAreTaken = 20;
  for (int i = 0; i < kMoreThanAreTaken && !browser.exists(".notice.bad"); ++i) {
    browser.type("#passwort", "nicht dieses Passwort");
    browser.click("main form button");
  }
  EXPECT_TRUE(browser.exists(".notice.bad"));
  expect_good_error_page(browser);
}

TEST(WebPages, OfAChangeOfEmailAndOfTheAccountsEndAreGoodPages) {
  test::Member anna;
  Browser& browser = anna.browser;
  anna.sign_up();
  test::Person new_address("neu@example.org", anna.person);
  const auto ask = [&](const std::string& password) {
    browser.open(anna.site + "/konto");
    browser.type("#email-neu", new_address.email());
    browser.type("#passwort-email", password);
    browser.click("[value=email_aendern]");
  };
  ask("nicht dieses Passwort");
  expect_good_error_page(browser);
  ask(anna.person.password);
  expect_good_page(browser);
  const std::string link = new_address.link_in_last_mail();
  browser.open(link);
  expect_good_page(browser);
  browser.click("main form button");
  expect_good_page(browser);
  browser.open(link);
  expect_good_page(browser);

  browser.open(anna.site + "/konto");
  browser.type("#passwort-loeschen", "nicht dieses Passwort");
  browser.click("#konto-bestaetigt");
  browser.click("[value=konto_loeschen]");
  expect_good_error_page(browser);
  browser.type("#passwort-loeschen", anna.person.password);
  browser.click("#konto-bestaetigt");
  browser.click("[value=konto_loeschen]");
  expect_good_page(browser);
}

TEST(WebPages, OfSomebodyWhoIsNotLetInAreGoodPages) {
  test::Member anna;
  Browser& browser = anna.browser;
  anna.sign_up();
  browser.open(anna.site + "/projekte/999");
  expect_good_error_page(browser);
  browser.forget_cookies();
  for (const char* wanted : {"/konto", "/projekte/neu"}) {
    browser.open(anna.site + wanted);
    expect_good_page(browser);
  }
  browser.open(anna.site + "/anmelden");
  browser.type("#email", anna.person.email());
  browser.type("#passwort", "nicht dieses Passwort");
  browser.submit("#passwort");
  expect_good_error_page(browser);
}

/// What no page of ours sends.
TEST(WebPages, OfRequestsThatAreRefusedAreGoodPages) {
  test::Member anna;
  Browser& browser = anna.browser;
  browser.open(anna.site + "/anmelden?weiter=%ff");
  expect_good_error_page(browser);
  browser.open(anna.site + "/abmelden");
  expect_good_error_page(browser);
  browser.open(anna.site + "/anmelden");
  browser.script(
      "const field = document.querySelector('#passwort'); field.removeAttribute('maxlength');"
      "field.value = 'x'.repeat(5000)");
  send_unchecked(browser, "[value=anmelden]");
  EXPECT_NE(browser.text().find("zu groß"), std::string::npos);
  expect_good_error_page(browser);
  const test::PageServer foreign({{"/", test::good_page("<form method=\"post\" action=\"" + anna.site +
                                                        "/anmelden\"><button>Los</button></form>")}});
  browser.open(foreign.url());
  browser.click("button");
  EXPECT_NE(browser.text().find("fremden Seite"), std::string::npos);
  expect_good_error_page(browser);
}

TEST(WebPages, OfSomebodyWhoAsksTooOftenIsAGoodPage) {
  const test::RunningService service({"--limits.address-per-hour=2"});
  Browser browser;
  for (int i = 0; i < 3; ++i) browser.open("http://localhost:" + std::to_string(service.port()) + "/");
  EXPECT_NE(browser.text().find("Zu viele Anfragen"), std::string::npos);
  expect_good_error_page(browser);
}

/// A long address, as people have them, must not widen a telephone's page.
TEST(WebPages, OfAStrangersMistakesAreGoodPages) {
  test::Member anna(
      test::Person("anna-katharina.groesswang-uebelhoer@kirchengemeinde-sankt-poelten.example.org"));
  Browser& browser = anna.browser;
  browser.open(anna.site + "/registrieren");
  browser.type("#email", anna.person.email());
  browser.type("#passwort", "kurz");
  send_unchecked(browser, "[value=registrieren]");
  expect_good_error_page(browser);
  browser.type("#passwort", anna.person.password);
  browser.click("[value=registrieren]");
  expect_good_page(browser);
  browser.open(anna.person.link_in_last_mail());
  expect_good_page(browser);
  browser.type("#passwort", "nicht dieses Passwort");
  browser.click("main form button");
  expect_good_error_page(browser);
  browser.type("#passwort", anna.person.password);
  browser.click("main form button");
  expect_good_page(browser);
  browser.open(anna.site + "/konto");
  expect_good_page(browser);
  browser.open(anna.site + "/gibt/es/nicht");
  expect_good_error_page(browser);
}

TEST(WebPages, OfAMembersMistakesAndWithoutAResultAreGoodPages) {
  test::Member anna;
  Browser& browser = anna.browser;
  anna.sign_up();
  browser.open(anna.site + "/projekte/neu");
  browser.type("#adresse", "Nirgendwo 1, 00000 Nirgends");
  browser.type("#jahresverbrauch", "viel");
  send_unchecked(browser, "main form .button.primary");
  expect_good_error_page(browser);
  browser.open(anna.site + "/schluessel");
  expect_good_page(browser);
  browser.type("#name", "Größenwahn & Söhne");
  browser.submit("#name");
  expect_good_page(browser);
  browser.click("tr.more-row summary");
  send_unchecked(browser, "[value=widerrufen]");
  EXPECT_TRUE(browser.exists(".notice.bad"));
  expect_good_error_page(browser);
  browser.click("tr.more-row summary");
  browser.click("[name=bestaetigt]");
  browser.click("[value=widerrufen]");
  expect_good_page(browser);
  browser.open(anna.site + "/projekte?suche=Würzburg");
  expect_good_page(browser);
}

TEST(WebPages, LeadFromSignUpToASavedResultAndARevokedKeyWithoutJavaScript) {
  test::Member anna({.javascript = false});
  anna.sign_up();
  const std::string project = anna.finished_project();
  EXPECT_NE(anna.browser.text("#flaeche-1").find("±"), std::string::npos);
  for (const char* needs_script : {"#modell", "[data-kopieren]"})
    EXPECT_FALSE(anna.browser.script(
        "return document.querySelector(arguments[0])?.checkVisibility() ?? false", {needs_script}))
        << needs_script;
  anna.browser.click("[value=speichern]");
  anna.browser.open(project + "/wirtschaftlichkeit");
  EXPECT_NE(anna.browser.text().find("Autarkie"), std::string::npos);

  anna.browser.open(anna.site + "/schluessel");
  anna.browser.type("#name", "Angebotsrechner");
  anna.browser.submit("#name");
  const std::string key = anna.browser.text("#neuer-schluessel");
  const std::string in_api = project.substr(anna.site.size());
  for (const char* saved : {"/dachanalyse", "/orthofoto", "/modell"})
    EXPECT_EQ(anna.service.get(in_api + saved, key).status, 200) << saved;
  anna.browser.click("tr.more-row summary");
  anna.browser.click("[name=bestaetigt]");
  anna.browser.click("[value=widerrufen]");
  EXPECT_NE(anna.browser.text("tr[id^=schluessel-]").find("widerrufen"), std::string::npos);
  EXPECT_EQ(anna.browser.text().find(key), std::string::npos) << "a key is shown once";
  EXPECT_EQ(anna.service.get("/projekte", key).status, 401);
}

TEST(WebPages, AFormOfATabThatWasSignedOutInAnotherIsThereAgain) {
  test::Member anna;
  Browser& browser = anna.browser;
  anna.sign_up();
  browser.open(anna.site + "/projekte/neu");
  browser.type("#adresse", "Am Hügel 3");
  browser.type("#jahresverbrauch", "4711");
  const std::string first = browser.tab();
  browser.new_tab();
  browser.open(anna.site + "/projekte");
  browser.click("[value=abmelden]");
  browser.use_tab(first);
  browser.submit("#adresse");
  browser.type("#email", anna.person.email());
  browser.type("#passwort", anna.person.password);
  browser.submit("#passwort");
  EXPECT_EQ(browser.value("#adresse"), "Am Hügel 3");
  EXPECT_EQ(browser.value("#jahresverbrauch"), "4711");
}

TEST(WebPages, AForeignPagesFormDoesNothing) {
  test::Member anna;
  Browser& browser = anna.browser;
  anna.sign_up();
  const test::PageServer foreign(
      {{"/", test::good_page("<form method=\"post\" action=\"" + anna.site +
                             "/schluessel\"><input name=\"tat\" value=\"anlegen\" aria-label=\"a\">"
                             "<input name=\"name\" value=\"Diebesgut\" aria-label=\"b\"><button>Los</button>"
                             "</form>")}});
  std::string neighbour = foreign.url();  // the same site to the browser, but another origin
  neighbour.replace(neighbour.find("127.0.0.1"), 9, "localhost");
  for (const std::string& page : {foreign.url(), neighbour}) {
    browser.open(page);
    browser.click("button");
    EXPECT_NE(browser.text().find("fremden Seite"), std::string::npos) << page;
  }
  browser.open(anna.site + "/schluessel");
  EXPECT_EQ(browser.text().find("Diebesgut"), std::string::npos);
}

/// "4.611 kWh" and "31,3 %" as a number.
double figure(std::string text) {
  std::erase(text, '.');
  std::replace(text.begin(), text.end(), ',', '.');
  std::erase_if(text,
                [](char c) { return std::string_view("0123456789.-").find(c) == std::string_view::npos; });
  return std::stod(text);
}

/// The figure of a single household in the row that begins so.
double household_figure(Browser& browser, const std::string& row) {
  return figure(browser
                    .script("return [...document.querySelectorAll('main table tr')].find(r => "
                            "r.innerText.startsWith(arguments[0])).querySelector('td').innerText",
                            {row})
                    .get<std::string>());
}

/// The page's energy and assumptions give its money, up to the rounding of what it shows.
TEST(WebPages, TheMoneyOnTheEconomicsPageFollowsFromItsAssumptions) {
  test::Member anna;
  Browser& browser = anna.browser;
  anna.sign_up();
  const std::string project = anna.finished_project();
  browser.open(project + "/wirtschaftlichkeit");
  browser.choose("#verguetung", "eigene");
  browser.type("#verguetung_ct", "7,86");
  browser.type("#preisanstieg_pct", "2");
  browser.submit("#preisanstieg_pct");
  const auto typed = [&](const std::string& field) { return figure(browser.value("#" + field)); };
  const std::string words = browser.text("main"), before_cost = "mit den Kosten von ";
  const double cost = figure(words.substr(words.find(before_cost) + before_cost.size(), 6));
  const geo::CashFlow money =
      geo::cash_flow({.cost = cost,
                      .operation_per_year = 0.015 * cost,
                      .generation_kwh = household_figure(browser, "Erzeugung im Jahr"),
                      .self_consumption = household_figure(browser, "Eigenverbrauch") / 100,
                      .price_per_kwh = typed("preis_ct") / 100,
                      .feed_in_per_kwh = 0.0786,
                      .price_rise = 0.02,
                      .degradation = typed("alterung_pct") / 100,
                      .discount_rate = typed("zins_pct") / 100,
                      .years = static_cast<int>(typed("jahre"))});
  EXPECT_GT(cost, 5'000);
  EXPECT_NEAR(household_figure(browser, "Kapitalwert"), money.net_present_value, 15);
  EXPECT_NEAR(household_figure(browser, "Bezahlt nach"), money.payback_years.value(), 0.1);
  EXPECT_NEAR(household_figure(browser, "Interner"), 100 * money.internal_rate.value(), 0.1);
  EXPECT_NEAR(household_figure(browser, "Gestehungskosten"), 100 * money.levelised_per_kwh.value(), 0.02);
  const std::string address = browser.url();
  browser.open(address);
  EXPECT_EQ(browser.value("#verguetung_ct"), "7,86") << "every assumption is in the address";
}

/// Presses Tab until the element has the focus.
void tab_to(test::Browser& browser, const std::string& css) {
  constexpr int kFarEnough = 100;
  for (int i = 0; i < kFarEnough; ++i) {
    if (browser.script("return document.activeElement?.matches(arguments[0]) ?? false", {css}) == true)
      return;
    browser.press(test::key::kTab);
  }
  browser.fail("Tab does not come to " + css);
}

TEST(WebPages, LeadFromSignUpToASavedResultByKeyboardAlone) {
  test::Member anna;
  test::Browser& browser = anna.browser;
  browser.open(anna.site + "/registrieren");
  tab_to(browser, "#email");
  browser.press(anna.person.email());
  tab_to(browser, "#passwort");
  browser.press(anna.person.password + test::key::kEnter);
  browser.open(anna.person.link_in_last_mail());
  tab_to(browser, "#passwort");
  browser.press(anna.person.password + test::key::kEnter);
  tab_to(browser, "a[href='/projekte/neu']");
  browser.press(test::key::kEnter);
  tab_to(browser, "#adresse");
  browser.press(test::sample_region().addresses.at(0));
  tab_to(browser, "#jahresverbrauch");
  browser.press("4500" + test::key::kEnter);
  browser.wait_for("#flaeche-1");
  tab_to(browser, "[value=speichern]");
  browser.press(test::key::kEnter);
  EXPECT_TRUE(browser.exists("#modell-zeigen"));
}

}  // namespace
