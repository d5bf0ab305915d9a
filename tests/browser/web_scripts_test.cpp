// What the pages do with JavaScript: steps that come by themselves, the map, the 3D view, copying.
#include <gtest/gtest.h>

#include "tests/browser/member.hpp"
#include "tests/browser/screenshot_compare.hpp"

namespace {

class WebScripts : public testing::Test {
 protected:
  WebScripts() { anna.sign_up(); }
  /// No script has set off the pages' policy or thrown.
  ~WebScripts() override {
    EXPECT_EQ(anna.browser.policy_violations(), std::vector<std::string>{});
    for (const auto& entry : anna.browser.console())
      if (entry.level == "SEVERE") ADD_FAILURE() << entry.source << ": " << entry.text;
  }
  void wait_for_state(const std::string& css) {
    anna.browser.wait_until(css + " is ready", [&] {
      const std::string state = anna.browser.attribute(css, "data-zustand");
      if (state == "fehler" || state == "ohne-webgl") anna.browser.fail(css + ": " + state);
      return state == "fertig";
    });
  }
  test::Member anna;
};

TEST_F(WebScripts, ARunningAnalysisBecomesTheResultWithoutAReload) {
  anna.order_project();
  anna.browser.script("window.stillTheSamePage = true");
  anna.browser.wait_for("#flaeche-1");
  EXPECT_EQ(anna.browser.script("return window.stillTheSamePage === true"), true);
  EXPECT_NE(anna.browser.title().find("Dachanalyse"), std::string::npos);
}

TEST_F(WebScripts, TheModelIsDrawnTurnsByKeysAndComesBack) {
  anna.finished_project();
  EXPECT_FALSE(anna.browser.exists("#modell-zeigen")) << "nothing is saved yet";
  anna.browser.click("[value=speichern]");
  anna.browser.click("#modell-zeigen");
  wait_for_state("#modell-ansicht");
  const std::string canvas = "#modell-ansicht canvas";
  const auto differs = [&](const std::string& png) {
    return test::differing_share(anna.browser.screenshot_of(canvas), png, 24);
  };
  anna.browser.script("document.querySelector('#modell-ansicht canvas').focus()");
  std::string seen = anna.browser.screenshot_of(canvas);
  anna.browser.wait_until("the picture stands still", [&] {
    const double share = differs(seen);
    seen = anna.browser.screenshot_of(canvas);
    return share == 0;
  });
  anna.browser.press(test::key::kLeft + test::key::kLeft + test::key::kLeft);
  anna.browser.wait_until("the house has turned", [&] { return differs(seen) > 0.05; });
  anna.browser.press(test::key::kHome);
  anna.browser.wait_until("the first view is back", [&] { return differs(seen) < 0.002; });
}

TEST_F(WebScripts, TheMapShowsTheProjectAndLeadsToIt) {
  const std::string project = anna.finished_project();
  anna.browser.open(anna.site + "/projekte");
  wait_for_state("#karte");
  ASSERT_EQ(anna.browser.count(".map-point"), 1U);
  anna.browser.click(".map-point");
  anna.browser.click(".map-panel a");
  EXPECT_EQ(anna.browser.url(), project);
}

TEST_F(WebScripts, ANewKeyIsCopiedOrMarkedByItsButton) {
  anna.browser.open(anna.site + "/schluessel");
  anna.browser.type("#name", "Angebotsrechner");
  anna.browser.submit("#name");
  const std::string button = "[data-kopieren=neuer-schluessel]";
  const std::string words = anna.browser.text(button);
  anna.browser.click(button);
  anna.browser.wait_until("the button has answered", [&] { return anna.browser.text(button) != words; });
  if (anna.browser.text(button) == "Kopiert") return;
  EXPECT_EQ(anna.browser.script("return String(getSelection())"), anna.browser.text("#neuer-schluessel"));
}

TEST_F(WebScripts, ASurfaceLightsUpInThePictureAndInTheList) {
  anna.finished_project();
  anna.browser.script("document.querySelector('#bild-flaeche-1').focus()");
  EXPECT_EQ(anna.browser.count("article.is-active"), 1U);
  EXPECT_TRUE(anna.browser.exists("#flaeche-1.is-active"));
}

}  // namespace
