// The browser itself, on pages made here.
#include "tests/browser/browser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "geo/drawing/image_codec.hpp"
#include "tests/browser/page_server.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using test::Browser;
using test::good_page;
using test::PageServer;
using testing::HasSubstr;

const char* const kForm =
    "<form action=\"/sent\"><p><label>Name <input name=\"name\" value=\"alt\"></label>"
    "<select name=\"art\" aria-label=\"Art\"><option value=\"H0\">Haus</option><option "
    "value=\"G0\">Hof</option>"
    "</select><button>Senden</button></p></form>";

TEST(Browser, ReadsAPageAsAPersonDoes) {
  const PageServer pages(
      {{"/", good_page("<p id=\"a\">Grün &amp; gut</p><p hidden>fort</p><p class=\"x\">1</p>"
                       "<p class=\"x\">2</p><a href=\"/zwei\" id=\"b\">weiter</a>")},
       {"/zwei", good_page("<p>Zweite</p>")}});
  Browser browser;
  browser.open(pages.url());
  EXPECT_EQ(browser.title(), "Haus");
  EXPECT_EQ(browser.text("#a"), "Grün & gut");
  EXPECT_EQ(browser.text().find("fort"), std::string::npos);
  EXPECT_EQ(browser.all(".x"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(browser.count(".x"), 2U);
  EXPECT_FALSE(browser.exists(".y"));
  EXPECT_EQ(browser.attribute("#b", "href"), "/zwei");
  EXPECT_EQ(browser.attribute("#b", "lang"), "");
  browser.click_text("weiter");
  EXPECT_EQ(browser.url(), pages.url("/zwei"));
  browser.back();
  EXPECT_TRUE(browser.exists("#a"));
}

TEST(Browser, SendsFormsByButtonAndByEnter) {
  const PageServer pages({{"/", good_page(kForm)}, {"/sent", good_page("<p>Danke</p>")}});
  Browser browser;
  browser.open(pages.url());
  EXPECT_EQ(browser.value("[name=name]"), "alt");
  browser.type("[name=name]", "Jörg");
  browser.choose("[name=art]", "G0");
  browser.click("button");
  EXPECT_EQ(browser.url(), pages.url("/sent?name=J%C3%B6rg&art=G0"));
  browser.open(pages.url());
  browser.type("[name=name]", "");
  browser.submit("[name=name]");
  EXPECT_EQ(browser.url(), pages.url("/sent?name=&art=H0"));
}

TEST(Browser, SendsFormsByKeyboardAloneWithJavaScriptOff) {
  const PageServer pages(
      {{"/", good_page(std::string(kForm) + "<p id=\"s\">aus</p><script src=\"/s\"></script>")},
       {"/s", "document.getElementById('s').textContent = 'an'"},
       {"/sent", good_page("<p>Danke</p>")}});
  Browser browser({.javascript = false});
  browser.open(pages.url());
  EXPECT_EQ(browser.text("#s"), "aus");
  browser.press(test::key::kTab + "Ü1" + test::key::kTab + test::key::kTab + test::key::kEnter);
  EXPECT_EQ(browser.url(), pages.url("/sent?name=%C3%9C1&art=H0"));
}

TEST(Browser, ShowsWidthSchemeAndPaperAsTold) {
  const PageServer pages({{"/", good_page("<p>hell</p>")}});
  Browser browser({.dark = true, .width = 360, .height = 700, .mobile = true});
  const auto seen = [&] {
    return browser.script(
        "return [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches, "
        "matchMedia('print').matches]");
  };
  browser.open(pages.url());
  EXPECT_EQ(seen(), nlohmann::json({360, true, false}));
  browser.set_window(320, 500);
  browser.set_dark(false);
  browser.set_print(true);
  EXPECT_EQ(seen(), nlohmann::json({320, false, true}));
}

TEST(Browser, TakesPicturesOfWindowPageAndElement) {
  std::string tall = "<p id=\"a\">x</p>";
  for (int i = 0; i < 100; ++i) tall += "<p>Zeile</p>";
  const PageServer pages({{"/", good_page(tall)}});
  Browser browser({.width = 500, .height = 400});
  browser.open(pages.url());
  const auto window = geo::decode_image(browser.screenshot());
  const auto page = geo::decode_image(browser.screenshot_of_page());
  const auto element = geo::decode_image(browser.screenshot_of("#a"));
  ASSERT_TRUE(window && page && element);
  EXPECT_EQ(window->width, 500);
  EXPECT_EQ(window->height, 400);
  EXPECT_EQ(page->width, 500);
  EXPECT_GT(page->height, 2'000);
  EXPECT_LT(element->height, 40);
}

TEST(Browser, DrawsWebGlWithoutAGraphicsCard) {
  const PageServer pages({{"/", good_page("<canvas width=\"4\" height=\"4\"></canvas>")}});
  Browser browser;
  browser.open(pages.url());
  EXPECT_EQ(
      browser.script("const gl = document.querySelector('canvas').getContext('webgl');"
                     "gl.clearColor(0, 1, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);"
                     "const p = new Uint8Array(4); gl.readPixels(1, 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, p);"
                     "return [...p]"),
      nlohmann::json({0, 255, 0, 255}));
}

TEST(Browser, TellsWhatTheConsoleSaysAndWhatThePolicyForbids) {
  const PageServer pages(
      {{"/", good_page("<p style=\"color:red\">rot</p>")}, {"/gut", good_page("<p>gut</p>")}});
  Browser browser;
  browser.open(pages.url("/gut"));
  EXPECT_TRUE(browser.console().empty()) << browser.console().front().text;
  browser.open(pages.url());
  EXPECT_EQ(browser.policy_violations().size(), 1U);
  browser.forget_console();
  EXPECT_TRUE(browser.console().empty());
}

/// What the test would be told of a command that fails.
void run_and_keep_failures(testing::TestPartResultArray& results, const std::function<void()>& command) {
  const testing::ScopedFakeTestPartResultReporter reporter(
      testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
  try {
    command();
  } catch (const testing::AssertionException&) {  // told
  }
}

TEST(Browser, ReachesNothingOutside) {
  Browser browser;
  testing::TestPartResultArray failure;
  run_and_keep_failures(failure, [&] { browser.open("https://example.org/"); });
  ASSERT_EQ(failure.size(), 1);
  EXPECT_THAT(failure.GetTestPartResult(0).message(), HasSubstr("ERR_NAME_NOT_RESOLVED"));
}

TEST(Browser, KeepsCookiesAndTabs) {
  const PageServer pages({{"/", good_page("<p>eins</p>")}, {"/zwei", good_page("<p>zwei</p>")}});
  Browser browser({.dark = true});
  browser.open(pages.url());
  browser.set_cookie("sitzung", "abc", {{"httpOnly", true}});
  ASSERT_EQ(browser.cookies().size(), 1U);
  EXPECT_EQ(browser.cookies()[0].at("value"), "abc");
  const std::string first = browser.tab();
  browser.new_tab();
  browser.open(pages.url("/zwei"));
  EXPECT_EQ(browser.cookies().size(), 1U);
  EXPECT_TRUE(browser.script("return matchMedia('(prefers-color-scheme: dark)').matches").get<bool>());
  browser.use_tab(first);
  EXPECT_EQ(browser.url(), pages.url());
  browser.forget_cookies();
  EXPECT_EQ(browser.cookies().size(), 0U);
}

TEST(Browser, MakesAPasskeyWithAnAuthenticatorAndNoneWithout) {
  PageServer pages({{"/", good_page("<p>eins</p>")}});
  std::string url = pages.url();
  url.replace(url.find("127.0.0.1"), 9, "localhost");
  const char* const kMake =
      "const done = arguments[0]; navigator.credentials.create({publicKey: {rp: {name: 'r', id: "
      "'localhost'}, "
      "user: {id: new Uint8Array(4), name: 'n', displayName: 'n'}, challenge: new Uint8Array(8), timeout: "
      "1000, "
      "pubKeyCredParams: [{type: 'public-key', alg: -7}], authenticatorSelection: {residentKey: 'required', "
      "userVerification: 'required'}}}).then(c => done(c.type), e => done(e.name))";
  Browser browser;
  browser.open(url);
  const std::string authenticator = browser.add_authenticator();
  EXPECT_EQ(browser.script_async(kMake), "public-key");
  EXPECT_EQ(browser.passkeys(authenticator), 1U);
  browser.remove_authenticator(authenticator);
  EXPECT_EQ(browser.script_async(kMake), "NotAllowedError");
}

TEST(Browser, SaysWhichElementWasMissingWhereAndTakesAPicture) {
  const PageServer pages({{"/", good_page("<p>gut</p>")}});
  std::filesystem::remove(test::picture_path());
  Browser browser;
  browser.open(pages.url());
  testing::TestPartResultArray failure;
  const int line = __LINE__ + 1;
  run_and_keep_failures(failure, [&] { browser.click("#fehlt"); });
  ASSERT_EQ(failure.size(), 1);
  EXPECT_EQ(failure.GetTestPartResult(0).line_number(), line);
  for (const std::string& part :
       {std::string("click #fehlt"), pages.url(), std::string("(Haus)"), test::picture_path()})
    EXPECT_THAT(failure.GetTestPartResult(0).message(), HasSubstr(part));
  EXPECT_TRUE(std::filesystem::exists(test::picture_path()));
}

/// Of all the process's threads.
std::vector<int> children_of(int parent) {
  std::vector<int> children;
  for (const auto& thread :
       std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task")) {
    std::ifstream file(thread.path() / "children");
    children.insert(children.end(), std::istream_iterator<int>(file), {});
  }
  return children;
}

bool is_running(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string id, name, state;
  file >> id >> name >> state;
  return !state.empty() && state != "Z";
}

/// Makes a browser, says so, and would go on for a minute.
[[noreturn]] void be_a_test_that_hangs(int ready) {
  const Browser browser;
  if (::write(ready, "x", 1) == 1) ::sleep(60);
  ::_exit(1);
}

TEST(Browser, EndsWithTheTestThatIsKilled) {
  const test::TemporaryFolder home;  // for what the killed one leaves
  const test::Environment in_it("TMPDIR", home.path());
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const int hanging = ::fork();
  if (hanging == 0) be_a_test_that_hangs(pipe[1]);
  ::close(pipe[1]);  // so that the read below ends when the child ends without a browser
  char ready = 0;
  EXPECT_EQ(::read(pipe[0], &ready, 1), 1);
  std::vector<int> processes = children_of(hanging);
  EXPECT_EQ(processes.size(), 1U);
  for (const int driver : std::vector<int>(processes))
    for (const int chromium : children_of(driver)) processes.push_back(chromium);
  EXPECT_EQ(processes.size(), 2U);
  ::kill(hanging, SIGKILL);
  ::waitpid(hanging, nullptr, 0);
  for (const int process : processes) {
    for (int tries = 0; tries < 500 && is_running(process); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(is_running(process));
  }
  ::close(pipe[0]);
}

}  // namespace
