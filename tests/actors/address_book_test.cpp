#include "actors/address_book.hpp"

#include <gtest/gtest.h>

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
  AddressBook book(limits(3, 5), 100);
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
  AddressBook book(limits(1, 10), 100);
  book.admit("a", 0);
  for (int i = 1; i < 50; ++i) EXPECT_GT(book.admit("a", i * 1000).retry_after_s, 0U);
  EXPECT_EQ(book.admit("a", kHour).retry_after_s, 0U);
  EXPECT_EQ(book.admit("a", kHour).allowances.day.remaining, 8U) << "two of ten were let in";
}

TEST(AddressBook, AFullBookForgetsNoRunningWindowAndUnknownAddressesShareOne) {
  AddressBook book(limits(2, 100), 3);
  for (const char* known : {"a", "b", "c"}) book.admit(known, 0);
  EXPECT_EQ(book.admit("d", 1).retry_after_s, 0U);
  EXPECT_EQ(book.admit("e", 1).retry_after_s, 0U);
  EXPECT_GT(book.admit("f", 1).retry_after_s, 0U) << "the shared window is full";
  EXPECT_EQ(book.admit("a", 1).retry_after_s, 0U) << "a known address keeps its own";
  EXPECT_GT(book.admit("a", 1).retry_after_s, 0U);
  EXPECT_LE(book.tracked(), 4U);
  EXPECT_EQ(book.admit("f", 25 * kHour).retry_after_s, 0U) << "run-out windows make room";
}

TEST(AddressBook, AFloodsChangesAreTakenLittleByLittle) {
  AddressBook book(limits(3, 5), 100);
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
  AddressBook book(limits(0, 0), 3);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(book.admit("a", 0).retry_after_s, 0U);
  EXPECT_EQ(book.tracked(), 0U);
}

}  // namespace
