// The API's public pages of the real program.
#include <gtest/gtest.h>

#include "tests/browser/page_checks.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using test::Browser;

class PublicPages : public testing::Test {
 protected:
  std::string url(const std::string& page) const {
    return "http://localhost:" + std::to_string(service.port()) + "/api/v1" + page;
  }
  test::RunningService service{test::kNoLimits};
  Browser browser;
};

TEST_F(PublicPages, OfTheApiAreGoodPages) {
  for (const char* page : {"/doku", "/anleitung"}) {
    browser.forget_console();
    browser.open(url(page));
    expect_good_page(browser, {.names_in = "main"});  // which is about them
  }
}

TEST_F(PublicPages, FindAnErrorCodeBySearch) {
  browser.open(url("/doku"));
  ASSERT_GT(browser.count("[id^=fehler-]"), 10U);
  browser.type("input[type=search]", "kein_dach");
  const auto shown = browser.script(
      "return [...document.querySelectorAll('[id^=fehler-]')].filter(e => e.checkVisibility()).map(e => "
      "e.id)");
  EXPECT_EQ(shown, nlohmann::json({"fehler-kein_dach"}));
}

TEST_F(PublicPages, SayEverythingWithoutJavaScript) {
  Browser without({.javascript = false});
  for (const char* page : {"/doku", "/anleitung"}) {
    browser.open(url(page));
    without.open(url(page));
    EXPECT_GT(without.text("main").size(), 2'000U);
    EXPECT_EQ(without.count("[id^=fehler-]"), browser.count("[id^=fehler-]"));
  }
}

}  // namespace
