// Pages while others are served: runs that compute and wait, passwords that wait to be checked.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/browser/member.hpp"
#include "tests/browser/page_checks.hpp"
#include "tests/http/service/remote_region.hpp"

namespace {

using namespace std::chrono_literals;
using test::Browser;

/// The page says `text` before it is looked at and after. There are twenty seconds for that: then the office
/// is given up, and the run ends.
void expect_good_page_while(Browser& browser, const std::string& url, const std::string& text) {
  browser.open(url);
  EXPECT_NE(browser.text("main").find(text), std::string::npos) << browser.text("main");
  expect_good_page(browser);
  browser.reload();
  EXPECT_NE(browser.text("main").find(text), std::string::npos) << browser.text("main");
}

/// Runs that do not end: their surface model comes from its office in drops.
class SlowRuns : public testing::Test {
 protected:
  SlowRuns() {
    region_.office.change_habits(test::RemoteRegion::kModel, {.drop_bytes = 16, .drop_pause = 500ms});
    anna.sign_up();
    const auto granted =
        test::run_roofd({"account", "grant", "--data-dir=" + anna.service.data_dir(), "--account=1"});
    EXPECT_EQ(granted.exit_code, 0) << granted.err;
  }

 private:
  test::RemoteRegion region_;

 protected:
  test::Member anna{test::MemberService{test::kNoLimits, region_.catalogue()}};
};

TEST_F(SlowRuns, HaveAGoodPageWhileTheyCompute) {
  anna.order_project();
  expect_good_page_while(anna.browser, anna.site + "/projekte/1", "Das Dach wird berechnet");
}

TEST_F(SlowRuns, HaveAGoodPageWhileTheyWait) {
  for (std::size_t n = 0; n < 3; ++n) anna.order_project(n);
  expect_good_page_while(anna.browser, anna.site + "/projekte/3", "In der Warteschlange");
}

TEST_F(SlowRuns, StandInAGoodList) {
  for (std::size_t n = 0; n < 3; ++n) anna.order_project(n);
  expect_good_page_while(anna.browser, anna.site + "/projekte", "läuft");
}

/// People who sign in with a wrong password, `tries` times each (0: until this object goes). Each try comes
/// from another calling address, because the guesses from one are limited.
class Crowd {
 public:
  Crowd(const test::RunningService& service, int people, int tries = 0) {
    for (int i = 0; i < people; ++i)
      people_.emplace_back([this, &service, i, tries] {
        for (int n = 0; !gone_ && (tries == 0 || n < tries); ++n) try_once(service, i, n);
      });
  }
  ~Crowd() {
    gone_ = true;
    for (std::thread& one : people_) one.join();
  }
  bool somebody_was_turned_away() const { return turned_away_; }

 private:
  /// While the line is full answers come at once; without a pause the crowd would take the browser's
  /// processor.
  static constexpr auto kBetweenTries = 20ms;

  void try_once(const test::RunningService& service, int person, int n) {
    try {
      const std::string number =
          std::to_string(person) + "." + std::to_string(n / 256) + "." + std::to_string(n % 256);
      const test::Reply reply =
          service.unchecked("POST", "/anmelden",
                            "tat=anmelden&email=p" + number + "@example.org&passwort=nicht-dieses-Passwort",
                            {{"Accept", "text/html"},
                             {"Content-Type", "application/x-www-form-urlencoded"},
                             {"Origin", "http://localhost:" + std::to_string(service.port())},
                             {"X-Forwarded-For", "10." + number}});
      if (reply.body.find("in ein paar Sekunden") != std::string::npos) {
        EXPECT_EQ(reply.status, 503);
        EXPECT_TRUE(reply.headers.count("retry-after"));
        turned_away_ = true;
      }
      std::this_thread::sleep_for(kBetweenTries);
    } catch (const std::exception& e) {
      gone_ = true;
      ADD_FAILURE() << e.what();
    }
  }

  std::atomic<bool> gone_ = false, turned_away_ = false;
  std::vector<std::thread> people_;
};

/// One password is checked at a time, slowly; nobody waits longer than two seconds for a page.
const test::MemberService kSlowPasswords{{"--web.password-threads=1", "--web.password-memory=512",
                                          "--http.deadline=2", "--http.trusted-proxies=127.0.0.1"}};

TEST(WebBusyPages, OfPasswordsThatTooManyWaitForAreGoodPages) {
  test::Member anna(kSlowPasswords);
  Browser& browser = anna.browser;
  const std::string link = anna.ask_to_join();
  constexpr int kMoreThanMayWait = 70;
  const Crowd crowd(anna.service, kMoreThanMayWait);
  browser.wait_until("the line is full", [&] { return crowd.somebody_was_turned_away(); });
  const auto until_turned_away = [&](const std::string& page, const std::string& button) {
    SCOPED_TRACE(page);
    browser.wait_until("somebody else is before us", [&] {
      browser.forget_console();
      browser.open(page);
      if (browser.exists("#email")) browser.type("#email", anna.person.email());
      browser.type("#passwort", anna.person.password);
      browser.click(button);
      return browser.text().find("in ein paar Sekunden") != std::string::npos;
    });
    expect_good_error_page(browser, "503");
  };
  until_turned_away(link, "main form button");
  until_turned_away(anna.site + "/anmelden", "[value=anmelden]");
}

TEST(WebBusyPages, OfAPasswordThatIsNotCheckedInTimeIsAGoodPage) {
  test::Member anna(kSlowPasswords);
  Browser& browser = anna.browser;
  constexpr int kFewerThanMayWait = 30;
  const Crowd crowd(anna.service, kFewerThanMayWait, 1);
  browser.wait_until("the page says that the service is busy", [&] {
    browser.forget_console();
    browser.open(anna.site + "/anmelden");
    browser.type("#email", anna.person.email());
    browser.type("#passwort", anna.person.password);
    browser.click("[value=anmelden]");
    return browser.text("h1") == "Gerade ist viel los";
  });
  expect_good_error_page(browser, "503");
}

}  // namespace
