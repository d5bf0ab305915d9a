// Each check finds the fault it is for, and nothing on a page that has none.
#include "tests/browser/page_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/browser/axe.hpp"
#include "tests/browser/page_server.hpp"
#include "tests/browser/screenshot_compare.hpp"

namespace {

using test::Browser;
using test::good_page;
using test::PageServer;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const kLink = "<p><a href=\"/\">Zur Übersicht</a> <code>ein_name</code></p>";
const char* const kStyle = "<link rel=\"stylesheet\" href=\"/look.css\">";

std::vector<std::string> faults_of(const std::string& page, const std::string& style = {}) {
  const PageServer pages({{"/seite", page}, {"/look.css", style}});
  Browser browser;
  browser.open(pages.url("/seite"));
  return page_faults(browser);
}

TEST(PageChecks, FindNothingOnAPageWithoutFault) {
  EXPECT_THAT(faults_of(good_page(kLink, kStyle), "body { color: #222; background: #fff }"), IsEmpty());
}

TEST(PageChecks, FindWhatIsWrongWithTheDocument) {
  std::string page = good_page("<h1>Noch eine</h1><p>{{name}} und titel_der_seite</p><img src=\"/x.png\">");
  page.replace(page.find("lang=\"de\""), 9, "lang=\"en\"");
  page.replace(page.find("Haus"), 4, "");
  const auto faults = faults_of(page);
  for (const char* fault :
       {"language \"en\"", "no title", "2 h1", "left over by a template: {{name}}",
        "like a key: titel_der_seite", "image-alt", "document-title", "Content Security Policy"})
    EXPECT_THAT(faults, Contains(HasSubstr(fault)));
}

TEST(PageChecks, FindWhatIsTooWideForATelephone) {
  const auto faults = faults_of(good_page("<p id=\"breit\">x</p>", kStyle), "#breit { width: 400px }");
  EXPECT_THAT(faults, Contains(HasSubstr("320 px: 408 px wide in 320 px")));
  EXPECT_THAT(faults, Contains(HasSubstr("p#breit")));
}

TEST(PageChecks, FindWeakContrastInTheDarkSchemeAlone) {
  const auto faults = faults_of(
      good_page("<p>Text</p>", kStyle),
      "@media (prefers-color-scheme: dark) { body { background: #000; color: #333; transition: color 9s } }");
  EXPECT_THAT(faults, Contains(HasSubstr("1280 px, dark: color-contrast")));
  EXPECT_THAT(faults, Not(Contains(HasSubstr("1280 px: color-contrast"))));
}

TEST(PageChecks, FindWhereTheKeyboardIsCaught) {
  const PageServer pages({{"/", good_page("<p><button id=\"a\">A</button><button id=\"b\">B</button></p>")}});
  Browser browser;
  browser.open(pages.url());
  browser.script("document.getElementById('a').addEventListener('keydown', e => e.preventDefault())");
  EXPECT_THAT(page_faults(browser), Contains(HasSubstr("Tab does not reach button#b")));
}

TEST(PageChecks, FindFocusThatIsNotSeen) {
  const auto faults = faults_of(
      good_page("<p><a href=\"/\" id=\"blass\">Zurück zur Übersicht</a> <button id=\"fort\">Weg</button>"
                "<button id=\"ring\">Da</button></p><svg width=\"9\" height=\"9\"><a href=\"/\" id=\"linie\" "
                "aria-label=\"Dach\"><rect width=\"9\" height=\"9\"/></a></svg><div id=\"falle\" "
                "tabindex=\"0\">x</div>",
                kStyle),
      "#blass:focus, #linie:focus { outline: none } #ring:focus { outline: none; box-shadow: 0 0 3px #00f } "
      "#linie:focus rect { stroke: #00f }");
  EXPECT_THAT(faults, Contains(HasSubstr("focus is not seen on a#blass")));
  for (const char* seen : {"#ring", "#linie", "#falle"}) EXPECT_THAT(faults, Not(Contains(HasSubstr(seen))));
}

TEST(PageChecks, FollowTheOrderOfTheKeyboard) {
  const PageServer pages(
      {{"/", good_page("<p><label><input type=\"radio\" name=\"a\">1</label><label>"
                       "<input type=\"radio\" name=\"a\">2</label><a href=\"/x\">Ende</a></p>"
                       "<p hidden><a href=\"/y\">fort</a></p><button disabled>nie</button>")}});
  for (const bool javascript : {true, false}) {
    Browser browser({.javascript = javascript});
    browser.open(pages.url());
    const auto order = focus_order(browser);
    ASSERT_EQ(order.size(), 2U);
    EXPECT_EQ(order[0].element, "input[name=a] »on«");
    EXPECT_EQ(order[1].element, "a »Ende«");
  }
}

TEST(PageChecks, ShowThePageAsBefore) {
  const PageServer pages({{"/", good_page(kLink)}});
  Browser browser({.dark = true, .width = 700});
  browser.open(pages.url());
  page_faults(browser);
  EXPECT_EQ(browser.script("return [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]"),
            nlohmann::json({700, true}));
}

TEST(Screenshots, DifferByWhatHasChangedAndNotByWhatIsHidden) {
  const PageServer pages({{"/", good_page("<p id=\"a\">Am Hang 3</p><p>gleich</p>")}});
  Browser browser({.width = 320, .height = 200});
  browser.open(pages.url());
  const std::string before = browser.screenshot_of_page();
  EXPECT_EQ(test::differing_share(before, browser.screenshot_of_page(), 0), 0);
  browser.script("document.getElementById('a').textContent = 'Am Wald 5'");
  EXPECT_GT(test::differing_share(before, browser.screenshot_of_page(), 48), 0.0005);
  browser.set_window(330, 200);
  EXPECT_EQ(test::differing_share(before, browser.screenshot_of_page(), 48), 1);
  EXPECT_EQ(test::differing_share(before, "", 48), 1);
}

TEST(Screenshots, AreTheSameOnEveryMachine) {
  const PageServer pages(
      {{"/", good_page("<p>Größe: 12,5 m² <code>kwh</code></p><p><button>Speichern</button> "
                       "<input value=\"Am Hang 3\" aria-label=\"Adresse\"></p>",
                       kStyle)},
       {"/look.css", "body { font: 16px system-ui, sans-serif } code { font-family: monospace }"}});
  Browser browser({.width = 400, .height = 300});
  browser.open(pages.url());
  expect_looks_like(browser, "plain_page");
}

}  // namespace
