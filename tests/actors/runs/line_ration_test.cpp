#include "actors/runs/line_ration.hpp"

#include <gtest/gtest.h>

namespace {

int taken(actors::LineRation& ration, std::int64_t now_ms) {
  int places = 0;
  while (ration.take(now_ms)) ++places;
  return places;
}

TEST(LineRation, IsASixtyFourthOfTheRoomAndNothingNearTheEnd) {
  for (const auto& [room, places] : {std::pair(6400, 100), {640, 10}, {64, 1}, {63, 0}, {1, 0}, {0, 0}}) {
    actors::LineRation ration;
    ration.set(static_cast<std::uint32_t>(room), 5000);
    EXPECT_EQ(taken(ration, 5000), places) << room;
  }
}

TEST(LineRation, HoldsForASecondAndNotWhenTheClockWasSetBack) {
  for (const auto& [now_ms, good] : {std::pair(5999, true), {6000, false}, {4999, false}}) {
    actors::LineRation ration;
    ration.set(6400, 5000);
    EXPECT_EQ(ration.take(now_ms), good) << now_ms;
    if (!good) {
      EXPECT_FALSE(ration.take(5500)) << "a promise that has ended stays ended";
    }
  }
}

TEST(LineRation, IsNoneUntilTheSchedulerWasAsked) { EXPECT_FALSE(actors::LineRation().take(0)); }

}  // namespace
