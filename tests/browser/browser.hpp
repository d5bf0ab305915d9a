// A person's browser for tests: Chromium without a window. What cannot be done fails the test at once, with
// the selector, the address, the page's title and a picture in the build folder's browser/SUITE.TEST.png.
// CSS selectors name elements; the first that fits is meant, and it may take two seconds to appear.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/browser/webdriver.hpp"

namespace test {

/// The test's line that called; std::source_location, which clang 14 does not have.
struct TestLine {
  // NOLINTNEXTLINE(google-explicit-constructor): only ever a default argument
  TestLine(const char* f = __builtin_FILE(), int l = __builtin_LINE()) : file(f), line(l) {}
  const char* file;
  int line;
};

struct BrowserOptions {
  bool javascript = true;
  bool dark = false;
  int width = 1280, height = 900;
  bool mobile = false;  ///< a telephone: touch, and the page's own viewport
};

/// Keys for Browser::press(). Shift, Control and Alt are held until the sequence ends.
namespace key {
inline const std::string kTab = "\uE004", kEnter = "\uE007", kEscape = "\uE00C", kSpace = " ",
                         kBackspace = "\uE003", kShift = "\uE008", kControl = "\uE009", kAlt = "\uE00A",
                         kHome = "\uE011", kLeft = "\uE012", kUp = "\uE013", kRight = "\uE014",
                         kDown = "\uE015";
}  // namespace key

struct ConsoleEntry {
  std::string level, source, text;  ///< "SEVERE", "WARNING", ...; "security", "network", "javascript", ...
};

class Browser {
 public:
  explicit Browser(BrowserOptions options = {});
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  // Pages. Each returns when the page has loaded.
  void open(const std::string& url, const TestLine& at = {});
  void back(const TestLine& at = {});
  void reload(const TestLine& at = {});
  std::string url(const TestLine& at = {});
  std::string title(const TestLine& at = {});
  std::string source(const TestLine& at = {});

  // What is there.
  /// As a person sees it; whole page without a selector.
  std::string text(const std::string& css = "body", const TestLine& at = {});
  bool exists(const std::string& css, const TestLine& at = {});
  std::size_t count(const std::string& css, const TestLine& at = {});
  /// The text of each.
  std::vector<std::string> all(const std::string& css, const TestLine& at = {});
  /// What stands in a form's field.
  std::string value(const std::string& css, const TestLine& at = {});
  /// Empty when the element has none.
  std::string attribute(const std::string& css, const std::string& name, const TestLine& at = {});
  nlohmann::json property(const std::string& css, const std::string& name, const TestLine& at = {});

  // Deeds. Each returns when the page has loaded to which it leads.
  void click(const std::string& css, const TestLine& at = {});
  /// The link or button that reads so.
  void click_text(const std::string& words, const TestLine& at = {});
  /// In place of what stood in the field.
  void type(const std::string& css, const std::string& words, const TestLine& at = {});
  /// The option of a <select> with this value.
  void choose(const std::string& css, const std::string& value, const TestLine& at = {});
  /// Enter in this field, which sends its form.
  void submit(const std::string& css, const TestLine& at = {});
  /// Keys to whatever has the focus: "abc", key::kTab, key::kShift + key::kTab.
  void press(const std::string& keys, const TestLine& at = {});

  /// The value that the script returns; `arguments` is an array. Works with JavaScript off, too, where it
  /// sees the page but the page's own listeners and timers stay off.
  nlohmann::json script(const std::string& source, const nlohmann::json& arguments = nlohmann::json::array(),
                        const TestLine& at = {});
  /// The same for a script that calls its last argument with the value.
  nlohmann::json script_async(const std::string& source,
                              const nlohmann::json& arguments = nlohmann::json::array(),
                              const TestLine& at = {});
  void wait_until(const std::string& what, const std::function<bool()>& condition,
                  std::chrono::milliseconds patience = std::chrono::seconds(30), const TestLine& at = {});
  void wait_for(const std::string& css, std::chrono::milliseconds patience = std::chrono::seconds(30),
                const TestLine& at = {});

  // How it is shown.
  void set_window(int width, int height, bool mobile = false, const TestLine& at = {});
  void set_dark(bool dark, const TestLine& at = {});
  void set_print(bool print, const TestLine& at = {});
  /// 4 is a processor of a quarter of the speed.
  void slow_processor(double factor, const TestLine& at = {});
  const BrowserOptions& options() const { return options_; }
  /// PNG: what the window shows, the whole page, one element.
  std::string screenshot(const TestLine& at = {});
  std::string screenshot_of_page(const TestLine& at = {});
  std::string screenshot_of(const std::string& css, const TestLine& at = {});

  // What the console says since the browser started or since forget_console().
  std::vector<ConsoleEntry> console(const TestLine& at = {});
  /// The reports of the Content-Security-Policy among them.
  std::vector<std::string> policy_violations(const TestLine& at = {});
  void forget_console(const TestLine& at = {});

  // Cookies, as the WebDriver standard writes them; an array of what the open page is sent.
  nlohmann::json cookies(const TestLine& at = {});
  /// A page of the cookie's site must be open. `more`: for example {{"httpOnly", true}, {"secure", true}}.
  void set_cookie(const std::string& name, const std::string& value,
                  const nlohmann::json& more = nlohmann::json::object(), const TestLine& at = {});
  void forget_cookies(const TestLine& at = {});

  // Tabs of the same browser.
  std::string tab(const TestLine& at = {});
  /// A new one, which is the current one from now on.
  std::string new_tab(const TestLine& at = {});
  void use_tab(const std::string& tab, const TestLine& at = {});

  // Passkeys: an authenticator that is there, and whose owner says yes. The page's host must be a name,
  // localhost.
  std::string add_authenticator(const TestLine& at = {});
  void remove_authenticator(const std::string& id, const TestLine& at = {});
  std::size_t passkeys(const std::string& authenticator, const TestLine& at = {});

  /// Fails the test and leaves it, with address, title and picture.
  [[noreturn]] void fail(const std::string& what, const TestLine& at = {});

 private:
  using Command = std::function<nlohmann::json()>;
  using ElementCommand = std::function<nlohmann::json(const std::string& element)>;

  /// Says what could not be done when the command cannot.
  nlohmann::json attempt(const std::string& what, const TestLine& at, const Command& command);
  nlohmann::json with_element(const std::string& what, const std::string& css, const TestLine& at,
                              const ElementCommand& command);
  nlohmann::json with_found(const std::string& what, const nlohmann::json& locator, const TestLine& at,
                            const ElementCommand& command);
  nlohmann::json document();
  nlohmann::json and_follow(const nlohmann::json& element, bool is_key, const Command& deed);
  nlohmann::json click_element(const std::string& id);
  std::string where();
  void show_as_told();

  BrowserOptions options_;
  bool print_ = false;
  std::unique_ptr<WebDriver> driver_;
  std::vector<ConsoleEntry> console_;
  bool picture_taken_ = false;
};

/// Where a test's pictures go: BUILD/browser/SUITE.TEST`ending`.
std::string picture_path(const std::string& ending = ".png");

}  // namespace test
