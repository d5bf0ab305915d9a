// The limits of calling addresses survive a restart and a kill, and leave nothing behind when they have run
// out.
#include <cstdio>

#include "actors/accounts/key_text.hpp"
#include "persistence/records.hpp"
#include "tests/actors/fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::told;

struct AddressLimits : test::ActorsTest {
  AddressLimits() {
    options.address_shards = 1;
    options.limits.address_per_hour = 3;
    options.limits.address_per_day = 5;
  }
  std::uint32_t left_this_hour(const std::string& from) {
    return (*visit(from))->ticket.address.hour.remaining;
  }
  std::uint32_t left_today(const std::string& from) { return (*visit(from))->ticket.address.day.remaining; }
};

TEST_F(AddressLimits, CountsAreOnDiskASecondAfterTheRequestAndHoldAfterAKill) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(told(visit("192.0.2.7")), "welcome");
  EXPECT_EQ(rows(Table::callers), 0U);
  advance(1000);
  EXPECT_EQ(rows(Table::callers), 1U);
  restart();
  EXPECT_EQ(told(visit("192.0.2.7")), "ratengrenze");
  EXPECT_EQ(told(visit("192.0.2.8")), "welcome");
}

TEST_F(AddressLimits, CountsAreExactAfterARestartForHourAndDay) {
  for (int i = 0; i < 3; ++i) visit("192.0.2.7");
  advance(1'800'000);
  restart();
  const auto refused = visit("192.0.2.7");
  ASSERT_EQ(told(refused), "ratengrenze");
  EXPECT_EQ(test::outcome<Refusal>(refused).retry_after_s, 1800);
  advance(1'800'000);
  EXPECT_EQ(left_this_hour("192.0.2.7"), 2U);
  restart();
  EXPECT_EQ(left_this_hour("192.0.2.7"), 2U) << "a kill forgets one second at most";
  advance(1000);
  restart();
  EXPECT_EQ(told(visit("192.0.2.7")), "welcome");
  EXPECT_EQ(left_today("192.0.2.7"), 0U);
  EXPECT_EQ(told(visit("192.0.2.7")), "ratengrenze") << "the day is full";
}

TEST_F(AddressLimits, NothingIsWrittenWhenNothingHasChanged) {
  visit("192.0.2.7");
  advance(1000);
  const std::size_t before = script.commits;
  advance(60'000);
  EXPECT_EQ(script.commits, before) << "nothing has changed";
}

TEST_F(AddressLimits, AddressesWhoseDayIsOverLeaveTheDisk) {
  for (const char* from : {"192.0.2.1", "192.0.2.2", "2001:db8:1:2::/64"}) visit(from);
  advance(1000);
  EXPECT_EQ(rows(Table::callers), 3U);
  advance(kDay_ms);
  visit("192.0.2.3");
  advance(1'200'000);
  EXPECT_EQ(rows(Table::callers), 1U);
}

TEST_F(AddressLimits, WhatIsLeftOverFromBeforeARestartLeavesTheDiskAsWell) {
  visit("192.0.2.1");
  advance(1000);
  restart();
  advance(kDay_ms + 1'200'000);
  advance(1000);  // what has been swept is written like any change
  EXPECT_EQ(rows(Table::callers), 0U);
}

/// A /64 network within one /48 network: 256 of these get an hour of their own, further ones share one.
std::string network(int i) {
  char text[64];
  std::snprintf(text, sizeof text, "2001:db8:1:%x::/64", i + 1);
  return text;
}

TEST_F(AddressLimits, WhatANetworkSharesIsStillUsedUpAfterARestart) {
  for (int i = 0; i < 256 + 3; ++i) EXPECT_EQ(told(visit(network(i))), "welcome") << i;
  EXPECT_EQ(told(visit(network(300))), "ratengrenze") << "three strangers have used the shared hour";
  advance(1000);
  EXPECT_EQ(rows(Table::callers), 257U) << "256 of their own and one that the others share";
  restart();
  EXPECT_EQ(told(visit(network(301))), "ratengrenze");
  EXPECT_EQ(told(visit(network(1))), "welcome");
  EXPECT_EQ(told(visit("192.0.2.1")), "welcome") << "nobody else is touched";
}

TEST_F(AddressLimits, StrangersNeverLockOutAValidKey) {
  const std::string key = account();
  for (int i = 0; i < 300; ++i) visit(network(i));
  ASSERT_EQ(told(visit(network(400))), "ratengrenze");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(told(ask_from(network(400), key, ListProjects{})), "page") << "from an address like theirs";
  EXPECT_EQ(told(ask_from(network(400), key, ListProjects{})), "ratengrenze")
      << "the address's own hour holds from its first keyed request on";
  EXPECT_EQ(told(ask_from(network(401), key, ListProjects{})), "page");
}

TEST_F(AddressLimits, AKeyThatIsNoneOrNotValidCountsAmongTheStrangers) {
  const std::string key = account();
  for (int i = 0; i < 256; ++i) visit(network(i));
  const std::string well_formed = make_key(1);  // the account exists, but this key was never given out
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(told(ask_from(network(400 + i), well_formed, ListProjects{})), "schluessel_ungueltig");
  EXPECT_EQ(told(ask_from(network(500), well_formed, ListProjects{})), "ratengrenze");
  EXPECT_EQ(told(ask_from(network(501), "no key", ListProjects{})), "ratengrenze");
  EXPECT_EQ(told(ask_from(network(502), key, ListProjects{})), "page");
}

TEST_F(AddressLimits, WritesAgainWhatTheDiskHasRefused) {
  script.disk_refuses = true;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(told(visit("192.0.2.7")), "welcome");
  advance(5000);
  EXPECT_EQ(rows(Table::callers), 0U);
  script.disk_refuses = false;
  advance(1000);
  restart();
  EXPECT_EQ(told(visit("192.0.2.7")), "ratengrenze");
}

TEST_F(AddressLimits, DamagedCountsBeginAnewAndLockNobodyOut) {
  start();
  ASSERT_TRUE(store->commit({{Table::callers, "192.0.2.7", "\xff"}}));
  restart();
  EXPECT_EQ(left_today("192.0.2.7"), 4U);
}

TEST_F(AddressLimits, LimitsThatAreOffAreNotWritten) {
  options.limits.address_per_hour = 0;
  options.limits.address_per_day = 0;
  visit("192.0.2.7");
  advance(1000);
  EXPECT_EQ(rows(Table::callers), 0U);
}

}  // namespace
