// From the mail that the real program sends to the account that its link makes.
#include "tests/browser/person.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/browser/browser.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using test::Browser;
using test::Person;

TEST(Person, ReadsTextAsAnotherProgramQuotesIt) {
  // Python's quopri.encodestring()
  EXPECT_EQ(test::from_quoted_printable(
                "Gr=C3=BC=C3=9Fe: https://example.org/best=C3=A4tigen?a=3Db&c=3Dd und noch mehr Wort=\r\n"
                "e=20\r\nEnde=\r\n"),
            "Grüße: https://example.org/bestätigen?a=b&c=d und noch mehr Worte \r\nEnde");
}

TEST(Person, SignsUpWithTheLinkOfTheMail) {
  Person anna("anna@example.org");
  Person bernd("bernd@example.org", anna);
  std::vector<std::string> options = test::kNoLimits;
  for (const std::string& option : anna.service_options()) options.push_back(option);
  const test::RunningService service(options);
  Browser browser;
  for (Person* person : {&anna, &bernd}) {
    browser.forget_cookies();
    browser.open("http://127.0.0.1:" + std::to_string(service.port()) + "/registrieren");
    browser.type("[name=email]", person->email());
    browser.type("[name=passwort]", person->password);
    browser.submit("[name=passwort]");
    browser.open(person->link_in_last_mail());
    browser.type("#passwort", person->password);
    browser.click("main form button");
    EXPECT_THAT(browser.url(), testing::HasSubstr("/projekte")) << browser.text();
  }
  EXPECT_EQ(anna.mails().size(), 1U);
}

}  // namespace
