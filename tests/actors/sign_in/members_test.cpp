// Signing up, in and out, and what others learn from it.
#include "actors/accounts/key_text.hpp"
#include "persistence/keys.hpp"
#include "tests/actors/sign_in/member_fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::created_project;
using test::told;

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
}

TEST_F(MembersTest, AnotherEmailAddressHoldsAfterItsOwnersClick) {
  const std::string session = join();
  const auto id = id_of(session);
  EXPECT_EQ(deed(ChangeEmail{id, kPassword, "neu@example.org"}).value().fault, MemberFault::none);
  EXPECT_EQ(sign_in("neu@example.org", kPassword).fault, MemberFault::wrong);
  EXPECT_EQ(deed(ConfirmEmail{token()}).value().fault, MemberFault::none);
  EXPECT_EQ(who(session).person.email, "neu@example.org");
  EXPECT_EQ(sign_in("neu@example.org", kPassword).fault, MemberFault::none);
  EXPECT_EQ(sign_in(kAnna, kPassword).fault, MemberFault::wrong);
  EXPECT_EQ(add_account(kAnna).rfind("refused", 0), std::string::npos);
}

TEST_F(MembersTest, TheOldAddressIsToldWhenAnotherHasTakenItsPlace) {
  const auto id = id_of(join());
  deed(ChangeEmail{id, kPassword, "neu@example.org"});
  EXPECT_EQ(deed(ConfirmEmail{token()}).value().fault, MemberFault::none);
  EXPECT_EQ(script.posted.back().to.address, kAnna);
  EXPECT_NE(script.posted.back().text.find("neu@example.org"), std::string::npos);
}

