// A result's way from a worker to its home: in one message or in pieces.
#include "tests/actors/workers/workers_world.hpp"

namespace {

using namespace workers_under_trial;
struct WorkerResults : WorkersTest {};

TEST_F(WorkerResults, AResultThatIsTooLargeForOneMessageFailsTheRunWithASentence) {
  spawn_worker(away);
  begin(1);
  away.finish(1, std::string(1001, 'x'));
  run();
  EXPECT_EQ(heard, (Heard{"analyse_fehlgeschlagen", "ended"}));
}

TEST_F(WorkerResults, AResultThatNeedsLongerOnTheWireThanTheLeaseArrives) {
  slow_down_to(100'000);
  spawn_worker(away);
  advance(kStep);
  begin(1);
  const std::string result = long_text(900'000), scene = long_text(100'000, 7);
  away.finish(1, result, scene);
  advance(std::chrono::seconds(9));
  EXPECT_TRUE(heard.empty());
  advance(std::chrono::seconds(4));
  ASSERT_EQ(heard.size(), 3U);
  EXPECT_TRUE(heard[0] == "result " + result) << "all of it, in its order";
  EXPECT_TRUE(heard[1] == "scene " + scene);
  EXPECT_EQ(heard[2], "ended");
  EXPECT_EQ(figure("roof_workers_lost_total"), 0);
  EXPECT_EQ(figure("roof_runs_moved_total"), 0);
}

TEST_F(WorkerResults, SeveralSuchResultsGoOneAfterTheOther) {
  slow_down_to(100'000);
  spawn_worker(away);
  advance(kStep);
  for (const std::uint64_t run_id : {1, 2, 3}) begin(run_id);
  ASSERT_EQ(away.computing.size(), 3U);
  const std::string result = long_text(400'000);
  for (const std::uint64_t run_id : {1, 2, 3}) away.finish(run_id, result);
  advance(std::chrono::seconds(16));
  ASSERT_EQ(heard.size(), 6U);
  for (const std::size_t i : {0, 2, 4}) EXPECT_TRUE(heard[i] == "result " + result) << i;
  EXPECT_EQ(figure("roof_workers_lost_total"), 0);
}

TEST_F(WorkerResults, PiecesOfAWorkerThatIsLostAreNoPartOfTheNextOnesResult) {
  const auto hand = system_.spawn([](Worker::pointer) -> Worker::behavior_type {
    return {[](std::uint64_t, const AnalysisJob&) {}, [](cancel_atom, const RunRef&) {}};
  });
  all_.push_back(caf::actor_cast<caf::actor>(hand));
  const auto session = ask<WorkerWelcome>(facts("mute"), hand).session;
  begin(1);
  EXPECT_TRUE(ask<bool>(session, OutcomePiece{1, "half", ""}));
  EXPECT_FALSE(ask<bool>(session, OutcomePiece{2, "of a run that is not its own", ""}));
  advance(kSilence + kStopping + kBeat + kBeat);
  EXPECT_FALSE(ask<bool>(session, OutcomePiece{1, "late", ""}));
  ASSERT_TRUE(home.computing.contains(1));
  home.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
}

TEST_F(WorkerResults, AResultOfWhichTheHomeTakesNoMoreFailsTheRunWithASentence) {
  slow_down_to(10'000'000);
  message_max = 10'000'000;
  spawn_worker(away);
  advance(kStep);
  begin(1);
  away.finish(1, long_text(3'000'000));
  advance(std::chrono::seconds(10));
  EXPECT_EQ(heard, (Heard{"analyse_fehlgeschlagen", "ended"}));
}

}  // namespace
