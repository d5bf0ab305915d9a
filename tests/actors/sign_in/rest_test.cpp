// A thread that hashes passwords rests while the program's other threads are at work.
#include "actors/sign_in/rest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using actors::ComputedTimes;
using actors::Rest;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

/// A machine on which only what the test says takes time.
class RestingThread : public ::testing::Test {
 protected:
  /// Work of 80 ms, while the program's other threads compute for `others` and this one has no processor for
  /// `held_up`.
  void work(nanoseconds others, nanoseconds held_up = 0ms) {
    rest_.then([&] {
      now_.clock += 80ms + held_up, now_.thread += 80ms, now_.program += 80ms + others;
      return true;
    });
  }
  void pass(nanoseconds idle) { now_.clock += idle; }

  std::vector<nanoseconds> slept_;

 private:
  ComputedTimes now_{.clock = 5s, .thread = 1s, .program = 3s};
  Rest rest_{[this] { return now_; },
             [this](nanoseconds duration) {
               slept_.push_back(duration);
               now_.clock += duration;
             }};
};

TEST_F(RestingThread, RestsThreeTimesAsLongAsItWorkedWhileOthersAreAtWork) {
  work(40ms);
  EXPECT_TRUE(slept_.empty()) << "the first to ask does not wait";
  work(40ms);
  work(40ms);
  EXPECT_EQ(slept_, (std::vector<nanoseconds>{240ms, 240ms}));
}

TEST_F(RestingThread, WorksOnWhileTheProgramDoesNothingElse) {
  for (int i = 0; i < 3; ++i) work(1ms);
  EXPECT_TRUE(slept_.empty());
}

TEST_F(RestingThread, WorksOnAgainWhenTheOthersAreDone) {
  work(40ms);
  work(0ms);
  work(0ms);
  EXPECT_EQ(slept_, (std::vector<nanoseconds>{240ms}));
}

TEST_F(RestingThread, HasRestedWhileNobodyAsked) {
  work(40ms);
  pass(100ms);
  work(40ms);
  EXPECT_EQ(slept_, (std::vector<nanoseconds>{140ms}));
  pass(1s);
  work(40ms);
  EXPECT_EQ(slept_.size(), 1U);
}

TEST_F(RestingThread, RestsLessWhenItWasHeldUp) {
  work(400ms, 100ms);
  work(400ms, 500ms);
  work(40ms);
  EXPECT_EQ(slept_, (std::vector<nanoseconds>{140ms}));
}

TEST(ComputedTimes, AreTheThreadsOwnAndTheWholePrograms) {
  const ComputedTimes before = actors::computed_times();
  while (actors::computed_times().thread - before.thread < 20ms) {
  }
  const ComputedTimes after = actors::computed_times();
  constexpr auto kLag = 5ms;  // the kernel adds up a program's threads a little later
  EXPECT_GE(after.program - before.program, 20ms - kLag);
  EXPECT_GE(after.clock - before.clock, 20ms - kLag);
}

}  // namespace
