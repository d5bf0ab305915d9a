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

/// Two compute until the test ends, because their surface model comes in drops; the third waits.
TEST(WebBusyPages, OfRunsThatComputeAndWaitAreGoodPages) {
  test::RemoteRegion region;
  region.office.change_habits(test::RemoteRegion::kModel, {.drop_bytes = 16, .drop_pause = 500ms});
  test::Member anna(test::MemberService{test::kNoLimits, region.catalogue()});
  anna.sign_up();
  EXPECT_EQ(
      test::run_roofd({"account", "grant", "--data-dir=" + anna.service.data_dir(), "--account=1"}).exit_code,
      0);
  for (std::size_t n = 0; n < 3; ++n) anna.order_project(n);
  EXPECT_NE(anna.browser.text("main").find("Warteschlange"), std::string::npos) << anna.browser.text("main");
  for (const char* page : {"/projekte/3", "/projekte/1", "/projekte"}) {
    SCOPED_TRACE(page);
    anna.browser.open(anna.site + page);
    expect_good_page(anna.browser);
  }
}

/// So many people, each at an address of their own, who sign in again and again with a wrong password.
class Crowd {
 public:
  Crowd(const test::RunningService& service, int people) {
    for (int i = 0; i < people; ++i)
      people_.emplace_back([this, &service, i] {
        for (int n = 0; !gone_; ++n) {
          const std::string email = "p" + std::to_string(i) + "-" + std::to_string(n) + "@example.org";
          const test::Reply reply = service.unchecked(
              "POST", "/anmelden", "tat=anmelden&email=" + email + "&passwort=nicht-dieses-Passwort",
              {{"Accept", "text/html"},
               {"Content-Type", "application/x-www-form-urlencoded"},
               {"Origin", "http://localhost:" + std::to_string(service.port())},
               {"X-Forwarded-For", "198.51.100." + std::to_string(i)}});
          if (reply.body.find("in ein paar Sekunden") != std::string::npos) turned_away_ = true;
          std::this_thread::sleep_for(20ms);
        }
      });
  }
  ~Crowd() {
    gone_ = true;
    for (std::thread& one : people_) one.join();
  }
  bool somebody_was_turned_away() const { return turned_away_; }

 private:
  std::atomic<bool> gone_ = false, turned_away_ = false;
  std::vector<std::thread> people_;
};

/// One password is checked at a time, slowly; nobody waits longer than two seconds for a page.
const test::MemberService kSlowPasswords{{"--web.password-threads=1", "--web.password-memory=512",
                                          "--http.deadline=2", "--http.trusted-proxies=127.0.0.1"}};

TEST(WebBusyPages, OfPasswordsThatTooManyWaitForAreGoodPages) {
  test::Member anna(kSlowPasswords);
  Browser& browser = anna.browser;
  browser.open(anna.site + "/registrieren");
  browser.type("#email", anna.person.email());
  browser.type("#passwort", anna.person.password);
  browser.submit("#passwort");
  const std::string link = anna.person.link_in_last_mail();
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
    expect_good_error_page(browser);
  };
  until_turned_away(link, "main form button");
  until_turned_away(anna.site + "/anmelden", "[value=anmelden]");
}

TEST(WebBusyPages, OfAPasswordThatIsNotCheckedInTimeIsAGoodPage) {
  test::Member anna(kSlowPasswords);
  Browser& browser = anna.browser;
  constexpr int kWait = 30;
  const Crowd crowd(anna.service, kWait);
  browser.wait_until("the page says that the service is busy", [&] {
    browser.forget_console();
    browser.open(anna.site + "/anmelden");
    browser.type("#email", anna.person.email());
    browser.type("#passwort", anna.person.password);
    browser.click("[value=anmelden]");
    return browser.text("h1") == "Gerade ist viel los";
  });
  expect_good_error_page(browser);
}

}  // namespace
