// The rules by which runs are given to workers, without actors: a clock that the test turns, and at each step
// the question whether any run may compute twice.
#include "actors/workers/worker_pool.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace {

using namespace actors;

constexpr std::int64_t kOpens = (kSilence + kStopping).count();

AnalysisJob job(std::uint64_t run) { return {.run = {run, 7, run * 10}}; }

/// "home 1 2" style: to whom the moves give which runs, and which runs they end.
std::string told(const WorkerPool::Moves& moves) {
  std::string text;
  for (const auto& given : moves.given)
    text += "run " + std::to_string(given.job.run.run) + " to " + std::to_string(given.to) + ". ";
  for (const auto& run : moves.aborted)
    text += "run " + std::to_string(run.run.run) + (run.told ? " has ended. " : " aborted. ");
  for (const WorkerSession session : moves.silent) text += std::to_string(session) + " is silent. ";
  return text;
}

class WorkerPoolTest : public ::testing::Test {
 protected:
  std::int64_t now = kOpens;  // it is open
  WorkerPool pool{1, 0};
  std::string begin(std::uint64_t run) { return told(pool.begin(job(run), now)); }
  std::string after(std::int64_t ms) { return told(pool.tick(now += ms)); }
};

TEST_F(WorkerPoolTest, WithoutWorkersTheHomeComputesWhateverComes) {
  EXPECT_EQ(begin(1), "run 1 to 0. ");
  EXPECT_EQ(begin(2), "run 2 to 0. ") << "more than it has threads for: nothing waits here";
  EXPECT_TRUE(pool.ended(kHome, 1));
  EXPECT_FALSE(pool.ended(kHome, 1)) << "once";
}

TEST_F(WorkerPoolTest, ARunGoesWhereTheLargestPartOfTheThreadsIsIdleAndToAWorkerBeforeTheHome) {
  const auto small = pool.join(1, now), large = pool.join(3, now);
  EXPECT_EQ(begin(1), "run 1 to " + std::to_string(large) + ". ");
  EXPECT_EQ(begin(2), "run 2 to " + std::to_string(large) + ". ");
  EXPECT_EQ(begin(3), "run 3 to " + std::to_string(small) + ". ") << "of equals a worker before the home";
  EXPECT_EQ(begin(4), "run 4 to " + std::to_string(large) + ". ");
  EXPECT_EQ(begin(5), "run 5 to 0. ");
}

TEST_F(WorkerPoolTest, AHomeWithoutThreadsComputesOnlyWhileNoWorkerIsThere) {
  WorkerPool other(0, 0);
  EXPECT_EQ(told(other.begin(job(1), now)), "run 1 to 0. ");
  const auto worker = other.join(1, now);
  for (const std::uint64_t run : {2, 3, 4})
    EXPECT_EQ(told(other.begin(job(run), now)),
              "run " + std::to_string(run) + " to " + std::to_string(worker) + ". ");
}

TEST_F(WorkerPoolTest, AfterAStartNothingIsGivenOutUntilAPredecessorsWorkersMustHaveStopped) {
  WorkerPool fresh(1, 0);
  EXPECT_EQ(told(fresh.begin(job(1), 0)), "");
  EXPECT_EQ(told(fresh.tick(kOpens - 1)), "");
  EXPECT_EQ(told(fresh.tick(kOpens)), "run 1 to 0. ");
  EXPECT_EQ(told(fresh.begin(job(2), kOpens)), "run 2 to 0. ");
}

TEST_F(WorkerPoolTest, ARunThatIsCancelledBeforeItIsGivenOutNeverComputes) {
  WorkerPool fresh(1, 0);
  fresh.begin(job(1), 0);
  EXPECT_FALSE(fresh.cancel(1));
  EXPECT_EQ(told(fresh.tick(kOpens)), "run 1 aborted. ");
}

TEST_F(WorkerPoolTest, AWorkerThatIsHeardIsNotLost) {
  const auto worker = pool.join(8, now);
  begin(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(after(kSilence.count()), "");
    EXPECT_TRUE(pool.heard(worker, now));
  }
}

