// Signing up, and what others learn from it.
#include "tests/actors/sign_in/member_fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::kAnna;
using test::kOtherPassword;
using test::kPassword;

using MembersTest = test::MemberFixture;

TEST_F(MembersTest, AnAccountIsMadeByTheMailsPageAndNotByTheSignUp) {
  EXPECT_EQ(sign_up(kAnna), MemberFault::none);
  EXPECT_EQ(rows(Table::accounts), 0U);
  ASSERT_EQ(script.posted.size(), 1U);
  EXPECT_EQ(script.posted[0].to.address, kAnna);
  EXPECT_NE(script.posted[0].text.find("https://web.example/bestaetigen/"), std::string::npos);
  const auto reply = deed(ConfirmSignUp{token(), kPassword, "192.0.2.7", "Firefox"}).value();
  const auto state = who(reply.session);
  EXPECT_TRUE(state.signed_in);
  EXPECT_EQ(state.person.email, kAnna);
  EXPECT_EQ(state.person.plan, "test");
  EXPECT_EQ(state.person.expires_ms, now_ms + 30 * kDay_ms);
  EXPECT_EQ(rows(Table::outbox), 0U);
}

TEST_F(MembersTest, LookingAtTheLinkDoesNotUseIt) {
  sign_up(kAnna);
  for (int i = 0; i < 3; ++i) {
    const auto link = asked<MailLink>(members(), ReadMailLink{token()}).value();
    EXPECT_TRUE(link.valid && link.sign_up);
    EXPECT_EQ(link.email, kAnna);
  }
  EXPECT_EQ(rows(Table::accounts), 0U);
  EXPECT_EQ(deed(ConfirmSignUp{token(), kPassword, "192.0.2.7", ""}).value().fault, MemberFault::none);
}

TEST_F(MembersTest, ALinkWorksOnceForADayAndForItsOwnDeed) {
  sign_up(kAnna);
  const std::string used = token();
  EXPECT_EQ(deed(SetNewPassword{used, kOtherPassword, ""}).value().fault, MemberFault::dead_link);
  EXPECT_EQ(deed(ConfirmEmail{used}).value().fault, MemberFault::dead_link);
  const auto first = send_deed(ConfirmSignUp{used, kPassword, "192.0.2.7", ""});
  const auto second = send_deed(ConfirmSignUp{used, kPassword, "192.0.2.7", ""});
  run();
  EXPECT_NE((*first)->fault == MemberFault::none, (*second)->fault == MemberFault::none);
  EXPECT_EQ(deed(ConfirmSignUp{used, kPassword, "192.0.2.7", ""}).value().fault, MemberFault::dead_link);
  EXPECT_EQ(rows(Table::accounts), 1U);
  sign_up("bert@example.org");
  advance(24 * kHour_ms);
  EXPECT_EQ(deed(ConfirmSignUp{token(), kPassword, "192.0.2.7", ""}).value().fault, MemberFault::dead_link);
}

/// A stranger signs up with somebody else's address. Her click must not give her an account whose password
/// the stranger knows.
TEST_F(MembersTest, AnAccountNeedsTheMailboxAndThePasswordOfTheSignUp) {
  sign_up(kAnna);
  const std::string link = token();
  EXPECT_EQ(deed(ConfirmSignUp{link, kOtherPassword, "192.0.2.8", ""}).value().fault, MemberFault::wrong);
  EXPECT_EQ(deed(ConfirmSignUp{link, "", "192.0.2.8", ""}).value().fault, MemberFault::wrong);
  EXPECT_EQ(rows(Table::accounts), 0U);
  deed(SignUp{kAnna, kOtherPassword, "192.0.2.8"});  // her own sign-up, with a password of hers
  const auto own = deed(ConfirmSignUp{token(), kOtherPassword, "192.0.2.8", ""}).value();
  EXPECT_EQ(own.fault, MemberFault::none);
  EXPECT_EQ(deed(ConfirmSignUp{link, kPassword, "192.0.2.7", ""}).value().fault, MemberFault::dead_link);
  EXPECT_EQ(sign_in(kAnna, kPassword).fault, MemberFault::wrong);
}

TEST_F(MembersTest, ThePasswordOfASignUpIsGuessedTenTimesAtMost) {
  sign_up(kAnna);
  int wrong = 0;
  for (int i = 0; i < 30; ++i)
    wrong += deed(ConfirmSignUp{token(), kOtherPassword, "192.0.2." + std::to_string(i), ""}).value().fault ==
                     MemberFault::wrong
                 ? 1
                 : 0;
  EXPECT_EQ(wrong, 10);
  const auto right = deed(ConfirmSignUp{token(), kPassword, "192.0.2.99", ""}).value();
  EXPECT_EQ(right.fault, MemberFault::too_many);
  EXPECT_GT(right.retry_after_s, 0U);
  EXPECT_EQ(rows(Table::accounts), 0U);
}

TEST_F(MembersTest, ALinkSurvivesARestartAndSoDoesTheSession) {
  sign_up(kAnna);
  restart();
  const auto reply = deed(ConfirmSignUp{token(), kPassword, "192.0.2.7", ""}).value();
  restart();
  EXPECT_TRUE(who(reply.session).signed_in);
}

