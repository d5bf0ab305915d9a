// Accounts: closed, erased, granted; and a disk that refuses or is late.
#include "persistence/keys.hpp"
#include "tests/actors/sign_in/member_fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::created_project;
using test::kAnna;
using test::kOtherPassword;
using test::kPassword;
using test::told;

using MembersTest = test::MemberFixture;

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
  EXPECT_TRUE(asked<AdminReply>(members(), GrantAccount{0, kAnna}).value().ok);
  EXPECT_FALSE(asked<AdminReply>(members(), GrantAccount{0, "niemand@example.org"}).value().ok);
  EXPECT_FALSE(asked<AdminReply>(members(), GrantAccount{0, ""}).value().ok);
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

}  // namespace
