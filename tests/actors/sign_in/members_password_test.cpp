// Passwords: forgotten, replaced.
#include "tests/actors/sign_in/member_fixture.hpp"

namespace {

using namespace actors;
using test::kAnna;
using test::kOtherPassword;
using test::kPassword;

using MembersTest = test::MemberFixture;

TEST_F(MembersTest, ANewPasswordByMailEndsAllSessionsAndTheOldPassword) {
  const std::string old = join();
  EXPECT_EQ(deed(AskForNewPassword{kAnna, "192.0.2.9"}).value().fault, MemberFault::none);
  const std::string link = token();
  EXPECT_EQ(deed(SetNewPassword{link, "zu kurz", ""}).value().fault, MemberFault::unfit_password);
  const auto reply = deed(SetNewPassword{link, kOtherPassword, "Firefox"}).value();
  EXPECT_EQ(reply.fault, MemberFault::none);
  EXPECT_TRUE(who(reply.session).signed_in);
  EXPECT_FALSE(who(old).signed_in);
  EXPECT_EQ(sign_in(kAnna, kPassword).fault, MemberFault::wrong);
  EXPECT_EQ(sign_in(kAnna, kOtherPassword).fault, MemberFault::none);
  EXPECT_EQ(deed(SetNewPassword{link, kPassword, ""}).value().fault, MemberFault::dead_link);
}

TEST_F(MembersTest, ASignInWithTheOldPasswordThatIsUnderWayComesTooLate) {
  join();
  std::string old = kPassword, fresh = kOtherPassword;
  for (unsigned seed = 0; seed < 30; ++seed) {
    advance(kHour_ms);  // so that mails and tries are not counted together
    deed(AskForNewPassword{kAnna, "192.0.2.9"});
    const auto late = send_deed(SignIn{kAnna, old, "192.0.2.7", ""});
    const auto change = send_deed(SetNewPassword{token(), fresh, ""});
    run_shuffled(seed);
    ASSERT_EQ((*change)->fault, MemberFault::none) << seed;
    EXPECT_FALSE(who((*late)->session).signed_in) << seed;
    EXPECT_EQ(sign_in(kAnna, old).fault, MemberFault::wrong) << seed;
    std::swap(old, fresh);
  }
}

TEST_F(MembersTest, AnAskedForPasswordOfNobodyAnswersTheSameAndMailsNothing) {
  EXPECT_EQ(deed(AskForNewPassword{"nobody@example.org", "192.0.2.9"}).value().fault, MemberFault::none);
  EXPECT_TRUE(script.posted.empty());
}

TEST_F(MembersTest, AnAccountOfAnOperatorGetsItsPasswordByMail) {
  account();  // a1@b.example
  EXPECT_EQ(sign_in("a1@b.example", "").fault, MemberFault::wrong);
  deed(AskForNewPassword{"a1@b.example", "192.0.2.9"});
  EXPECT_EQ(deed(SetNewPassword{token(), kPassword, ""}).value().fault, MemberFault::none);
  EXPECT_EQ(sign_in("a1@b.example", kPassword).fault, MemberFault::none);
}

TEST_F(MembersTest, AChangedPasswordKeepsThisSessionAndEndsTheOthers) {
  const std::string other = join();
  const std::string own = sign_in(kAnna, kPassword).session;
  const auto state = who(own);
  EXPECT_EQ(deed(ChangePassword{state.person.account, "falsches Passwort", kOtherPassword, state.fingerprint})
                .value()
                .fault,
            MemberFault::wrong);
  EXPECT_EQ(
      deed(ChangePassword{state.person.account, kPassword, kOtherPassword, state.fingerprint}).value().fault,
      MemberFault::none);
  EXPECT_TRUE(who(own).signed_in);
  EXPECT_FALSE(who(other).signed_in);
  EXPECT_EQ(sign_in(kAnna, kOtherPassword).fault, MemberFault::none);
  EXPECT_NE(script.posted.back().subject.find("geändert"), std::string::npos);
  // They outlive the password, so a thief who made one would, too.
  for (const char* lasting : {"Passkeys", "API-Schlüssel", "/konto"})
    EXPECT_NE(script.posted.back().text.find(lasting), std::string::npos) << lasting;
}

TEST_F(MembersTest, ANewPasswordEndsTheLinksForAnotherOne) {
  const auto state = who(join());
  deed(AskForNewPassword{kAnna, "192.0.2.9"});
  const std::string link = token();
  advance(1);
  ASSERT_EQ(
      deed(ChangePassword{state.person.account, kPassword, kOtherPassword, state.fingerprint}).value().fault,
      MemberFault::none);
  EXPECT_EQ(deed(SetNewPassword{link, kPassword, ""}).value().fault, MemberFault::dead_link);
  EXPECT_EQ(sign_in(kAnna, kOtherPassword).fault, MemberFault::none);
}

TEST_F(MembersTest, TheFirstPasswordOfAnOperatorsAccountEndsTheOtherLinksToo) {
  account();  // a1@b.example
  deed(AskForNewPassword{"a1@b.example", "192.0.2.9"});
  const std::string first = token();
  deed(AskForNewPassword{"a1@b.example", "192.0.2.9"});
  EXPECT_EQ(deed(SetNewPassword{token(), kPassword, ""}).value().fault, MemberFault::none);
  EXPECT_EQ(deed(SetNewPassword{first, kOtherPassword, ""}).value().fault, MemberFault::dead_link);
}

}  // namespace
