// A passkey from the account's page to the sign-in, and what is said when the device says no.
#include <gtest/gtest.h>

#include "tests/browser/member.hpp"
#include "tests/browser/page_checks.hpp"

namespace {

struct WebPasskey : testing::Test {
  test::Member anna;
  std::string device;

  WebPasskey() {
    anna.sign_up();
    device = anna.browser.add_authenticator();
  }
  void make_passkey(const std::string& password) {
    anna.browser.open(anna.site + "/konto");
    anna.browser.type("#passkey-passwort", password);
    anna.browser.submit("#passkey-passwort");
  }
  void sign_out() { anna.browser.forget_cookies(); }
};

TEST_F(WebPasskey, IsMadeInTheAccountAndSignsInWithoutAPassword) {
  make_passkey(anna.person.password);
  anna.browser.wait_for("#passkeys li");
  EXPECT_EQ(anna.browser.passkeys(device), 1U);
  expect_good_page(anna.browser);
  sign_out();
  anna.browser.open(anna.site + "/projekte");
  EXPECT_NE(anna.browser.url().find("/anmelden"), std::string::npos);
  expect_good_page(anna.browser);
  anna.browser.click("[value=passkey]");
  anna.browser.wait_until("the list of projects is open",
                          [&] { return anna.browser.url().find("/projekte") == anna.site.size(); });
  EXPECT_EQ(anna.browser.attribute("a[href='/konto']", "title"), anna.person.email());
  EXPECT_EQ(anna.browser.policy_violations(), std::vector<std::string>{});
}

TEST_F(WebPasskey, IsNotMadeWithAWrongPassword) {
  make_passkey("ein anderes Passwort");
  anna.browser.wait_for("#passkeys .notice.bad");
  EXPECT_FALSE(anna.browser.exists("#passkeys li"));
  EXPECT_EQ(anna.browser.policy_violations(), std::vector<std::string>{});
  anna.browser.forget_console();  // it notes the page's 422
  expect_good_page(anna.browser);
}

TEST_F(WebPasskey, ThatWasRemovedIsRefusedWithASentence) {
  make_passkey(anna.person.password);
  anna.browser.wait_for("#passkeys li");
  anna.browser.click("[value=passkey_entfernen]");
  EXPECT_FALSE(anna.browser.exists("#passkeys li"));
  sign_out();
  anna.browser.open(anna.site + "/anmelden");
  anna.browser.click("[value=passkey]");
  anna.browser.wait_for(".notice.bad");
  EXPECT_NE(anna.browser.text().find("keinem Konto"), std::string::npos);
}

TEST_F(WebPasskey, ADeviceThatSaysNoIsToldBesideTheButton) {
  sign_out();
  anna.browser.open(anna.site + "/anmelden");
  anna.browser.click("[value=passkey]");
  anna.browser.wait_for("#passkey-anmelden .error:not([hidden])");
  EXPECT_NE(anna.browser.text("#passkey-anmelden .error").find("noch einmal"), std::string::npos);
}

TEST(WebPasskeyWithoutJavaScript, OnlyThePasswordIsOffered) {
  test::Member anna({.javascript = false});
  anna.browser.open(anna.site + "/anmelden");
  EXPECT_EQ(anna.browser.text().find("Passkey"), std::string::npos);
}

}  // namespace
