// What a client is told to wait: never nothing, never so long that its run loses its turn.
#include "actors/runs/run_pace.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace actors;

TEST(RunPace, StaysBetweenASecondAndHalfTheMinuteInWhichARunMustBeAskedFor) {
  RunPace pace;
  for (const std::int64_t observed : {std::int64_t{0}, std::int64_t{90'000}, std::int64_t{100'000'000}}) {
    for (int i = 0; i < 100; ++i) pace.observe(observed);
    for (const std::int64_t elapsed : {-1'000'000'000LL, 0LL, 5'000LL, 1'000'000'000LL}) {
      EXPECT_GE(pace.retry_running_s(elapsed), 1);
      EXPECT_LE(pace.retry_running_s(elapsed), 30);
    }
    for (const std::size_t ahead : {std::size_t{0}, std::size_t{3}, std::size_t{10'000}}) {
      EXPECT_GE(pace.retry_waiting_s(ahead, 2), 1);
      EXPECT_LE(pace.retry_waiting_s(ahead, 2), 30);
    }
  }
}

TEST(RunPace, ComesToWhatRunsTakeHere) {
  RunPace pace;
  for (int i = 0; i < 100; ++i) pace.observe(12'000);
  EXPECT_EQ(pace.retry_running_s(0), 12);
  EXPECT_EQ(pace.retry_running_s(7'000), 5);
  for (int i = 0; i < 100; ++i) pace.observe(3'000);
  EXPECT_NEAR(pace.retry_running_s(0), 3, 1);
}

TEST(RunPace, GrowsWithTheLineAndShrinksWithTheSlots) {
  RunPace pace;
  for (int i = 0; i < 100; ++i) pace.observe(3'990);  // the average is now within a thousandth of 3990
  EXPECT_EQ(pace.retry_waiting_s(0, 2), 2);
  EXPECT_EQ(pace.retry_waiting_s(3, 2), 8);
  EXPECT_EQ(pace.retry_waiting_s(3, 4), 4);
}

TEST(RunPace, TakesNoSlotsForOne) {
  RunPace pace;
  EXPECT_EQ(pace.retry_waiting_s(1, 0), pace.retry_waiting_s(1, 1));
}

TEST(RunPace, SaysThirtySecondsInAnEndlessLine) {
  RunPace pace;
  for (int i = 0; i < 300; ++i) pace.observe(std::numeric_limits<std::int64_t>::max() / 2);
  EXPECT_EQ(pace.retry_waiting_s(std::numeric_limits<std::size_t>::max() - 1, 1), 30);
}

}  // namespace
