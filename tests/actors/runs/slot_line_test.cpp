// Who computes next: the rule, its bounds, and that its cost does not grow with the line.
#include "actors/runs/slot_line.hpp"
#include "actors/clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <random>

namespace {

using namespace actors;
using Granted = std::vector<std::uint64_t>;

TEST(SlotLine, LetsTheFirstOnesComputeAtOnce) {
  SlotLine line(2, 100);
  for (const std::uint64_t run : {1, 2, 3}) line.ask(run, 0);
  EXPECT_EQ(line.grant(0), (Granted{1, 2}));
  EXPECT_EQ(line.computing(), 2U);
  EXPECT_TRUE(line.ask(3, 1));
  EXPECT_EQ(line.grant(0), Granted{});
}

TEST(SlotLine, GivesAFreeSlotToTheLongestWaitingThatWasAskedForInTheLastMinute) {
  SlotLine line(1, 100);
  for (const std::uint64_t run : {1, 2, 3, 4}) line.ask(run, 0);
  ASSERT_EQ(line.grant(0), Granted{1});
  line.ask(3, kMinute_ms);
  line.ask(4, kMinute_ms);
  line.release(1);
  EXPECT_EQ(line.grant(kMinute_ms + 1), Granted{3});  // nobody has asked for 2 since it joined
}

TEST(SlotLine, WhoLeavesIsNeverGrantedASlotAndMakesRoom) {
  SlotLine line(1, 3);
  for (const std::uint64_t run : {1, 2, 3, 4}) line.ask(run, 0);
  ASSERT_EQ(line.grant(0), Granted{1});
  EXPECT_EQ(line.room(), 0U);
  line.leave(3);
  line.leave(3);
  line.leave(1);  // computes: it does not wait
  EXPECT_EQ(line.room(), 1U);
  EXPECT_EQ(line.ahead_of(4), 1U);
  line.release(1);
  EXPECT_EQ(line.grant(kMinute_ms + 1), Granted{2});
  line.release(2);
  EXPECT_EQ(line.grant(kMinute_ms + 1), Granted{4});
}

TEST(SlotLine, TakesTheMinuteToItsLastMillisecond) {
  for (const auto& [now_ms, next] :
       std::map<std::int64_t, std::uint64_t>{{kMinute_ms, 2}, {kMinute_ms + 1, 3}}) {
    SlotLine line(1, 100);
    for (const std::uint64_t run : {1, 2, 3}) line.ask(run, 0);
    ASSERT_EQ(line.grant(0), Granted{1});
    line.ask(3, 1);
    line.release(1);
    EXPECT_EQ(line.grant(now_ms), Granted{next}) << now_ms;
  }
}

TEST(SlotLine, NeverLeavesASlotIdleWhenNobodyAsks) {
  SlotLine line(1, 100);
  for (const std::uint64_t run : {1, 2, 3}) line.ask(run, 0);
  ASSERT_EQ(line.grant(0), Granted{1});
  line.release(1);
  EXPECT_EQ(line.grant(10 * kMinute_ms), Granted{2});
  line.release(2);
  EXPECT_EQ(line.grant(20 * kMinute_ms), Granted{3});
}

TEST(SlotLine, LeavesARunAloneThatAsksWhileItComputes) {
  SlotLine line(1, 100);
  line.ask(1, 0);
  ASSERT_EQ(line.grant(0), Granted{1});
  line.ask(1, 1);
  EXPECT_FALSE(line.ask(1, 1));
  EXPECT_EQ(line.grant(1), Granted{});
  EXPECT_EQ(line.computing(), 1U);
}

TEST(SlotLine, FreesNothingForARunThatHoldsNoSlot) {
  SlotLine line(1, 100);
  line.ask(1, 0);
  line.ask(2, 0);
  ASSERT_EQ(line.grant(0), Granted{1});
  line.release(2);
  line.release(77);
  EXPECT_EQ(line.grant(0), Granted{});
  line.release(1);
  line.release(1);
  EXPECT_EQ(line.grant(0), Granted{2});
}

TEST(SlotLine, CountsWhoStandsBefore) {
  SlotLine line(1, 100);
  for (const std::uint64_t run : {5, 9, 7, 3}) line.ask(run, 0);
  EXPECT_EQ(line.ahead_of(3), 0U);
  EXPECT_EQ(line.ahead_of(7), 2U);
  EXPECT_EQ(line.ahead_of(9), 3U);
  EXPECT_EQ(line.ahead_of(1000), 0U);
}

TEST(SlotLine, TellsItsRoomAndNeverLessThanNone) {
  SlotLine line(1, 2);
  EXPECT_EQ(line.room(), 2U);
  line.ask(1, 0);
  EXPECT_EQ(line.room(), 1U);
  line.ask(2, 0);
  line.ask(3, 0);
  EXPECT_EQ(line.room(), 0U);
  line.grant(0);
  EXPECT_EQ(line.room(), 0U);
}

TEST(SlotLine, KeepsToItsRuleWhenTheClockIsSetBack) {
  SlotLine line(1, 100);
  const std::int64_t late = 100 * kMinute_ms;
  for (const std::uint64_t run : {1, 2, 3}) line.ask(run, late);
  ASSERT_EQ(line.grant(late), Granted{1});
  const std::int64_t back = late - 90 * kMinute_ms;
  line.grant(back);  // questions with a later time count as asked now
  line.ask(3, back + kMinute_ms);
  line.release(1);
  EXPECT_EQ(line.grant(back + kMinute_ms + 1), Granted{3});
}

/// The rule in its simplest form: looks at every waiting run.
struct NaiveLine {
  std::map<std::uint64_t, std::int64_t> asked_ms;
  std::vector<std::uint64_t> computing;
  std::size_t slots;

