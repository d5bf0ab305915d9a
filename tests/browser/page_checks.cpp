#include "tests/browser/page_checks.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/browser/axe.hpp"

namespace test {
namespace {

using nlohmann::json;

constexpr int kNarrow_px = 320, kWide_px = 1280, kHeight_px = 900;
constexpr std::size_t kMostStops = 2'000;

json look(Browser& browser, const json& question, const TestLine& at) {
  static const std::string probe = [] {
    std::ifstream file(ROOF_SOURCE_DIR "/tests/browser/look_at_page.js");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return browser.script(probe, question, at);
}

/// Faults with what they belong to in front, each once.
class Faults {
 public:
  void add(const std::string& where, const std::vector<std::string>& found) {
    for (const std::string& fault : found) all_.push_back(where + ": " + fault);
  }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::vector<std::string> all_;
};

/// Shows the page again as it was shown before.
class AsBefore {
 public:
  explicit AsBefore(Browser& browser) : browser_(browser), before_(browser.options()) {}
  ~AsBefore() {
    try {
      browser_.set_dark(before_.dark);
      browser_.set_window(before_.width, before_.height, before_.mobile);
    } catch (const std::exception&) {  // told by whoever uses the browser next
    }
  }
  AsBefore(const AsBefore&) = delete;
  AsBefore& operator=(const AsBefore&) = delete;

 private:
  Browser& browser_;
  const BrowserOptions before_;
};

std::vector<std::string> console_faults(Browser& browser, const PageRules& rules, const TestLine& at) {
  std::vector<std::string> found;
  const std::string own_status =
      browser.url(at) + " - Failed to load resource: the server responded with a status of ";
  const auto is_expected = [&](const std::string& text) {
    return !rules.error_status.empty() && text.starts_with(own_status + rules.error_status);
  };
  for (const ConsoleEntry& entry : browser.console(at))
    if (entry.level != "INFO" && entry.level != "DEBUG" && !is_expected(entry.text))
      found.push_back(entry.level + " " + entry.text);
  return found;
}

std::vector<std::string> keyboard_faults(Browser& browser, const TestLine& at) {
  std::vector<std::string> found;
  for (const Focused& focused : focus_order(browser, at))
    if (!focused.is_seen) found.push_back("focus is not seen on " + focused.element);
  for (const json& missed : look(browser, {"not_reached"}, at))
    found.push_back("Tab does not reach " + missed.get<std::string>());
  return found;
}

std::string shown_as(const Browser& browser) {
  return std::to_string(browser.options().width) + " px" + (browser.options().dark ? ", dark" : "");
}

void look_at_each_size(Browser& browser, Faults& faults, const TestLine& at) {
  for (const int width : {kNarrow_px, kWide_px}) {
    browser.set_window(width, kHeight_px, false, at);
    for (const bool dark : {false, true}) {
      browser.set_dark(dark, at);
      look(browser, {"settle"}, at);
      faults.add(shown_as(browser), look(browser, {"width"}, at));
      faults.add(shown_as(browser), axe_violations(browser, at));
    }
    browser.set_dark(false, at);
    faults.add(shown_as(browser), keyboard_faults(browser, at));
  }
}

}  // namespace

std::vector<Focused> focus_order(Browser& browser, const TestLine& at) {
  std::vector<Focused> order;
  look(browser, {"before_tab"}, at);
  while (order.size() < kMostStops) {
    browser.press(key::kTab, at);
    const json focused = look(browser, {"after_tab"}, at);
    if (focused.is_null()) break;
    order.push_back({focused.at("element"), focused.at("is_seen")});
  }
  return order;
}

std::vector<std::string> page_faults(Browser& browser, const PageRules& rules, const TestLine& at) {
  const AsBefore as_before(browser);
  Faults faults;
  faults.add("page", look(browser, {"structure", rules.language}, at));
  faults.add("page", look(browser, {"leftovers", rules.names_in}, at));
  look_at_each_size(browser, faults, at);
  faults.add("console", console_faults(browser, rules, at));
  return faults.take();
}

void expect_good_page(Browser& browser, const PageRules& rules, const TestLine& at) {
  const std::string url = browser.url(at);
  for (const std::string& fault : page_faults(browser, rules, at))
    ADD_FAILURE_AT(at.file, at.line) << url << ": " << fault;
}

void expect_good_error_page(Browser& browser, const std::string& status, const TestLine& at) {
  expect_good_page(browser, {.error_status = status}, at);
  browser.forget_console();
}

}  // namespace test
