// The time by which something is removed for good: a clock that steps ahead is believed only once the step
// has lasted.
#include "actors/projects/believed_time.hpp"
#include "actors/clock.hpp"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using actors::kDay_ms;
using actors::kMinute_ms;

constexpr std::int64_t kYears_ms = 3650 * kDay_ms;

struct Believed : testing::Test {
  actors::BelievedTime time{24h};
  std::int64_t wall_ms = 1'700'000'000'000;
  actors::BelievedTime::Steady steady{5h};

  /// Asks once a minute for this long; returns the last answer.
  std::int64_t after(std::chrono::minutes passed) {
    for (auto minute = 0min; minute < passed; ++minute) {
      wall_ms += kMinute_ms;
      steady += 1min;
      told = time.at(wall_ms, steady);
    }
    return told;
  }
  std::int64_t told = time.at(wall_ms, steady);
};

TEST_F(Believed, GoesWithTheClockAlsoWhenThatIsSlewed) {
  EXPECT_EQ(told, wall_ms);
  for (int minute = 0; minute < 10'000; ++minute) {
    wall_ms += minute % 2000 < 1000 ? 30 : -30;
    ASSERT_EQ(after(1min), wall_ms);
  }
}

TEST_F(Believed, IsNotMovedByAStepAheadThatIsTakenBack) {
  const std::int64_t before = after(1min);
  wall_ms += kYears_ms;
  EXPECT_EQ(after(23h), before + 23 * 60 * kMinute_ms);
  wall_ms -= kYears_ms;
  EXPECT_EQ(after(60h), wall_ms);
}

TEST_F(Believed, FollowsAStepAheadThatHasStoodForTheProbation) {
  wall_ms += kYears_ms;
  EXPECT_LT(after(24h), wall_ms);
  EXPECT_EQ(after(1min), wall_ms);
}

TEST_F(Believed, CountsTheProbationFromTheLastOfSeveralSteps) {
  wall_ms += kYears_ms;
  after(23h);
  wall_ms += kYears_ms;
  EXPECT_LT(after(23h), wall_ms - kYears_ms);
  EXPECT_EQ(after(2h), wall_ms);
}

TEST_F(Believed, FollowsAStepBackAtOnce) {
  after(1min);
  wall_ms -= kYears_ms;
  EXPECT_EQ(after(1min), wall_ms);
}

}  // namespace
