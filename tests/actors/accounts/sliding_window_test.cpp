// The exact sliding window, against a model that keeps every admitted request and counts.
#include "actors/accounts/sliding_window.hpp"
#include "actors/clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace actors;

std::size_t admitted_within(const std::vector<std::int64_t>& times, std::int64_t end_ms,
                            std::int64_t period_ms) {
  return static_cast<std::size_t>(std::count_if(
      times.begin(), times.end(), [&](std::int64_t t) { return t > end_ms - period_ms && t <= end_ms; }));
}

TEST(SlidingWindow, AdmitsExactlyWhatAModelAdmitsThatForgetsNothing) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const auto limit = static_cast<std::uint32_t>(1 + random() % 9);
    const std::int64_t period_ms = 1 + static_cast<std::int64_t>(random() % 500);
    SlidingWindow window(limit, period_ms);
    std::vector<std::int64_t> admitted;
    std::int64_t now_ms = 1'000'000;
    for (int request = 0; request < 300; ++request) {
      now_ms += static_cast<std::int64_t>(random() % 60);
      const std::size_t before = admitted_within(admitted, now_ms, period_ms);
      ASSERT_EQ(window.remaining(now_ms), limit - before);
      ASSERT_EQ(window.admit(now_ms), before < limit);
      if (before < limit) admitted.push_back(now_ms);
    }
    // No period, wherever it lies, ever held more than the limit.
    for (const std::int64_t end_ms : admitted) ASSERT_LE(admitted_within(admitted, end_ms, period_ms), limit);
  }
}

TEST(SlidingWindow, LetsASteadyCallerAtTheLimitPassForever) {
  SlidingWindow window(900, kHour_ms);
  for (std::int64_t i = 0; i < 5000; ++i) ASSERT_TRUE(window.admit(i * 4000)) << i;
}

TEST(SlidingWindow, DoesNotCountWhatItRefuses) {
  SlidingWindow window(2, kHour_ms);
  EXPECT_TRUE(window.admit(0));
  EXPECT_TRUE(window.admit(10));
  for (std::int64_t t = 20; t < kHour_ms; t += 1000) ASSERT_FALSE(window.admit(t));
  EXPECT_TRUE(window.admit(kHour_ms));  // the first has left, the refused ones do not count
}

TEST(SlidingWindow, AdmitsAgainExactlyWhenItSaidItWould) {
  for (const std::int64_t first_ms : {0, 1, 999, 1000, 1001, 123'456}) {
    SlidingWindow window(1, kHour_ms);
    ASSERT_TRUE(window.admit(first_ms));
    const std::int64_t asked_ms = first_ms + 777;
    const std::int64_t wait_ms = 1000 * static_cast<std::int64_t>(window.retry_after_s(asked_ms));
    EXPECT_FALSE(window.admit(asked_ms + wait_ms - 1000));
    EXPECT_TRUE(window.admit(asked_ms + wait_ms));
  }
}

TEST(SlidingWindow, NeverSaysZeroSecondsWhileItIsFull) {
  SlidingWindow window(1, kHour_ms);
  ASSERT_TRUE(window.admit(0));
  EXPECT_EQ(window.retry_after_s(kHour_ms - 1), 1U);
  EXPECT_EQ(window.retry_after_s(kHour_ms), 0U);
}

TEST(SlidingWindow, TellsWhenItsOldestRequestLeaves) {
  SlidingWindow window(5, kHour_ms);
  EXPECT_EQ(window.reset_s(0), 0U);
  ASSERT_TRUE(window.admit(0));
  ASSERT_TRUE(window.admit(1'800'000));
  EXPECT_EQ(window.reset_s(1'800'000), 1800U);
  EXPECT_EQ(window.reset_s(kHour_ms), 1800U);
  EXPECT_EQ(window.reset_s(3 * kHour_ms), 0U);
}

TEST(SlidingWindow, OfZeroIsOff) {
  SlidingWindow window(0, kHour_ms);
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(window.admit(5));
  EXPECT_EQ(window.limit(), 0U);
  EXPECT_EQ(window.remaining(5), 0U);
  EXPECT_EQ(window.retry_after_s(5), 0U);
  EXPECT_EQ(window.reset_s(5), 0U);
}

TEST(SlidingWindow, LocksNobodyOutForLongerThanAPeriodWhenTheClockIsSetBack) {
  SlidingWindow window(3, kHour_ms);
  const std::int64_t later = 100 * kHour_ms;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(window.admit(later + i));
  const std::int64_t back = later - 50 * kHour_ms;
  EXPECT_FALSE(window.admit(back));
  EXPECT_LE(window.retry_after_s(back), 3600U);
  EXPECT_FALSE(window.admit(back + kHour_ms - 1));
  EXPECT_TRUE(window.admit(back + kHour_ms));
}

TEST(SlidingWindow, GivesNothingAwayWhenTheClockIsSetBackALittle) {
  SlidingWindow window(3, kHour_ms);
  ASSERT_TRUE(window.admit(1000));
  ASSERT_TRUE(window.admit(5000));
  ASSERT_TRUE(window.admit(4000));  // one second back
  EXPECT_FALSE(window.admit(4000));
  EXPECT_FALSE(window.admit(kHour_ms + 999));
  EXPECT_TRUE(window.admit(kHour_ms + 1000));
  EXPECT_FALSE(window.admit(kHour_ms + 3999));
}

}  // namespace
