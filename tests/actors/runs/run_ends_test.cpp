// A slot falls free once: when the thread has ended and the run's end is stored, in whichever order.
#include "actors/runs/run_ends.hpp"

#include <gtest/gtest.h>

namespace {

TEST(RunEnds, FreeTheSlotWithTheThreadWhenTheEndWasStoredBefore) {
  actors::RunEnds ends;
  ends.storing(7);
  EXPECT_TRUE(ends.is_storing(7));
  EXPECT_EQ(ends.stored(7), std::nullopt) << "the thread goes on";
  EXPECT_FALSE(ends.is_storing(7));
  EXPECT_TRUE(ends.thread_ended(7, 1200));
}

TEST(RunEnds, FreeTheSlotWithTheEndWhenTheThreadEndedBefore) {
  actors::RunEnds ends;
  ends.storing(7);
  EXPECT_FALSE(ends.thread_ended(7, 1200)) << "nobody can see yet that the run is over";
  EXPECT_EQ(ends.stored(7), 1200);
  EXPECT_EQ(ends.stored(7), std::nullopt) << "it falls free once";
}

TEST(RunEnds, FreeTheSlotOfARunThatNeverCameToAnEnd) {
  actors::RunEnds ends;
  ends.storing(8);
  EXPECT_TRUE(ends.thread_ended(7, 0));
  EXPECT_TRUE(ends.is_storing(8)) << "another run's";
}

}  // namespace
