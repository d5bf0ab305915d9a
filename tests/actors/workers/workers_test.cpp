// Runs that workers compute: given, cancelled, lost and computed again.
#include "tests/actors/workers/workers_world.hpp"

namespace {

using namespace workers_under_trial;

TEST_F(WorkersTest, AWorkersRunReachesItsProjectAsTheHomesOwnDoes) {
  spawn_worker(away);
  begin(1);
  ASSERT_TRUE(away.computing.contains(1));
  away.step(1, "Höhendaten");
  away.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"step Höhendaten", "result bytes", "ended"}));
  EXPECT_EQ(ask<std::uint64_t>(drain_atom::value), 0U);
  EXPECT_EQ(figure("roof_worker_runs_total{worker=\"w\"}"), 1);
  EXPECT_EQ(figure("roof_workers"), 1);
  EXPECT_EQ(figure("roof_worker_threads"), 4);
}

TEST_F(WorkersTest, WithoutWorkersTheHomeComputes) {
  begin(1);
  home.step(1, "Höhendaten");
  home.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"step Höhendaten", "result bytes", "ended"}));
  EXPECT_EQ(figure("roof_worker_runs_total{worker=\"home\"}"), 1);
}

TEST_F(WorkersTest, StepsAreSentAtMostEveryTenthOfASecondAndTheLatestArrives) {
  spawn_worker(away);
  begin(1);
  for (int i = 0; i < 50; ++i) away.step(1, std::to_string(i));
  run();
  EXPECT_EQ(heard, Heard{"step 0"});
  advance(std::chrono::milliseconds(100));
  EXPECT_EQ(heard, (Heard{"step 0", "step 49"}));
  away.step(1, "50");
  away.finish(1);
  run();
  EXPECT_EQ(heard.back(), "ended") << "no step after the end";
}

TEST_F(WorkersTest, CancellingReachesTheWorker) {
  spawn_worker(away);
  begin(1);
  caf::anon_send(pool_, cancel_atom::value, RunRef{1});
  run();
  EXPECT_EQ(away.cancelled, std::vector<std::uint64_t>{1});
  away.stop(1);
  run();
  EXPECT_EQ(heard, (Heard{"analyse_abgebrochen", "ended"}));
}

TEST_F(WorkersTest, EndingTheServiceCancelsRunsHereAndThere) {
  spawn_worker(away);
  for (const std::uint64_t run_id : {1, 2, 3, 4, 5}) begin(run_id);
  ASSERT_EQ(home.computing.size(), 1U);
  caf::anon_send(pool_, cancel_atom::value);
  run();
  EXPECT_EQ(away.cancelled.size(), 4U);
  EXPECT_EQ(home.cancelled.size(), 1U);
}

TEST_F(WorkersTest, ABeatingWorkerStaysAndItsLeaseRunsAhead) {
  spawn_worker(away);
  for (int i = 0; i < 20; ++i) {
    advance(std::chrono::seconds(1));
    EXPECT_GT(lease->until_ms, now_ms + 2000);
  }
  EXPECT_EQ(figure("roof_worker_joins_total{worker=\"w\"}"), 1);
  EXPECT_EQ(searched, 1);
}

TEST_F(WorkersTest, AHomeThatSaysNothingMoreIsLeftWithinItsLease) {
  spawn_worker(away);
  begin(1);
  ASSERT_TRUE(away.computing.contains(1));
  no_way = true;
  caf::anon_send_exit(pool_, caf::exit_reason::kill);
  run();
  EXPECT_EQ(away.cancelled_all, 1);
  EXPECT_LE(lease->until_ms, now_ms);
  away.stop(1);
  run();
  EXPECT_TRUE(heard.empty());
}

TEST_F(WorkersTest, NoHomeIsLookedForWhileARunOfTheLastOneGoesOn) {
  const auto worker = spawn_worker(away);
  begin(1);
  ASSERT_TRUE(away.computing.contains(1));
  // What CAF says when the connection breaks; the home is there at once again.
  caf::anon_send(caf::actor_cast<caf::actor>(worker),
                 caf::down_msg{pool_.address(), caf::exit_reason::remote_link_unreachable});
  advance(kSilence + kStopping);
  EXPECT_EQ(away.cancelled_all, 1);
  EXPECT_EQ(searched, 1);
  EXPECT_LE(lease->until_ms, now_ms) << "so that the run's lease ends";
  away.stop(1);
  advance(std::chrono::milliseconds(200));
  EXPECT_EQ(searched, 2);
  EXPECT_GT(lease->until_ms, now_ms);
}

TEST_F(WorkersTest, AWorkerThatDiesLosesItsRunToAnotherOnlyWhenItMustHaveStopped) {
  const auto worker = spawn_worker(away, "first");
  begin(1);
  spawn_worker(away_too, "second");
  caf::anon_send_exit(worker, caf::exit_reason::kill);
  run();
  EXPECT_EQ(ask<std::uint64_t>(drain_atom::value), 1U) << "the slot is taken";
  advance(kSilence);
  EXPECT_TRUE(away_too.computing.empty());
  advance(kStopping + kBeat);
  ASSERT_TRUE(away_too.computing.contains(1));
  away_too.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
  EXPECT_EQ(figure("roof_workers_lost_total"), 1);
  EXPECT_EQ(figure("roof_runs_moved_total"), 1);
  EXPECT_EQ(figure("roof_workers"), 1);
}

