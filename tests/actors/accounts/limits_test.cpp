// The limits outlive the account cache, the program and a kill.
#include "persistence/keys.hpp"
#include "persistence/records.hpp"
#include "tests/actors/fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::told;

struct Limits : test::ActorsTest {
  std::uint32_t remaining(const test::Awaited& answer) { return (*answer)->ticket.remaining; }
  test::Awaited list(const std::string& key) { return ask(key, ListProjects{}); }
};

TEST_F(Limits, AreOnDiskASecondAfterTheRequest) {
  const std::string key = account();
  for (int i = 0; i < 5; ++i) list(key);
  EXPECT_EQ(rows(Table::limits), 0U);
  advance(1000);
  EXPECT_EQ(rows(Table::limits), 1U);
  restart();
  EXPECT_EQ(remaining(list(key)), 894U);
}

TEST_F(Limits, ForgetOneSecondAtMostInAKill) {
  const std::string key = account();
  list(key);
  advance(1000);
  list(key);
  restart();
  EXPECT_EQ(remaining(list(key)), 898U);
}

TEST_F(Limits, AreWrittenOnceASecondHoweverManyRequestsCome) {
  const std::string key = account();
  const std::size_t before = script.commits;
  for (int i = 0; i < 100; ++i) list(key);
  advance(1000);
  EXPECT_EQ(script.commits, before + 1);
  advance(60'000);
  EXPECT_EQ(script.commits, before + 2);  // nothing has changed; the key's use followed after half a minute
}

TEST_F(Limits, OfACreationAreOnDiskWithWhatItStored) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const std::string key = account();
    const auto answer = send(key, creation("Gasse 1"), LimitClass::create);
    // Kill the program as soon as the project is on disk.
    const std::size_t projects = rows(Table::projects);
    while (rows(Table::projects) == projects) scheduler().run_once();
    restart();
    const auto after = ask(key, creation("Gasse 1"), LimitClass::create);
    EXPECT_EQ(told(after), "projekt_besteht_bereits");
    EXPECT_EQ(remaining(after), 18U) << seed;
  }
}

TEST_F(Limits, AKeysUseIsWrittenOnceInHalfAMinuteAndNotWithEachCreation) {
  const std::string key = account();
  for (int i = 1; i <= 5; ++i) create(key, "Gasse " + std::to_string(i));
  advance(29'000);
  EXPECT_EQ(rows(Table::key_uses), 0U);
  advance(2000);
  EXPECT_EQ(rows(Table::key_uses), 1U);
}

TEST_F(Limits, OfARestartAndASingleCallAreOnDiskAtOnceAsWell) {
  const std::string key = account();
  ask(key, SingleCall{creation("Gasse 1")}, LimitClass::analyse);
  fail(script.started[0], Code::kein_dach);
  ask(key, RestartAnalysis{1, 0, ""}, LimitClass::create);
  restart();
  EXPECT_EQ(remaining(ask(key, QueryAnalysis{1}, LimitClass::analyse)), 38U);
  EXPECT_EQ(remaining(ask(key, QueryAnalysis{1}, LimitClass::create)), 18U);
}

TEST_F(Limits, StayInForceAcrossARestart) {
  options.limits.create_per_hour = 2;
  const std::string key = account();
  ask(key, creation("Gasse 1"), LimitClass::create);
  advance(1'800'000);
  ask(key, creation("Gasse 2"), LimitClass::create);
  restart();
  EXPECT_EQ(told(ask(key, creation("Gasse 3"), LimitClass::create)), "ratengrenze");
  advance(1'800'000);
  EXPECT_EQ(told(ask(key, creation("Gasse 3"), LimitClass::create)), "created");
  EXPECT_EQ(told(ask(key, creation("Gasse 4"), LimitClass::create)), "ratengrenze");
}

TEST_F(Limits, AreNotForgottenWithTheAccountThatLeavesTheCache) {
  options.accounts_cached = 1;
  options.account_shards = 1;
  const std::string one = account(), other = account();
  for (std::uint32_t i = 1; i <= 20; ++i) {  // each pushes the other out, before and after it is saved
    EXPECT_EQ(remaining(list(one)), 900 - i);
    EXPECT_EQ(remaining(list(other)), 900 - i);
    if (i % 3 == 0) advance(1000);
  }
}

TEST_F(Limits, AreNotForgottenWithTheAccountWhileTheyAreBeingWritten) {
  options.accounts_cached = 1;
  options.account_shards = 1;
  const std::string one = account(), other = account();
  list(one);
  script.disk_silent = true;
  advance(1000);  // the counts are being written
  list(other);
  EXPECT_EQ(remaining(list(one)), 898U);
}

TEST_F(Limits, AreWrittenAgainWhenTheDiskHasRefusedThem) {
  const std::string key = account();
  script.disk_refuses = true;
  list(key);
  advance(5000);
  EXPECT_EQ(rows(Table::limits), 0U);
  EXPECT_EQ(told(list(key)), "page");  // a full disk locks nobody out
  script.disk_refuses = false;
  advance(1000);
  restart();
  EXPECT_EQ(remaining(list(key)), 897U);
}

TEST_F(Limits, LoweredByTheOperatorHoldForTheHourThatHasBegun) {
  const std::string key = account();
  for (int i = 0; i < 5; ++i) {
    list(key);
    advance(60'000);
  }
  options.limits.status_per_hour = 3;
  restart();
  const auto over = list(key);
  ASSERT_EQ(told(over), "ratengrenze");
  const int wait_s = test::outcome<Refusal>(over).retry_after_s;
  advance(1000 * wait_s);
  EXPECT_EQ(told(list(key)), "page");  // exactly when it said
  EXPECT_EQ(told(list(key)), "ratengrenze");
}

TEST_F(Limits, ThatAreOffAreNotWritten) {
  options.limits.status_per_hour = 0;
  const std::string key = account();
  list(key);
  advance(1000);
  EXPECT_EQ(rows(Table::limits), 0U);
}

TEST_F(Limits, DamagedOnDiskBeginAnewAndLockNobodyOut) {
  const std::string key = account();
  list(key);
  advance(1000);
  ASSERT_TRUE(store->commit(
      {{Table::limits, persistence::number_key(1) + '\1', "\xff"},
       {Table::limits, persistence::number_key(1) + '\x7f', encode(persistence::Window{{1}})}}));
  restart();
  EXPECT_EQ(remaining(list(key)), 899U);
}

}  // namespace
