// Runs whose thread never ends, with analysts that answer when the test says so. Time is the scheduler's.
#include <gtest/gtest.h>
#include <caf/actor_system.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/send.hpp>

#include "actors/runs/analysts.hpp"
#include "tests/actors/recording_log.hpp"
#include "tests/actors/testing_config.hpp"

namespace {

using namespace actors;

class StuckRuns : public ::testing::Test {
 protected:
  StuckRuns() {
    // A promise is kept inside the actor that made it: the run 0 tells it to.
    const auto spawn = [this] {
      const auto promise = std::make_shared<caf::typed_response_promise<ended_atom>>();
      return system_.spawn([this, promise](Analyst::pointer self) -> Analyst::behavior_type {
        return {[this, promise, self](const AnalysisJob& job, const RunOwner&,
                                      const RunControlPtr&) -> caf::result<ended_atom> {
          if (job.run.run == 0) {
            std::exchange(*promise, {}).deliver(ended_atom::value);
            return ended_atom::value;
          }
          threads_[job.run.run] = self;
          return *promise = self->make_response_promise<ended_atom>();
        }};
      });
    };
    analysts_ = system_.spawn<AnalystsActor>(
        AnalystsActor::Spawn(spawn), meters_,
        AnalystsActor::OnStuck([this](std::size_t runs) { told.push_back(runs); }));
  }
  ~StuckRuns() override {
    while (!threads_.empty()) end(threads_.begin()->first);
    caf::anon_send_exit(analysts_, caf::exit_reason::user_shutdown);
    run();
  }
  void run() {
    auto& scheduler = dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler());
    while (scheduler.has_job()) scheduler.run();
  }
  void advance(std::chrono::seconds time) {
    dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler()).advance_time(time);
    run();
  }
  void start(std::uint64_t run_id) {
    caf::anon_send(analysts_, AnalysisJob{.run = {run_id}}, RunOwner());
    run();
  }
  void cancel(std::uint64_t run_id) {
    caf::anon_send(analysts_, cancel_atom::value, RunRef{run_id});
    run();
  }
  void end(std::uint64_t run_id) {
    caf::anon_send(threads_.extract(run_id).mapped(), AnalysisJob{}, RunOwner(), RunControlPtr());
    run();
  }

  using Told = std::vector<std::size_t>;
  static constexpr auto kAlmost = AnalystsActor::kStuckAfter - std::chrono::seconds(1);
  Told told;  ///< how many runs do not stop
  std::shared_ptr<test::RecordingLog> log = std::make_shared<test::RecordingLog>();
  MetersPtr meters_ = std::make_shared<Meters>(log);

 private:
  test::TestingConfig config_;
  caf::actor_system system_{config_};
  std::map<std::uint64_t, Analyst> threads_;
  Analysts analysts_;
};

TEST_F(StuckRuns, ARunThatGoesOnTwoMinutesAfterItWasCancelledIsToldOfOnce) {
  start(1);
  cancel(1);
  advance(kAlmost);
  EXPECT_EQ(told, Told());
  advance(std::chrono::seconds(2));
  EXPECT_EQ(told, Told{1});
  EXPECT_EQ(meters_->stuck.Value(), 1);
  ASSERT_EQ(log->lines.size(), 1U);
  EXPECT_NE(log->lines[0].find("run does not stop"), std::string::npos) << log->lines[0];
  cancel(1);
  advance(std::chrono::hours(1));
  EXPECT_EQ(told, Told{1});
}

TEST_F(StuckRuns, OneThatComputesForLongOrStopsInTimeIsNone) {
  start(1);
  start(2);
  cancel(2);
  advance(kAlmost);
  end(2);
  advance(std::chrono::hours(1));
  EXPECT_EQ(told, Told());
  EXPECT_EQ(meters_->stuck.Value(), 0);
}

TEST_F(StuckRuns, AllOfThemAreCountedAndOneThatStopsAfterAllIsNotAnyMore) {
  start(1);
  start(2);
  cancel(1);
  cancel(2);
  advance(std::chrono::minutes(3));
  EXPECT_EQ(told, (Told{1, 2}));
  end(1);
  EXPECT_EQ(told, (Told{1, 2, 1}));
  EXPECT_EQ(meters_->stuck.Value(), 1);
}

TEST_F(StuckRuns, ARunThatHasComeBackSinceHasItsOwnTwoMinutes) {
  start(1);
  cancel(1);
  advance(std::chrono::seconds(100));
  end(1);
  start(1);
  cancel(1);
  advance(std::chrono::seconds(100));
  EXPECT_EQ(told, Told());
  advance(std::chrono::seconds(30));
  EXPECT_EQ(told, Told{1});
}

}  // namespace
