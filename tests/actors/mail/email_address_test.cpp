#include "actors/mail/email_address.hpp"

#include <gtest/gtest.h>

#include "actors/accounts/email.hpp"

namespace {

using actors::email_address;

TEST(EmailAddresses, LoseTheSpacesOfAnyKindAroundThem) {
  const auto address = actors::email_address("\u00a0\ufeffAnna@example.org\u200b ");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->key, "anna@example.org");
  EXPECT_EQ(address->shown, "Anna@example.org");
}

TEST(EmailAddresses, AreSentToAsGivenAndComparedInSmallLetters) {
  const auto address = email_address("  Anna.Huber+dach@Example.ORG ");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->shown, "Anna.Huber+dach@Example.ORG");
  EXPECT_EQ(address->sending, "Anna.Huber+dach@example.org");
  EXPECT_EQ(address->key, "anna.huber+dach@example.org");
  EXPECT_EQ(address->key, actors::normal_email("Anna.Huber+dach@Example.ORG")) << "as accounts have them";
}

TEST(EmailAddresses, MayHaveADomainOfAnyLanguage) {
  for (const char* text : {"anna@Dächer.example", "anna@DÄCHER.example", "anna@da\u0308cher.example",
                           "anna@xn--dcher-gra.example", "ANNA@dächer。example"}) {
    const auto address = email_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->key, "anna@xn--dcher-gra.example") << text;
    EXPECT_EQ(address->shown, text);
  }
  EXPECT_EQ(email_address("a@straße.example")->sending, "a@xn--strae-oqa.example") << "not strasse";
}

TEST(EmailAddresses, AreANameAndADomainOfTwoLabels) {
  for (const char* good : {"a@b.de", "o'brien@example.org", "a-b_c=d@a-b.example.org", "a@1.2.3.example",
                           "a@1und1.de", "a@ab--cd.example.org"})
    EXPECT_TRUE(email_address(good)) << good;
  for (const char* none : {"",
                           " ",
                           "nobody",
                           "@example.org",
                           "anna@",
                           "anna@example",
                           "anna@huber@example.org",
                           "anna@.org",
                           "anna@example.",
                           "anna@example..org",
                           ".anna@example.org",
                           "anna.@example.org",
                           "an..na@example.org",
                           "anna@-example.org",
                           "anna@example-.org",
                           "anna@exa_mple.org",
                           "anna@192.0.2.1",
                           "anna@[192.0.2.1]",

                           "anna@exa%6dple.org",
                           "anna@example.org.",
                           "jörg@example.org",
                           "\"anna\"@example.org",
                           "anna@\xff.org",
                           "anna@\u200b.org"})
    EXPECT_FALSE(email_address(none)) << none;
}

TEST(EmailAddresses, HoldNoSpacesNorControlCharacters) {
  for (const std::string& none :
       {std::string("an na@example.org"), std::string("anna@example.org\n"),
        std::string("anna\t@example.org"), std::string("anna@exam\u00a0ple.org"),
        std::string("anna@exam\0ple.org", 17), std::string("anna@example.org\r\nRCPT TO:<b@example.org>"),
        std::string("anna@example.org\u2028"), std::string("anna@example.org, b@example.org"),
        std::string("<anna@example.org>")})
    EXPECT_FALSE(email_address(none)) << none;
}

TEST(EmailAddresses, AreOnlySoLong) {
  const std::string local(64, 'a'), label(61, 'b');
  const std::string domain = "@" + label + "." + label + "." + label + ".de";  // 189 bytes
  EXPECT_TRUE(email_address(local + domain));
  EXPECT_FALSE(email_address(local + "a" + domain));
  EXPECT_TRUE(email_address("a@" + std::string(63, 'b') + ".de"));
  EXPECT_FALSE(email_address("a@" + std::string(64, 'b') + ".de"));
  EXPECT_TRUE(email_address(local + domain + "x"));
  EXPECT_FALSE(email_address(local + domain + "xy"));
  EXPECT_FALSE(email_address(std::string(1'000'000, 'a') + "@example.org"));
}

}  // namespace
