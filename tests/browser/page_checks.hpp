// What every page must be, whatever it shows.
#pragma once
#include <string>
#include <vector>

#include "tests/browser/browser.hpp"

namespace test {

struct PageRules {
  std::string language = "de";
  /// Elements in which words like jahresverbrauch_kwh and null are names that people shall read.
  std::string names_in = "code, pre, kbd, samp, var, [translate=no]";
  /// The console may say that this page answered with a status that begins so: "4", "503". Empty: with none.
  std::string error_status = {};
};

/// Faults of the open page, a line each. At 320 and 1280 px, light and dark: axe-core, nothing wider than the
/// window. At both widths: everything that can have the focus gets it by Tab, and shows it. Besides: title,
/// language, one h1, no text that a template has left over, nothing from elsewhere, no error and no report of
/// the policy in the console. Afterwards the page is shown as before.
std::vector<std::string> page_faults(Browser& browser, const PageRules& rules = {}, const TestLine& at = {});

/// Fails the test for each of them.
void expect_good_page(Browser& browser, const PageRules& rules = {}, const TestLine& at = {});
/// The same for the page of a request that was refused.
void expect_good_error_page(Browser& browser, const std::string& status = "4", const TestLine& at = {});

/// What gets the focus by Tab, in this order from the page's top, once each.
struct Focused {
  std::string element;   ///< "a#konto.link »Konto«"
  bool is_seen = false;  ///< its outline or shadow differs from that without focus
};
std::vector<Focused> focus_order(Browser& browser, const TestLine& at = {});

}  // namespace test
