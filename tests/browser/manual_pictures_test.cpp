// The pictures of the pages in the operators' manual are those of today's pages.
#include <gtest/gtest.h>

#include "tests/browser/member.hpp"
#include "tests/browser/screenshot_compare.hpp"

namespace {

/// Dates and keys differ from run to run; they are far less than the share that may differ.
TEST(ManualPictures, ShowTodaysPages) {
  constexpr int kWide_px = 1280, kHigh_px = 1200, kPhone_px = 390, kPhoneHigh_px = 1400;
  test::Member anna({.width = kWide_px, .height = kHigh_px});
  const auto expect_kept = [&](const std::string& name) {
    expect_looks_like(anna.browser, name, {.window_only = true, .folder = "http/packaging/pictures"});
  };
  anna.browser.open(anna.site + "/");
  expect_kept("startseite");
  anna.sign_up();
  anna.browser.open(anna.site + "/projekte/neu");
  anna.browser.type("#adresse", test::sample_region().addresses.at(0));
  anna.browser.type("#jahresverbrauch", "4500");
  expect_kept("neues_projekt");
  const std::string project = anna.finished_project();
  anna.browser.click("[value=speichern]");
  anna.browser.open(project);
  expect_kept("projekt");
  anna.browser.set_dark(true);
  expect_kept("projekt_dunkel");
  anna.browser.set_dark(false);
  anna.browser.set_window(kPhone_px, kPhoneHigh_px, true);
  anna.browser.open(project);
  expect_kept("projekt_telefon");
  anna.browser.set_window(kWide_px, kHigh_px);
  anna.browser.open(anna.site + "/schluessel");
  anna.browser.type("#name", "Angebotsrechner");
  anna.browser.submit("#name");
  expect_kept("schluessel");
  constexpr int kCalls = 12;
  for (int i = 0; i < kCalls; ++i) anna.service.get("/projekte", anna.browser.text("#neuer-schluessel"));
  anna.browser.open(anna.site + "/verbrauch");
  expect_kept("verbrauch");
  anna.browser.open(project + "/wirtschaftlichkeit");
  expect_kept("wirtschaftlichkeit");
}

}  // namespace
