// The web application's pages in a browser: the way from sign-up to economics, with and without JavaScript.
#include <gtest/gtest.h>

#include "tests/browser/member.hpp"
#include "tests/browser/page_checks.hpp"

namespace {

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
}

TEST(WebPages, LeadFromSignUpToAResultAndARevokedKeyWithoutJavaScript) {
  test::Member anna({.javascript = false});
  anna.sign_up();
  const std::string project = anna.finished_project();
  EXPECT_NE(anna.browser.text("#flaeche-1").find("±"), std::string::npos);
  for (const char* needs_script : {"#modell", "[data-kopieren]"})
    EXPECT_FALSE(anna.browser.script(
        "return document.querySelector(arguments[0])?.checkVisibility() ?? false", {needs_script}))
        << needs_script;
  anna.browser.open(project + "/wirtschaftlichkeit");
  EXPECT_NE(anna.browser.text().find("Autarkie"), std::string::npos);

  anna.browser.open(anna.site + "/schluessel");
  anna.browser.type("#name", "Angebotsrechner");
  anna.browser.submit("#name");
  const std::string key = anna.browser.text("#neuer-schluessel");
  anna.browser.click("tr.more-row summary");
  anna.browser.click("[name=bestaetigt]");
  anna.browser.click("[value=widerrufen]");
  EXPECT_NE(anna.browser.text("tr[id^=schluessel-]").find("widerrufen"), std::string::npos);
  EXPECT_EQ(anna.browser.text().find(key), std::string::npos) << "a key is shown once";
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
  tab_to(browser, "main form button");
  browser.press(test::key::kEnter);
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
