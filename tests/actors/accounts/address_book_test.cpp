#include "actors/accounts/address_book.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace {

using actors::AddressBook;

constexpr std::int64_t kHour = 3'600'000;

actors::LimitOptions limits(std::uint32_t hour, std::uint32_t day) {
  actors::LimitOptions options;
  options.address_per_hour = hour;
  options.address_per_day = day;
  return options;
}

TEST(AddressBook, NoHourAndNoDayOfAnAddressHoldsMoreThanItsLimit) {
  AddressBook book(limits(3, 5), {});
  std::int64_t now = 0;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(book.admit("192.0.2.1", ++now).retry_after_s, 0U);
  EXPECT_EQ(book.admit("192.0.2.1", ++now).retry_after_s, 3600U);
  EXPECT_EQ(book.admit("192.0.2.2", now).retry_after_s, 0U) << "another address has its own window";
  now += kHour;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(book.admit("192.0.2.1", ++now).retry_after_s, 0U);
  const auto full_day = book.admit("192.0.2.1", ++now);
  EXPECT_NEAR(full_day.retry_after_s, 23 * 3600, 2) << "the day is full, though the hour is not";
}

TEST(AddressBook, ARefusedRequestIsNotCounted) {
  AddressBook book(limits(1, 10), {});
  book.admit("a", 0);
  for (int i = 1; i < 50; ++i) EXPECT_GT(book.admit("a", i * 1000).retry_after_s, 0U);
  EXPECT_EQ(book.admit("a", kHour).retry_after_s, 0U);
  EXPECT_EQ(book.admit("a", kHour).allowances.day.remaining, 8U) << "two of ten were let in";
}

/// A book whose room for strangers is full after this many addresses.
AddressBook::Bounds room_for(std::size_t strangers) {
  AddressBook one(limits(2, 100), {});
  one.admit("a", 0);
  return {.bytes = one.bytes() * strangers * 2, .networks_max = 256};
}

TEST(AddressBook, AFullBookForgetsNoRunningWindowAndUnknownAddressesShareOne) {
  AddressBook book(limits(2, 100), room_for(3));
  for (const char* known : {"a", "b", "c"}) book.admit(known, 0);
  EXPECT_EQ(book.admit("d", 1).retry_after_s, 0U);
  EXPECT_EQ(book.admit("e", 1).retry_after_s, 0U);
  EXPECT_GT(book.admit("f", 1).retry_after_s, 0U) << "the shared window is full";
  EXPECT_EQ(book.admit("a", 1).retry_after_s, 0U) << "a known address keeps its own";
  EXPECT_GT(book.admit("a", 1).retry_after_s, 0U);
  EXPECT_LE(book.tracked(), 4U);
  EXPECT_EQ(book.admit("f", 25 * kHour).retry_after_s, 0U) << "run-out windows make room";
}

TEST(AddressBook, ANetworkOf48BitsCannotFillIt) {
  AddressBook book(limits(500, 5000), {.bytes = 1 << 20, .networks_max = 16});
  for (int i = 0; i < 10'000; ++i) {
    char address[64];
    std::snprintf(address, sizeof address, "2001:db8:1:%x::/64", i);
    book.admit(address, i);
  }
  EXPECT_EQ(book.tracked(), 17U) << "sixteen of their own, and one that the others share";
  EXPECT_GT(book.admit("2001:db8:1:fff0::/64", 10'000).retry_after_s, 0U);
  for (const char* other : {"192.0.2.1", "2001:db8:2:1::/64"}) {
    EXPECT_TRUE(book.has_room_for(other, 10'000)) << other;
    EXPECT_EQ(book.admit(other, 10'000).allowances.hour.remaining, 499U) << other;
  }
  EXPECT_EQ(book.admit("2001:db8:1:7::/64", 10'000).allowances.hour.remaining, 498U) << "keeps its own";
  book.sweep(10'000 + 25 * kHour);
  EXPECT_EQ(book.tracked(), 0U);
  EXPECT_EQ(book.bytes(), 0U) << "what has run out takes no room";
  EXPECT_TRUE(book.has_room_for("2001:db8:1:fff0::/64", 10'000 + 25 * kHour));
}

TEST(AddressBook, ItsMemoryIsBoundedHoweverManyAddressesAskHoweverOften) {
  constexpr std::size_t kBytes = 1 << 20;
  AddressBook book(limits(500, 5000), {.bytes = kBytes, .networks_max = 256});
  std::int64_t now = 0;
  const auto name = [](int i) { return "192.0." + std::to_string(i / 250) + "." + std::to_string(i % 250); };
  for (int i = 0; i < 1500; ++i) ASSERT_EQ(book.admit(name(i), ++now).retry_after_s, 0U) << i;
  EXPECT_EQ(book.tracked(), 1500U) << "addresses that ask once take little";
  std::uint32_t let_in = 0;
  for (int round = 0; round < 100; ++round)
    for (int i = 0; i < 1500; ++i) let_in += book.admit(name(i), ++now).retry_after_s == 0 ? 1 : 0;
  EXPECT_GT(let_in, 5000U);
  EXPECT_LT(book.bytes(), kBytes);
  EXPECT_FALSE(book.has_room_for("203.0.113.1", now));
  EXPECT_GT(book.admit(name(1), now).retry_after_s, 0U) << "it counts no more before its oldest have run out";
  EXPECT_EQ(book.admit(name(1), now, AddressBook::Caller::key_holder).retry_after_s, 0U);
  EXPECT_EQ(book.admit(name(1), now + 25 * kHour).retry_after_s, 0U);
}

TEST(AddressBook, AKeyHolderFindsRoomWhereStrangersDoNotAndNeverSharesAWindow) {
  using Caller = AddressBook::Caller;
  AddressBook book(limits(2, 100), room_for(9));
  for (int i = 0; i < 50; ++i) book.admit("stranger " + std::to_string(i), 0);
  ASSERT_GT(book.admit("stranger 50", 0).retry_after_s, 0U);
  EXPECT_FALSE(book.has_room_for("192.0.2.1", 0));
  EXPECT_EQ(book.admit("192.0.2.1", 0, Caller::key_holder).allowances.hour.remaining, 1U);
  EXPECT_TRUE(book.has_room_for("192.0.2.1", 0)) << "its window is its own from now on";
  EXPECT_EQ(book.admit("192.0.2.1", 0).retry_after_s, 0U);
  EXPECT_GT(book.admit("192.0.2.1", 0).retry_after_s, 0U) << "and exact";
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(book.admit("holder " + std::to_string(i), 0, Caller::key_holder).retry_after_s, 0U) << i;
  EXPECT_LT(book.tracked(), 20U);
}

TEST(AddressBook, AFloodsChangesAreTakenLittleByLittle) {
  AddressBook book(limits(3, 5), {});
  for (int i = 0; i < 25; ++i) book.admit("192.0.2." + std::to_string(i), 1000);
  std::size_t taken = 0;
  for (int i = 0; i < 3; ++i) {
    const auto changes = book.take_changes(1000, 10);
    EXPECT_LE(changes.size(), 10U);
    taken += changes.size();
  }
  EXPECT_EQ(taken, 25U);
  EXPECT_FALSE(book.has_changes());
}

TEST(AddressBook, ALimitOfZeroIsOff) {
  AddressBook book(limits(0, 0), {});
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(book.admit("a", 0).retry_after_s, 0U);
  EXPECT_EQ(book.tracked(), 0U);
}

}  // namespace