TEST_F(MembersTest, ANewPasswordEndsAChangeOfTheEmailAddressThatWaits) {
  const auto state = who(join());
  const auto id = state.person.account;
  deed(ChangeEmail{id, kPassword, "dieb@example.org"});
  const std::string link = token();
  advance(1);  // passwords are told apart by when they were set
  EXPECT_TRUE(asked<MailLink>(members(), ReadMailLink{link})->valid);
  ASSERT_EQ(deed(ChangePassword{id, kPassword, kOtherPassword, state.fingerprint}).value().fault,
            MemberFault::none);
  EXPECT_FALSE(asked<MailLink>(members(), ReadMailLink{link})->valid);
  EXPECT_EQ(deed(ConfirmEmail{link}).value().fault, MemberFault::dead_link);
  EXPECT_EQ(sign_in(kAnna, kOtherPassword).fault, MemberFault::none);
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

TEST_F(MembersTest, AnEmailAddressThatHasAnAccountIsNotTakenOver) {
  const std::string anna = join();
  join("bert@example.org");
  const std::size_t before = script.posted.size();
  EXPECT_EQ(deed(ChangeEmail{id_of(anna), kPassword, "bert@example.org"}).value().fault, MemberFault::none);
  for (std::size_t i = before; i < script.posted.size(); ++i)
    EXPECT_EQ(script.posted[i].text.find("/konto/email/"), std::string::npos);
}

TEST_F(MembersTest, AClosedAccountOpensNothingAndLeavesNothing) {
  const std::string session = join();
  const auto id = id_of(session);
  const std::string key = asked<AdminReply>(account_shard(id), AddKey{id, "eins"}).value().text;
  const auto made = create(key, "Gasse 1");
  finish(run_of(created_project(made)));
  EXPECT_EQ(deed(CloseAccount{id, kOtherPassword}).value().fault, MemberFault::wrong);
  EXPECT_EQ(told(query(key, created_project(made))), "finished");
  EXPECT_EQ(deed(CloseAccount{id, kPassword}).value().fault, MemberFault::none);
  EXPECT_FALSE(who(session).signed_in);
  EXPECT_EQ(sign_in(kAnna, kPassword).fault, MemberFault::wrong);
  EXPECT_EQ(told(query(key, created_project(made))), "schluessel_ungueltig");
  advance(kMinute_ms);
  const std::string prefix = persistence::number_key(id);
  for (std::size_t table = 0; table < persistence::kTables; ++table) {
    if (static_cast<Table>(table) == Table::meta) continue;
    const auto scanned = store->scan(static_cast<Table>(table), {}, persistence::Store::Order::ascending, {},
                                     [&](std::string_view found, std::string_view value) {
                                       EXPECT_FALSE(found.starts_with(prefix))
                                           << persistence::name_of(static_cast<Table>(table));
                                       EXPECT_EQ(value.find(kAnna), std::string_view::npos)
                                           << persistence::name_of(static_cast<Table>(table));
                                       return true;
                                     });
    ASSERT_TRUE(scanned);
  }
  EXPECT_EQ(sign_up(kAnna, "203.0.113.4"), MemberFault::none);  // the address is free again
}

TEST_F(MembersTest, AClosedAccountIsErasedAfterAKill) {
  const std::string session = join();
  const auto id = id_of(session);
  asked<AdminReply>(account_shard(id), AddKey{id, "eins"});
  EXPECT_EQ(deed(CloseAccount{id, kPassword}).value().fault, MemberFault::none);
  restart();
  advance(kMinute_ms);
  EXPECT_EQ(rows(Table::accounts), 0U);
  EXPECT_EQ(rows(Table::keys), 0U);
}

TEST_F(MembersTest, ATestAccountIsErasedSomeTimeAfterItsEndAndAGrantedOneStays) {
  const auto id = id_of(join());
  join("bert@example.org");
  EXPECT_TRUE(asked<AdminReply>(members(), GrantAccount{id}).value().ok);
  advance((30 + 59) * kDay_ms);
  EXPECT_EQ(rows(Table::accounts), 2U);
  advance(2 * kDay_ms);
  advance(kMinute_ms);
  EXPECT_EQ(rows(Table::accounts), 1U);
  EXPECT_EQ(sign_in(kAnna, kPassword).fault, MemberFault::none);
}

TEST_F(MembersTest, NothingIsToldAsDoneThatTheDiskRefuses) {
  start();
  script.disk_refuses = true;
  EXPECT_EQ(sign_up(kAnna), MemberFault::disk);
  EXPECT_TRUE(script.posted.empty());
  script.disk_refuses = false;
  sign_up(kAnna);
  script.disk_refuses = true;
  EXPECT_EQ(deed(ConfirmSignUp{token(), kPassword, "192.0.2.7", ""}).value().fault, MemberFault::disk);
  script.disk_refuses = false;
  EXPECT_EQ(deed(ConfirmSignUp{token(), kPassword, "192.0.2.7", ""}).value().fault, MemberFault::none);
}

TEST_F(MembersTest, ADiskThatIsLateIsNeitherAYesNorANo) {
  sign_up(kAnna);
  script.disk_silent = true;
  const auto late = send_deed(ConfirmSignUp{token(), kPassword, "192.0.2.7", ""});
  advance(options.journal_timeout_s * std::int64_t{1000});
  ASSERT_TRUE(*late);
  EXPECT_EQ((*late)->fault, MemberFault::unknown_yet);
  EXPECT_EQ(deed(ConfirmSignUp{token(), kPassword, "192.0.2.7", ""}).value().fault,
            MemberFault::busy);  // it is still being used
  disk_speaks();
  EXPECT_EQ(rows(Table::accounts), 1U);
  EXPECT_EQ(sign_in(kAnna, kPassword).fault, MemberFault::none);
}

// ---- mail -----------------------------------------------------------------------------------------------

TEST_F(MembersTest, AMailThatNobodyTakesIsSentAgainWithGrowingPausesForADay) {
  script.mail_ends = Delivery::Kind::later;
  sign_up(kAnna);
  EXPECT_EQ(script.posted.size(), 1U);
  advance(kMinute_ms);
  EXPECT_EQ(script.posted.size(), 2U);
  advance(kMinute_ms);
  EXPECT_EQ(script.posted.size(), 2U);
  advance(kMinute_ms);
  EXPECT_EQ(script.posted.size(), 3U);
  EXPECT_EQ(script.posted[0].id, script.posted[2].id);
  script.mail_ends = Delivery::Kind::accepted;
  for (int i = 0; i < 24; ++i) advance(kHour_ms);
  EXPECT_EQ(script.posted.size(), 4U);
  EXPECT_EQ(rows(Table::outbox), 0U);
}

TEST_F(MembersTest, AMailIsGivenUpAfterADayOrWhenItIsRefused) {
  script.mail_ends = Delivery::Kind::later;
  sign_up(kAnna);
  for (int i = 0; i < 26; ++i) advance(kHour_ms);
  EXPECT_EQ(rows(Table::outbox), 0U);
  script.mail_ends = Delivery::Kind::refused;
  sign_up("bert@example.org");
  EXPECT_EQ(rows(Table::outbox), 0U);
}

TEST_F(MembersTest, AMailWaitsForTheNextProgram) {
  script.mail_ends = Delivery::Kind::later;
  sign_up(kAnna);
  script.mail_ends = Delivery::Kind::accepted;
  now_ms += kHour_ms;
  restart();
  EXPECT_EQ(script.posted.size(), 2U);
  EXPECT_EQ(rows(Table::outbox), 0U);
}

TEST_F(MembersTest, AMailThatIsOutIsNotSentAgainWhileTheDiskRefuses) {
  script.mail_ends = Delivery::Kind::later;
  sign_up(kAnna);
  script.mail_ends = Delivery::Kind::accepted;
  script.disk_refuses = true;
  advance(kMinute_ms);
  for (int i = 0; i < 10; ++i) advance(10'000);
  EXPECT_EQ(script.posted.size(), 2U);
  EXPECT_EQ(rows(Table::outbox), 1U);
  script.disk_refuses = false;
  advance(10'000);
  EXPECT_EQ(script.posted.size(), 2U);
  EXPECT_EQ(rows(Table::outbox), 0U);
}

TEST_F(MembersTest, AClockThatIsSetBackLetsNoMailLie) {
  for (const std::int64_t back_ms : {30 * kMinute_ms, 365 * kDay_ms}) {
    script.mail_ends = Delivery::Kind::later;
    sign_up("p" + std::to_string(back_ms) + "@example.org");
    script.mail_ends = Delivery::Kind::accepted;
    now_ms -= back_ms;
    for (int i = 0; i < 60; ++i) advance(kMinute_ms);
    EXPECT_EQ(rows(Table::outbox), 0U) << back_ms;
  }
}

// ---- keys and use ---------------------------------------------------------------------------------------

TEST_F(MembersTest, TheOwnerSeesKeysWithTheirUseAndOldOnesGiveWay) {
  const auto id = id_of(join());
  const std::string key = asked<AdminReply>(account_shard(id), AddKey{id, "eins"}).value().text;
  for (int i = 0; i < 3; ++i) query(key, 1);
  advance(40 * kDay_ms - 11 * kDay_ms);
  query(key, 1);
  auto keys = asked<KeyList>(account_shard(id), ListKeys{id}).value().keys;
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys[0].ending, key.substr(key.size() - 4));
  EXPECT_EQ(keys[0].requests, 4U);
  EXPECT_EQ(keys[0].last_used_ms, now_ms);
  advance(31'000);  // counts are written every half minute
  restart();
  EXPECT_EQ(asked<KeyList>(account_shard(id), ListKeys{id}).value().keys[0].requests, 4U);
  const auto usage = asked<Usage>(account_shard(id), ReadUsage{id}).value();
  EXPECT_EQ(usage.requests.back(), 1U);
  EXPECT_EQ(usage.requests.front(), 3U);
  EXPECT_EQ(usage.limits.at(static_cast<std::size_t>(LimitClass::status)).remaining,
            options.limits.status_per_hour - 1);
}

TEST_F(MembersTest, AReplacedKeyHoldsUntilTheOverlapIsOver) {
  const auto id = id_of(join());
  const std::string old = asked<AdminReply>(account_shard(id), AddKey{id, "eins"}).value().text;
  const auto made =
      asked<AdminReply>(account_shard(id), ReplaceKey{id, key_id(fingerprint_of(old)), 3600}).value();
  ASSERT_TRUE(made.ok);
  EXPECT_EQ(told(query(old, 1)), "projekt_unbekannt");
  EXPECT_EQ(told(query(made.text, 1)), "projekt_unbekannt");
  advance(kHour_ms);
  EXPECT_EQ(told(query(old, 1)), "schluessel_ungueltig");
  EXPECT_EQ(told(query(made.text, 1)), "projekt_unbekannt");
  EXPECT_FALSE(
      asked<AdminReply>(account_shard(id), ReplaceKey{id, key_id(fingerprint_of(old)), 0}).value().ok);
}

TEST_F(MembersTest, ASessionCountsAgainstTheAccountsLimitOnlyForWhatItMakes) {
  options.limits.create_per_hour = 1;
  const auto id = id_of(join());
  const auto call = [&](bool counted, Command command) {
    return asked<Answer>(account_shard(id), MemberCall{id, counted, LimitClass::create, std::move(command)})
        .value();
  };
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(caf::holds_alternative<ProjectPage>(call(false, ListProjects{}).outcome));
  EXPECT_TRUE(caf::holds_alternative<Created>(call(true, creation("Gasse 1")).outcome));
  const auto second = call(true, creation("Gasse 2"));
  ASSERT_TRUE(caf::holds_alternative<Refusal>(second.outcome));
  EXPECT_EQ(caf::get<Refusal>(second.outcome).code, Code::ratengrenze);
}

TEST_F(MembersTest, TheOwnerOfATestAccountThatIsOverLooksButMakesNothing) {
  const auto id = id_of(join());
  const std::string key = asked<AdminReply>(account_shard(id), AddKey{id, "eins"}).value().text;
  advance(31 * kDay_ms);
  const auto looked =
      asked<Answer>(account_shard(id), MemberCall{id, false, LimitClass::create, ListProjects{}});
  EXPECT_TRUE(caf::holds_alternative<ProjectPage>(looked->outcome));
  const auto made =
      asked<Answer>(account_shard(id), MemberCall{id, true, LimitClass::create, creation("Gasse 1")});
  EXPECT_TRUE(caf::holds_alternative<Refusal>(made->outcome));
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
}

}  // namespace