/// The test is the worker, so that it can be as silent as a stopped process.
TEST_F(WorkersTest, ASilentWorkerIsLostAndItsLateAnswersAreDropped) {
  Desk none;
  const auto hand = system_.spawn([](Worker::pointer) -> Worker::behavior_type {
    return {[](std::uint64_t, const AnalysisJob&) {}, [](cancel_atom, const RunRef&) {}};
  });
  all_.push_back(caf::actor_cast<caf::actor>(hand));
  const auto session = ask<WorkerWelcome>(facts("mute"), hand).session;
  begin(1);
  advance(kSilence + kBeat + kBeat);
  EXPECT_FALSE(ask<bool>(known_atom::value, session));
  caf::anon_send(pool_, session, RunOutcome{.run = {1}, .finished = true, .result = "late"});
  caf::anon_send(pool_, session, ended_atom::value, RunRef{1}, std::int64_t{9});
  run();
  EXPECT_TRUE(heard.empty());
  advance(kStopping);
  EXPECT_TRUE(home.computing.contains(1));
  caf::anon_send(pool_, session, RunOutcome{.run = {1}, .finished = true, .result = "later still"});
  home.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
}

TEST_F(WorkersTest, ARunThatLosesItsWorkerTwiceIsInterrupted) {
  auto first = spawn_worker(away, "first");
  begin(1);
  auto second = spawn_worker(away_too, "second");
  caf::anon_send_exit(first, caf::exit_reason::kill);
  advance(kSilence + kStopping + kBeat);
  ASSERT_TRUE(away_too.computing.contains(1));
  caf::anon_send_exit(second, caf::exit_reason::kill);
  advance(kSilence + kStopping + kBeat);
  EXPECT_EQ(heard, (Heard{"analyse_abgebrochen", "ended"}));
}

TEST_F(WorkersTest, AHomeThatDoesNotLeadItsPairAnyMoreLetsNobodyComputeForIt) {
  spawn_worker(away);
  begin(1);
  leads = false;
  advance(kBeat + kBeat);
  EXPECT_EQ(away.cancelled_all, 1) << "at its next question the worker hears that it is not known";
  EXPECT_LE(lease->until_ms, now_ms);
  EXPECT_NE(ask<WorkerWelcome>(facts(), Worker()).refusal.find("does not lead"), std::string::npos);
}

TEST_F(WorkersTest, AWorkerThatEndsFinishesWhatItCanAndGivesBackTheRest) {
  const auto worker = spawn_worker(away);
  begin(1);
  begin(2);
  caf::anon_send(worker, leave_atom::value);
  run();
  begin(3);
  EXPECT_TRUE(home.computing.contains(3)) << "nothing more for the one that leaves";
  away.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
  caf::anon_send(worker, cancel_atom::value);
  run();
  away.stop(2);
  run();
  EXPECT_TRUE(home.computing.contains(2)) << "at once: it has really stopped";
  advance(kStep);
  EXPECT_GT(unheard(worker), 0U) << "it asks the home now";
  EXPECT_EQ(unheard(worker), 0U) << "the home has heard of all";
  caf::anon_send_exit(worker, caf::exit_reason::user_shutdown);
  run();
  EXPECT_EQ(figure("roof_workers_lost_total"), 0) << "it has left, it is not lost";
}

class WorkersThatEnd : public WorkersTest {
 protected:
  /// `after`: how long after its beginning the worker is told to end.
  void expect_that_it_leaves(std::chrono::milliseconds after) {
    slow_down_to(1'000);  // a word takes a tenth of a second
    const auto worker = spawn_worker(away);
    advance(after);
    caf::anon_send(worker, leave_atom::value);
    int waited = 0;
    while (unheard(worker) > 0 && ++waited < 100) advance(kStep);
    EXPECT_GT(waited, 0) << "the home has not heard it yet";
    EXPECT_LT(waited, 100);
    caf::anon_send_exit(worker, caf::exit_reason::user_shutdown);
    advance(kSilence + kStopping);
    EXPECT_EQ(figure("roof_worker_joins_total{worker=\"w\"}"), 1);
    EXPECT_EQ(figure("roof_workers"), 0);
    EXPECT_EQ(figure("roof_workers_lost_total"), 0) << "it has left, it is not lost";
  }
};

TEST_F(WorkersThatEnd, DoSoWhenTheHomeHasHeardThatTheyLeave) { expect_that_it_leaves(kBeat); }

TEST_F(WorkersThatEnd, LeaveAlsoWhenTheyAreBeingLetIn) { expect_that_it_leaves(kStep); }

}  // namespace
