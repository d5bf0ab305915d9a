#include "tests/browser/browser.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace test {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kAppears = 2s;
constexpr auto kPause = 10ms;
/// Until a form or a link begins to lead away; a script may prevent it.
constexpr auto kLeaves = 3s;
/// The name under which the standard hides an element's id.
constexpr const char* kElement = "element-6066-11e4-a52e-4f735466cecf";

/// What a page that is still being built may answer once more.
bool may_pass(const std::string& code) {
  return code == "no such element" || code == "stale element reference" ||
         code == "element not interactable" || code == "element click intercepted" ||
         code == "invalid element state";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string id_of(const json& element) { return element.at(kElement).get<std::string>(); }

json css_locator(const std::string& css) { return {{"using", "css selector"}, {"value", css}}; }

/// The words as a string of XPath, which knows no escapes.
std::string xpath_string(const std::string& words) {
  return words.find('"') == std::string::npos ? '"' + words + '"' : "'" + words + "'";
}

/// The characters of UTF-8, one by one.
std::vector<std::string> characters(const std::string& text) {
  std::vector<std::string> all;
  for (const char c : text) {
    const bool follows = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (follows && !all.empty())
      all.back() += c;
    else
      all.emplace_back(1, c);
  }
  return all;
}

/// Whether a click on the element, or Enter or the space bar when it has the focus, leads to another
/// document.
constexpr const char* kLeadsAway = R"js(
  const from = arguments[0] || document.activeElement;
  const e = from?.closest('a[href], button, input, select, label, summary');
  if (!e) return false;
  if (e.tagName === 'A')
    return !e.hasAttribute('download') && (!e.target || e.target === '_self') &&
        e.href.split('#')[0] !== location.href.split('#')[0];
  const sends = arguments[1] ? e.form : e.form && (e.type === 'submit' || e.type === 'image');
  if (!sends || e.form.target) return false;
  return e.form.noValidate || e.formNoValidate || e.form.checkValidity();
)js";

bool is_held(const std::string& key) {
  return key == key::kShift || key == key::kControl || key == key::kAlt;
}

json key_actions(const std::string& keys) {
  json actions = json::array();
  std::vector<std::string> held;
  const auto add = [&actions](const char* type, const std::string& key) {
    actions.push_back({{"type", type}, {"value", key}});
  };
  for (const std::string& key : characters(keys)) {
    add("keyDown", key);
    if (is_held(key))
      held.push_back(key);
    else
      add("keyUp", key);
  }
  for (const std::string& key : held) add("keyUp", key);
  return {{"actions", {{{"type", "key"}, {"id", "keyboard"}, {"actions", actions}}}}};
}

}  // namespace

std::string picture_path(const std::string& ending) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name =
      test ? std::string(test->test_suite_name()) + "." + test->name() : std::string("outside_tests");
  std::replace(name.begin(), name.end(), '/', '_');
  std::filesystem::create_directories(ROOF_BROWSER_PICTURES);
  return std::string(ROOF_BROWSER_PICTURES) + "/" + name + ending;
}

Browser::Browser(BrowserOptions options) : options_(options), driver_(WebDriver::idle_or_new()) {
  show_as_told();
}

Browser::~Browser() {
  try {
    // Whoever reads that a test has failed wants to see what the browser showed.
    if (!testing::Test::HasFailure()) {
      WebDriver::leave_to_the_next(std::move(driver_));
    } else if (!picture_taken_) {
      const std::string page = where();
      std::cerr << "The browser at the test's end: " << page << '\n';
    }
  } catch (const std::exception&) {  // it is gone
  }
}

std::string Browser::where() {
  std::string text;
  try {
    text = "at " + driver_->get("/url").get<std::string>() + " (" +
           driver_->get("/title").get<std::string>() + ")";
    const std::string path = picture_path();
    const std::string png = screenshot();
    std::ofstream(path, std::ios::binary) << png;
    picture_taken_ = true;
    text += "\npicture: " + path;
  } catch (const WebDriverError& error) {
    text += std::string("; no more is known: ") + first_line(error.what());
  }
  return text;
}

void Browser::fail(const std::string& what, const TestLine& at) {
  const std::string text = what + "\n" + (picture_taken_ ? std::string() : where());
  ADD_FAILURE_AT(at.file, at.line) << text;
  // GoogleTest takes it for told.
  throw testing::AssertionException(
      testing::TestPartResult(testing::TestPartResult::kFatalFailure, at.file, at.line, text.c_str()));
}

json Browser::attempt(const std::string& what, const TestLine& at, const Command& command) {
  try {
    return command();
  } catch (const WebDriverError& error) {
    fail(what + ": " + first_line(error.what()), at);
  }
}

json Browser::with_found(const std::string& what, const json& locator, const TestLine& at,
                         const ElementCommand& command) {
  const auto until = Clock::now() + kAppears;
  for (;;) {
    try {
      return command(id_of(driver_->post("/element", locator)));
    } catch (const WebDriverError& error) {
      if (!may_pass(error.code) || Clock::now() > until)
        fail(what + " " + locator.at("value").get<std::string>() + ": " + first_line(error.what()), at);
    }
    std::this_thread::sleep_for(kPause);
  }
}

json Browser::with_element(const std::string& what, const std::string& css, const TestLine& at,
                           const ElementCommand& command) {
  return with_found(what, css_locator(css), at, command);
}

// ---- pages

