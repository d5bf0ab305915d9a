// Signing in, and the sessions.
#include "tests/actors/sign_in/member_fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::kAnna;
using test::kOtherPassword;
using test::kPassword;

using MembersTest = test::MemberFixture;

TEST_F(MembersTest, APasswordOpensAndAWrongOneDoesNot) {
  join();
  const auto right = sign_in("ANNA@example.org", kPassword);
  EXPECT_EQ(right.fault, MemberFault::none);
  EXPECT_EQ(right.lifetime_s, 30 * 24 * 3600);
  EXPECT_EQ(sign_in(kAnna, kOtherPassword).fault, MemberFault::wrong);
  EXPECT_EQ(sign_in("nobody@example.org", kPassword).fault, MemberFault::wrong);
  EXPECT_EQ(sign_in("no address", kPassword).fault, MemberFault::wrong);
}

TEST_F(MembersTest, APasswordIsGuessedTenTimesAQuarterOfAnHour) {
  join();
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(sign_in(kAnna, kOtherPassword, "192.0.2." + std::to_string(i)).fault, MemberFault::wrong);
  EXPECT_EQ(sign_in(kAnna, kPassword, "192.0.2.99").fault, MemberFault::too_many);
  advance(15 * kMinute_ms);
  EXPECT_EQ(sign_in(kAnna, kPassword, "192.0.2.99").fault, MemberFault::none);
}

TEST_F(MembersTest, OneCallingAddressGuessesSixtyTimesWhoeverItTries) {
  join();
  int wrong = 0;
  for (int i = 0; i < 100; ++i) {
    // Its own account's password in between does not buy it new tries.
    if (i % 5 == 0) sign_in(kAnna, kPassword);
    wrong += sign_in(std::to_string(i) + "@example.org", kPassword).fault == MemberFault::wrong ? 1 : 0;
  }
  EXPECT_LE(wrong, 60);
}

TEST_F(MembersTest, WhoHasUsedUpHisOwnGuessesUsesUpNobodyElses) {
  join();
  const std::string stranger = "192.0.2.66";
  for (int i = 0; i < 60; ++i)
    EXPECT_EQ(sign_in(std::to_string(i) + "@example.org", kPassword, stranger).fault, MemberFault::wrong);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(sign_in(kAnna, kOtherPassword, stranger).fault, MemberFault::too_many);
  EXPECT_EQ(sign_in(kAnna, kPassword).fault, MemberFault::none);
}

TEST_F(MembersTest, WhatIsNoAddressIsCountedForItsCallerAlone) {
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(sign_in("no address", kPassword, "192.0.2.66").fault, MemberFault::wrong);
  EXPECT_EQ(sign_in("no address", kPassword, "192.0.2.66").fault, MemberFault::too_many);
  EXPECT_EQ(sign_in("anna@", kPassword).fault, MemberFault::wrong);
}

TEST_F(MembersTest, ASessionEndsAfterThirtyDaysWithoutUseOrTwelveHours) {
  join();
  const std::string lasting = sign_in(kAnna, kPassword).session;
  const std::string today = deed(SignIn{kAnna, kPassword, "192.0.2.7", "", true}).value().session;
  advance(11 * kHour_ms);
  EXPECT_TRUE(who(today).signed_in);  // which prolongs it
  advance(11 * kHour_ms);
  EXPECT_TRUE(who(today).signed_in);
  advance(12 * kHour_ms);
  EXPECT_FALSE(who(today).signed_in);
  advance(28 * kDay_ms);
  EXPECT_TRUE(who(lasting).signed_in);
  restart();
  advance(29 * kDay_ms);
  EXPECT_TRUE(who(lasting).signed_in);
  advance(30 * kDay_ms);
  EXPECT_FALSE(who(lasting).signed_in);
}

TEST_F(MembersTest, TheSweepRemovesWhatHasExpired) {
  join();
  sign_up("bert@example.org");
  ASSERT_GT(rows(Table::sessions), 0U);
  ASSERT_GT(rows(Table::tokens), 0U);
  advance(31 * kDay_ms);
  EXPECT_EQ(rows(Table::sessions), 0U);
  EXPECT_EQ(rows(Table::tokens), 0U);
}

TEST_F(MembersTest, ASessionThatWasEndedOpensNothingEvenBeforeTheDiskKnows) {
  const std::string stolen = join();
  const auto state = who(stolen);
  script.disk_silent = true;
  const auto ending = send_deed(EndSessions{state.person.account, state.fingerprint, false});
  run();
  EXPECT_FALSE(who(stolen).signed_in);
  disk_speaks();
  EXPECT_EQ((*ending)->fault, MemberFault::none);
  EXPECT_FALSE(who(stolen).signed_in);
  restart();
  EXPECT_FALSE(who(stolen).signed_in);
}

TEST_F(MembersTest, EverywhereEndsASessionThatIsStillOnItsWayToTheDisk) {
  const std::string own = join();
  const auto state = who(own);
  script.disk_silent = true;
  const auto late = send_deed(SignIn{kAnna, kPassword, "192.0.2.7", ""});
  run();
  const auto ending = send_deed(EndSessions{state.person.account, {}, true});
  run();
  disk_speaks();
  EXPECT_EQ((*ending)->fault, MemberFault::none);
  EXPECT_FALSE(who((*late)->session).signed_in);
  EXPECT_FALSE(who(own).signed_in);
  EXPECT_EQ(rows(Table::sessions), 0U);
}

TEST_F(MembersTest, AnotherAccountsSessionCannotBeEnded) {
  const std::string anna = join();
  const std::string bert = join("bert@example.org");
  deed(EndSessions{id_of(bert), who(anna).fingerprint, false});
  restart();
  EXPECT_TRUE(who(anna).signed_in);
}

TEST_F(MembersTest, TextsThatAreNoSessionOpenNothing) {
  const std::string session = join();
  std::string changed = session;
  changed[20] = changed[20] == 'A' ? 'B' : 'A';
  for (const std::string& text : {std::string(), std::string("x"), session + "A", session.substr(1), changed,
                                  std::string(5000, 'A'), std::string("\0\xff", 2)})
    EXPECT_FALSE(who(text).signed_in) << text;
}

}  // namespace
