// A server's turns, with time that stands still.
#include "geo/fetch/host_pace.hpp"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using geo::FailureKind;
using geo::HostPace;

class HostPaceTest : public testing::Test {
 protected:
  static geo::FetchFailure no_answer(bool no_connection = false) {
    auto why = geo::fetch_failure(FailureKind::data_unreachable, "does not answer", 0, true);
    why.no_connection = no_connection;
    return why;
  }
  static geo::FetchFailure busy(std::chrono::seconds retry_after) {
    auto why = geo::fetch_failure(FailureKind::data_overloaded, "is busy", 503, true);
    why.retry_after = retry_after;
    return why;
  }
  bool enters(HostPace& pace) const { return pace.enter(now_).granted; }

  HostPace::Clock::time_point now_{1'000s};
};

TEST_F(HostPaceTest, SoManyAtATimeAndSoManyASecond) {
  HostPace pace(2, 10, 3, 30s);
  EXPECT_TRUE(enters(pace));
  EXPECT_TRUE(enters(pace));
  EXPECT_EQ(pace.enter(now_).again, HostPace::Clock::time_point::max());  // only an end helps
  pace.answered();
  EXPECT_TRUE(enters(pace));
  pace.answered();
  const auto turn = pace.enter(now_);
  EXPECT_FALSE(turn.granted);
  EXPECT_EQ(turn.again, now_ + 100ms);
  now_ += 100ms;
  EXPECT_TRUE(enters(pace));
  pace.answered();
  pace.answered();
  now_ += 1h;  // tokens do not pile up
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(enters(pace));
    pace.answered();
  }
  EXPECT_FALSE(enters(pace));
}

TEST_F(HostPaceTest, NobodyIsThereClosesAtOnceAndOneTriesAgain) {
  HostPace pace(4, 1'000, 1'000, 30s);
  EXPECT_TRUE(enters(pace));
  pace.failed(no_answer(true), now_);
  EXPECT_FALSE(enters(pace));
  ASSERT_TRUE(pace.reason(now_));
  now_ += 30s;
  EXPECT_FALSE(pace.reason(now_));
  EXPECT_TRUE(enters(pace));
  EXPECT_FALSE(enters(pace));  // one is enough to see
  pace.failed(no_answer(), now_);
  EXPECT_FALSE(enters(pace));
  now_ += 30s;
  EXPECT_TRUE(enters(pace));
  pace.answered();
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(enters(pace));
}

TEST_F(HostPaceTest, ABrokenConnectionIsChanceThreeAreNot) {
  HostPace pace(4, 1'000, 1'000, 30s);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(enters(pace));
    pace.failed(no_answer(), now_);
  }
  EXPECT_TRUE(enters(pace));
  pace.answered();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(enters(pace));
    pace.failed(no_answer(), now_);
  }
  EXPECT_FALSE(enters(pace));
}

TEST_F(HostPaceTest, APauseIsKeptButNotForEver) {
  HostPace pace(4, 1'000, 1'000, 30s);
  EXPECT_TRUE(enters(pace));
  pace.failed(busy(7s), now_);
  EXPECT_EQ(pace.enter(now_).again, now_ + 7s);
  now_ += 7s;
  EXPECT_TRUE(enters(pace));
  pace.failed(busy(0s), now_);
  EXPECT_EQ(pace.enter(now_).again, now_ + 1s);
  now_ += 1s;
  EXPECT_TRUE(enters(pace));
  pace.failed(busy(1'000'000s), now_);
  EXPECT_EQ(pace.enter(now_).again, now_ + 1h);
}

TEST_F(HostPaceTest, OurOwnStopSaysNothingOfTheServer) {
  HostPace pace(1, 1'000, 1'000, 30s);
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(enters(pace));
    pace.left();
  }
}

}  // namespace