TEST_F(WorkerPoolTest, ASilentWorkersRunGoesToAnotherWhenItMustHaveStoppedAndNotBefore) {
  const auto silent = pool.join(8, now);
  begin(1);
  EXPECT_EQ(after(kSilence.count()), "") << "not silent yet";
  EXPECT_EQ(after(1), std::to_string(silent) + " is silent. ");
  EXPECT_FALSE(pool.heard(silent, now)) << "and no answer prolongs its time";
  EXPECT_EQ(after(kStopping.count() - 2), "") << "its threads may still compute";
  EXPECT_EQ(pool.runs().size(), 1U) << "so the slot is taken";
  EXPECT_EQ(after(1), "run 1 to 0. ");
  EXPECT_EQ(pool.moved(), 1U);
}

TEST_F(WorkerPoolTest, AConnectionThatBreaksSaysNothingAboutWhetherItsWorkerStillComputes) {
  const auto cut = pool.join(8, now);
  begin(1);
  after(500);
  EXPECT_TRUE(pool.heard(cut, now));
  pool.lose(cut);
  EXPECT_EQ(pool.workers(), 0U);
  EXPECT_EQ(after((kSilence + kStopping).count() - 1), "") << "counted from the last answer";
  EXPECT_EQ(after(1), "run 1 to 0. ");
}

TEST_F(WorkerPoolTest, TheSecondLossEndsTheRun) {
  const auto first = pool.join(8, now);
  begin(1);
  pool.lose(first);
  const auto second = pool.join(8, now);
  now += kSilence.count();
  pool.heard(second, now);
  EXPECT_EQ(after(kStopping.count()), "run 1 to " + std::to_string(second) + ". ");
  pool.lose(second);
  EXPECT_EQ(after((kSilence + kStopping).count()), "run 1 aborted. ");
  EXPECT_TRUE(pool.runs().empty());
}

TEST_F(WorkerPoolTest, WhatALostWorkerSaysLaterIsNotPassedOn) {
  const auto lost = pool.join(8, now);
  begin(1);
  EXPECT_TRUE(pool.computes(lost, 1));
  pool.lose(lost);
  EXPECT_FALSE(pool.computes(lost, 1));
  EXPECT_FALSE(pool.outcome(lost, 1));
  EXPECT_FALSE(pool.ended(lost, 1));
  const auto again = pool.join(8, now);  // the same machine, come back
  EXPECT_NE(again, lost);
  EXPECT_FALSE(pool.outcome(again, 1)) << "the run is not its";
  after(kSilence.count());
  pool.heard(again, now);
  EXPECT_EQ(after(kStopping.count()), "run 1 to " + std::to_string(again) + ". ");
  EXPECT_FALSE(pool.outcome(lost, 1));
  EXPECT_TRUE(pool.outcome(again, 1));
  EXPECT_FALSE(pool.outcome(again, 1)) << "once";
  EXPECT_TRUE(pool.ended(again, 1));
}

TEST_F(WorkerPoolTest, AWorkerLostBetweenResultAndEndKeepsItsSlotAndItsRunIsNotRepeated) {
  const auto worker = pool.join(8, now);
  begin(1);
  EXPECT_TRUE(pool.outcome(worker, 1));
  pool.lose(worker);
  EXPECT_EQ(after((kSilence + kStopping).count() - 1), "");
  EXPECT_EQ(after(1), "run 1 has ended. ");
}

TEST_F(WorkerPoolTest, ACancelledRunOfALostWorkerIsNotGivenAway) {
  const auto worker = pool.join(8, now);
  begin(1);
  EXPECT_EQ(pool.cancel(1), worker);
  pool.lose(worker);
  EXPECT_EQ(pool.cancel(1), std::nullopt) << "nobody is there to be told";
  EXPECT_EQ(after((kSilence + kStopping).count()), "run 1 aborted. ");
}

TEST_F(WorkerPoolTest, AWorkerThatLeavesIsGivenNothingMoreAndWhatItGivesBackIsTakenAtOnce) {
  const auto leaving = pool.join(8, now);
  begin(1);
  pool.leave(leaving);
  EXPECT_EQ(begin(2), "run 2 to 0. ");
  EXPECT_EQ(told(pool.returned(leaving, 1, now)), "run 1 to 0. ");
  EXPECT_EQ(told(pool.returned(leaving, 1, now)), "") << "it is not its any more";
  pool.lose(leaving);
  EXPECT_EQ(after((kSilence + kStopping).count()), "") << "given back is not lost";
}

TEST_F(WorkerPoolTest, ALeavingWorkersLastRunMayEnd) {
  const auto leaving = pool.join(8, now);
  begin(1);
  pool.leave(leaving);
  EXPECT_TRUE(pool.heard(leaving, now));
  EXPECT_TRUE(pool.outcome(leaving, 1));
  EXPECT_TRUE(pool.ended(leaving, 1));
}