  void ask(std::uint64_t run, std::int64_t now_ms) {
    if (std::find(computing.begin(), computing.end(), run) == computing.end()) asked_ms[run] = now_ms;
  }
  Granted grant(std::int64_t now_ms) {
    Granted granted;
    while (computing.size() < slots && !asked_ms.empty()) {
      auto next = std::find_if(asked_ms.begin(), asked_ms.end(),
                               [&](const auto& w) { return w.second >= now_ms - kMinute_ms; });
      if (next == asked_ms.end()) next = asked_ms.begin();
      computing.push_back(next->first);
      granted.push_back(next->first);
      asked_ms.erase(next);
    }
    return granted;
  }
};

TEST(SlotLine, DoesWhatTheRuleReadAloudDoesInAnyOrderOfEvents) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const std::uint32_t slots = 1 + random() % 3;
    SlotLine line(slots, 1000);
    NaiveLine naive{{}, {}, slots};
    std::int64_t now_ms = 0;
    std::uint64_t newest = 0;
    for (int event = 0; event < 3000; ++event) {
      now_ms += static_cast<std::int64_t>(random() % 4000);
      const std::uint64_t run = random() % 3 == 0 || newest == 0 ? ++newest : 1 + random() % newest;
      if (random() % 3 != 0) {
        line.ask(run, now_ms);
        naive.ask(run, now_ms);
      } else if (!naive.computing.empty()) {
        const std::uint64_t over = naive.computing[random() % naive.computing.size()];
        line.release(over);
        naive.computing.erase(std::find(naive.computing.begin(), naive.computing.end(), over));
      }
      ASSERT_EQ(line.grant(now_ms), naive.grant(now_ms));
      ASSERT_LE(line.computing(), slots);
      ASSERT_EQ(line.waiting(), naive.asked_ms.size());
    }
  }
}

/// Processor time of this thread, to which other programs on the machine add nothing.
double processor_s() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// Processor time of this many questions, each followed by a grant, in a line of this length.
double seconds_for_questions(std::uint64_t length, int questions) {
  SlotLine line(1, 10'000'000);
  for (std::uint64_t run = 1; run <= length; ++run) line.ask(run, 0);
  line.grant(0);
  std::mt19937_64 random(1);
  const double start_s = processor_s();
  std::size_t sum = 0;
  for (int i = 0; i < questions; ++i) {
    const std::uint64_t run = 1 + random() % length;
    line.ask(run, i);
    sum += line.ahead_of(run) + line.grant(i).size();
  }
  EXPECT_GT(sum, 0U);
  return processor_s() - start_s;
}

TEST(SlotLine, AnswersAQuestionInALongLineAboutAsFastAsInAShortOne) {
  // A search through the line would cost 300 times as much. The factor of 30 leaves room for cache misses.
  const double in_short = seconds_for_questions(300, 100'000);
  const double in_long = seconds_for_questions(90'000, 100'000);
  EXPECT_LT(in_long, 30 * in_short);
}

}  // namespace
