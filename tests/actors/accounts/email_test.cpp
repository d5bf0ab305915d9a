// What counts as an e-mail address, and when two of them mean the same account.
#include "actors/accounts/email.hpp"

#include <gtest/gtest.h>

#include "tests/actors/fixture.hpp"

namespace {

using actors::normal_email;

TEST(Emails, AreInLowerCaseWithoutSpacesAround) {
  EXPECT_EQ(normal_email("  Anna.Huber@Example.ORG "), "anna.huber@example.org");
  EXPECT_EQ(normal_email("\ufeff\u00a0anna@example.org\u200b "), "anna@example.org");
}

TEST(Emails, AreANameAndAHost) {
  for (const char* none : {"", "nobody", "@example.org", "anna@", "anna@huber@example.org", " "})
    EXPECT_FALSE(normal_email(none)) << none;
}

TEST(Emails, HoldNoControlCharactersAndNoSpaces) {
  for (const char* none : {"a@example.org\n", "\ta@example.org", "a b@example.org", "a@exa\x01mple.org",
                           "a@example.org\r\nBcc: b@example.org", "a@example.org\x7f", "<a@example.org>",
                           "a@example.org,b@example.org"})
    EXPECT_FALSE(normal_email(none)) << none;
}

struct AccountMaking : test::ActorsTest {};

TEST_F(AccountMaking, RefusesAnAddressThatAnAccountHasHoweverItIsWritten) {
  const std::string first = add_account("anna@example.org");
  EXPECT_EQ(first, "1");
  EXPECT_EQ(add_account(" Anna@Example.org"), "refused: account 1 has that e-mail address already");
  EXPECT_EQ(add_account("bert@example.org"), "2");
}

TEST_F(AccountMaking, RefusesWhatIsNoAddress) {
  EXPECT_EQ(add_account("anna@example.org\n"), "refused: --email is not an e-mail address");
}

TEST_F(AccountMaking, TakesAnAddressAgainThatTheDiskDidNot) {
  start();
  script.disk_refuses = true;
  EXPECT_EQ(add_account("anna@example.org").rfind("refused: ", 0), 0U);
  script.disk_refuses = false;
  EXPECT_NE(add_account("anna@example.org").rfind("refused: ", 0), 0U);
}

}  // namespace