/// Workers that obey the lease, a network that delays, doubles the silence and forgets, and a home that keeps
/// its rules: whatever the order, no run computes in two places, none is lost, none ends twice.
TEST(WorkerPoolAtRandom, NoRunEverComputesTwiceAtOnceAndEachEndsOnce) {
  struct Site {
    WorkerSession session;
    std::int64_t lease_until;
    bool cut = false, missed = false;
    std::int64_t cut_until = 0;
    std::set<std::uint64_t> computing;
  };
  std::size_t moved = 0, aborted = 0, finished = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    const auto chance = [&](unsigned of) { return random() % of == 0; };
    std::int64_t now = 0;
    WorkerPool pool(1, now);
    std::map<WorkerSession, Site> sites;
    std::set<std::uint64_t> here, open;
    std::uint64_t last_run = 0;
    const auto carry_out = [&](const WorkerPool::Moves& moves) {
      for (const auto& given : moves.given) {
        const auto run = given.job.run.run;
        for (const auto& [session, site] : sites)
          ASSERT_FALSE(site.computing.contains(run)) << "seed " << seed << ", run " << run << " at " << now;
        ASSERT_FALSE(here.contains(run));
        if (given.to == kHome) {
          here.insert(run);
          continue;
        }
        Site& site = sites.at(given.to);
        if (!site.cut && now <= site.lease_until && !site.missed)
          site.computing.insert(run);
        else
          site.missed = true;  // a job that comes too late: the worker says so by asking no more
      }
      for (const auto& run : moves.aborted) {
        for (const auto& [session, site] : sites)
          ASSERT_FALSE(site.computing.contains(run.run.run)) << "seed " << seed;
        ASSERT_EQ(open.erase(run.run.run), 1U);
        ++aborted;
      }
    };
    for (int step = 0; step < 1500; ++step) {
      now += static_cast<std::int64_t>(random() % 100);
      if (open.size() < 4 && chance(3)) {
        open.insert(++last_run);
        carry_out(pool.begin(job(last_run), now));
      }
      if (sites.size() < 3 && chance(20)) {
        const auto session = pool.join(1 + random() % 3, now);
        sites[session] = {session, now + kSilence.count()};
      }
      for (auto site = sites.begin(); site != sites.end();) {
        auto& it = site->second;
        if (!it.cut && chance(300))
          it.cut = true, it.cut_until = now + static_cast<std::int64_t>(random() % 9000);
        if (it.cut && now >= it.cut_until) it.cut = false;
        if (!it.cut && chance(400)) pool.lose(it.session);  // TCP gives up, the worker computes on
        if (!it.cut && !it.missed && chance(5) && pool.heard(it.session, now))
          it.lease_until = now + kSilence.count();
        if (!it.cut && !it.computing.empty() && chance(15)) {
          const auto run = *it.computing.begin();
          it.computing.erase(run);
          if (chance(6)) {
            carry_out(pool.returned(it.session, run, now));
          } else {
            pool.outcome(it.session, run);
            if (pool.ended(it.session, run)) {
              ASSERT_EQ(open.erase(run), 1U);
              ++finished;
            }
          }
        }
        // It stops by itself, some time within what it has for that.
        if (now > it.lease_until + static_cast<std::int64_t>(random() % 900)) it.computing.clear();
        const bool away = now > it.lease_until + kStopping.count();
        if (away) {
          ASSERT_TRUE(it.computing.empty());
        }
        site = away && !pool.knows(it.session) ? sites.erase(site) : std::next(site);
      }
      if (!here.empty() && chance(15)) {
        const auto run = *here.begin();
        here.erase(run);
        pool.outcome(kHome, run);
        ASSERT_TRUE(pool.ended(kHome, run));
        ASSERT_EQ(open.erase(run), 1U);
        ++finished;
      }
      // A thread that its lease has left has ended before the home gives its run away.
      for (auto& [session, site] : sites)
        if (now >= site.lease_until + kStopping.count()) site.computing.clear();
      carry_out(pool.tick(now));
      if (HasFatalFailure()) return;
    }
    moved += pool.moved();
  }
  EXPECT_GT(moved, 500U);
  EXPECT_GT(aborted, 10U);
  EXPECT_GT(finished, 10'000U);
}

}  // namespace