TEST_F(MembersTest, TwoSignUpsOfOneAddressMakeOneAccount) {
  sign_up(kAnna);
  const std::string first = token();
  sign_up(" Anna@Example.ORG ");
  const std::string second = token();
  ASSERT_NE(first, second);
  EXPECT_EQ(deed(ConfirmSignUp{second, kPassword, "192.0.2.7", ""}).value().fault, MemberFault::none);
  EXPECT_EQ(deed(ConfirmSignUp{first, kPassword, "192.0.2.7", ""}).value().fault, MemberFault::dead_link);
  EXPECT_EQ(rows(Table::accounts), 1U);
}

TEST_F(MembersTest, NobodyLearnsFromASignUpWhetherAnAddressHasAnAccount) {
  join();
  const auto known = deed(SignUp{kAnna, kOtherPassword, "192.0.2.8"}).value();
  const auto unknown = deed(SignUp{"bert@example.org", kOtherPassword, "192.0.2.8"}).value();
  EXPECT_EQ(known.fault, unknown.fault);
  EXPECT_EQ(script.posted[1].to.address, kAnna);
  EXPECT_EQ(script.posted[1].text.find("/bestaetigen/"), std::string::npos);
  EXPECT_EQ(sign_in(kAnna, kOtherPassword).fault, MemberFault::wrong);
}

TEST_F(MembersTest, NobodysMailboxIsFlooded) {
  join();  // the first mail
  for (int i = 0; i < 40; ++i) sign_up(kAnna, "192.0.2." + std::to_string(i));
  EXPECT_EQ(script.posted.size(), 5U);
  for (int i = 0; i < 40; ++i) deed(AskForNewPassword{kAnna, "198.51.100." + std::to_string(i)});
  EXPECT_EQ(script.posted.size(), 10U);
}

TEST_F(MembersTest, AMailThatIsNotSentIsNotToldAsSentWhetherOrNotThereIsAnAccount) {
  join();
  deed(SignUp{"nobody@example.org", kPassword, "192.0.2.7"});  // both have had one mail
  for (int i = 0; i < 8; ++i) {
    const std::string from = "198.51.100." + std::to_string(i);
    for (const std::string& email : {std::string(kAnna), std::string("nobody@example.org")}) {
      EXPECT_EQ(sign_up(email, from + "0"), i < 4 ? MemberFault::none : MemberFault::too_many) << email << i;
      const auto reset = deed(AskForNewPassword{email, from + "1"}).value();
      EXPECT_EQ(reset.fault, i < 5 ? MemberFault::none : MemberFault::too_many) << email << i;
      EXPECT_EQ(reset.retry_after_s, i < 5 ? 0U : 3600U) << email << i;
    }
  }
}

TEST_F(MembersTest, AStrangersSignUpsDoNotKeepAnOwnerFromANewPassword) {
  join();
  for (int i = 0; i < 5; ++i) sign_up(kAnna, "198.51.100.1");
  EXPECT_EQ(deed(AskForNewPassword{kAnna, "192.0.2.9"}).value().fault, MemberFault::none);
  EXPECT_EQ(deed(SetNewPassword{token(), kOtherPassword, ""}).value().fault, MemberFault::none);
}

TEST_F(MembersTest, AMailboxThatHasHadItsMailsCostsNoHash) {
  for (int i = 0; i < 5; ++i) sign_up(kAnna, "192.0.2." + std::to_string(i));
  const auto sixth = send_deed(SignUp{kAnna, kPassword, "192.0.2.9"});
  int turns = 0;
  while (!*sixth && scheduler().try_run_once()) ++turns;
  ASSERT_TRUE(*sixth);
  EXPECT_LE(turns, 3) << "who asks, the members, who asked; nobody else";
}

TEST_F(MembersTest, OneCallingAddressSignsUpFiveTimesAnHour) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(sign_up(std::to_string(i) + "@example.org"), MemberFault::none);
  const auto refused = deed(SignUp{"6@example.org", kPassword, "192.0.2.7"}).value();
  EXPECT_EQ(refused.fault, MemberFault::too_many);
  EXPECT_EQ(refused.retry_after_s, 3600U);
  advance(kHour_ms);
  EXPECT_EQ(sign_up("6@example.org"), MemberFault::none);
}

TEST_F(MembersTest, ASignUpWithAPasswordThatIsGuessedFirstSendsNoMail) {
  const auto reply = deed(SignUp{kAnna, "passwort1234", "192.0.2.7"}).value();
  EXPECT_EQ(reply.fault, MemberFault::unfit_password);
  EXPECT_EQ(deed(SignUp{"no address", kPassword, "192.0.2.7"}).value().fault, MemberFault::no_email);
  EXPECT_TRUE(script.posted.empty());
}

TEST_F(MembersTest, AClosedServiceTakesNoAccounts) {
  ActorsTest::sign_in.open = false;
  EXPECT_EQ(sign_up(kAnna), MemberFault::not_open);
  EXPECT_TRUE(script.posted.empty());
}

}  // namespace