void Browser::open(const std::string& url, const TestLine& at) {
  attempt("open " + url, at, [&] { return driver_->post("/url", {{"url", url}}); });
}
void Browser::back(const TestLine& at) {
  attempt("back", at, [&] { return driver_->post("/back"); });
}
void Browser::reload(const TestLine& at) {
  attempt("reload", at, [&] { return driver_->post("/refresh"); });
}
std::string Browser::url(const TestLine& at) {
  return attempt("the address", at, [&] { return driver_->get("/url"); });
}
std::string Browser::title(const TestLine& at) {
  return attempt("the title", at, [&] { return driver_->get("/title"); });
}
std::string Browser::source(const TestLine& at) {
  return attempt("the source", at, [&] { return driver_->get("/source"); });
}

// ---- what is there

std::string Browser::text(const std::string& css, const TestLine& at) {
  return with_element("text of", css, at, [&](auto& id) { return driver_->get("/element/" + id + "/text"); });
}

bool Browser::exists(const std::string& css, const TestLine& at) { return count(css, at) > 0; }

std::size_t Browser::count(const std::string& css, const TestLine& at) {
  return attempt("count " + css, at, [&] { return driver_->post("/elements", css_locator(css)); }).size();
}

std::vector<std::string> Browser::all(const std::string& css, const TestLine& at) {
  const char* const kTexts = "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)";
  return script(kTexts, {css}, at).get<std::vector<std::string>>();
}

std::string Browser::value(const std::string& css, const TestLine& at) {
  const json value = property(css, "value", at);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::string Browser::attribute(const std::string& css, const std::string& name, const TestLine& at) {
  const json value = with_element("attribute " + name + " of", css, at, [&](auto& id) {
    return driver_->get("/element/" + id + "/attribute/" + name);
  });
  return value.is_string() ? value.get<std::string>() : std::string();
}

json Browser::property(const std::string& css, const std::string& name, const TestLine& at) {
  return with_element("property " + name + " of", css, at,
                      [&](auto& id) { return driver_->get("/element/" + id + "/property/" + name); });
}

// ---- deeds

/// Changes with every document, also with one at the same address.
json Browser::document() {
  try {
    return driver_->post("/execute/sync",
                         {{"script", "return performance.timeOrigin"}, {"args", json::array()}});
  } catch (const WebDriverError&) {  // between two
    return {};
  }
}

/// chromedriver waits for a page that loads, but a form is sent a moment after the deed.
json Browser::and_follow(const json& element, bool is_key, const Command& deed) {
  const json before = document();
  const bool leads_away =
      driver_->post("/execute/sync", {{"script", kLeadsAway}, {"args", {element, is_key}}});
  json done = deed();
  const auto until = Clock::now() + kLeaves;
  while (leads_away && document() == before && Clock::now() < until) std::this_thread::sleep_for(kPause);
  return done;
}

json Browser::click_element(const std::string& id) {
  return and_follow({{kElement, id}}, false, [&] { return driver_->post("/element/" + id + "/click"); });
}

void Browser::click(const std::string& css, const TestLine& at) {
  with_element("click", css, at, [&](auto& id) { return click_element(id); });
}

void Browser::click_text(const std::string& words, const TestLine& at) {
  const std::string xpath =
      "//*[self::a or self::button or self::summary or self::label][normalize-space(.)=" +
      xpath_string(words) + "]";
  with_found("click", {{"using", "xpath"}, {"value", xpath}}, at,
             [&](auto& id) { return click_element(id); });
}

void Browser::type(const std::string& css, const std::string& words, const TestLine& at) {
  with_element("type into", css, at, [&](auto& id) {
    driver_->post("/element/" + id + "/clear");
    return words.empty() ? json() : driver_->post("/element/" + id + "/value", {{"text", words}});
  });
}

void Browser::choose(const std::string& css, const std::string& value, const TestLine& at) {
  const std::string option = css + " option[value=\"" + value + "\"]";
  with_element("choose", option, at, [&](auto& id) { return driver_->post("/element/" + id + "/click"); });
}

void Browser::submit(const std::string& css, const TestLine& at) {
  with_element("Enter in", css, at, [&](auto& id) {
    return and_follow({{kElement, id}}, true, [&] {
      return driver_->post("/element/" + id + "/value", {{"text", key::kEnter}});
    });
  });
}

void Browser::press(const std::string& keys, const TestLine& at) {
  const auto send = [this](const std::string& some) {
    return some.empty() ? json() : driver_->post("/actions", key_actions(some));
  };
  attempt("press keys", at, [&] {
    if (!keys.ends_with(key::kEnter)) return send(keys);
    send(keys.substr(0, keys.size() - key::kEnter.size()));
    return and_follow(nullptr, true, [&] { return send(key::kEnter); });
  });
}

json Browser::script(const std::string& source, const json& arguments, const TestLine& at) {
  return attempt("script " + first_line(source).substr(0, 100), at, [&] {
    return driver_->post("/execute/sync", {{"script", source}, {"args", arguments}});
  });
}

json Browser::script_async(const std::string& source, const json& arguments, const TestLine& at) {
  return attempt("script " + first_line(source).substr(0, 100), at, [&] {
    return driver_->post("/execute/async", {{"script", source}, {"args", arguments}});
  });
}

void Browser::wait_until(const std::string& what, const std::function<bool()>& condition,
                         std::chrono::milliseconds patience, const TestLine& at) {
  const auto until = Clock::now() + patience;
  while (!condition()) {
    if (Clock::now() > until) fail("waited " + std::to_string(patience.count()) + " ms until " + what, at);
    std::this_thread::sleep_for(kPause);
  }
}

void Browser::wait_for(const std::string& css, std::chrono::milliseconds patience, const TestLine& at) {
  wait_until(
      "there is " + css, [&] { return exists(css, at); }, patience, at);
}

}  // namespace test
