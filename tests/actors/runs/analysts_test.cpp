// Analysts have threads of their own, so these tests run under CAF's real scheduler and wait for them.
#include "actors/runs/analysts.hpp"

#include <gtest/gtest.h>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "actors/runs/analyst.hpp"

namespace {

using actors::AnalysisJob;
using actors::Analysts;

constexpr std::chrono::seconds kPatience(30);

/// What the runs do: those named here wait until they are let go or cancelled.
class Stage {
 public:
  void hold(std::uint64_t run) {
    locked([&] { held_.insert(run); });
  }
  void let_go(std::uint64_t run) {
    locked([&] { held_.erase(run); });
  }
  void blow_up(std::uint64_t run) {
    locked([&] { explosive_.insert(run); });
  }

  geo::Result<geo::PropertyAnalysis> play(const AnalysisJob& job, const geo::RunControl& control) {
    std::unique_lock lock(mutex_);
    threads_[job.run.run] = std::this_thread::get_id();
    begun_.notify_all();
    if (explosive_.contains(job.run.run)) throw 42;  // NOLINT(hicpp-exception-baseclass): as foreign code may
    while (held_.contains(job.run.run)) {
      if (control.cancelled()) return geo::fail(geo::FailureKind::cancelled, "cancelled");
      begun_.wait_for(lock, std::chrono::milliseconds(5));
    }
    return geo::PropertyAnalysis{};
  }

  /// The thread in which a run has begun.
  std::thread::id thread_of(std::uint64_t run) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(begun_.wait_for(lock, kPatience, [&] { return threads_.contains(run); })) << "run " << run;
    return threads_[run];
  }

 private:
  template <class Change>
  void locked(const Change& change) {
    const std::lock_guard guard(mutex_);
    change();
    begun_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable begun_;
  std::set<std::uint64_t> held_, explosive_;
  std::map<std::uint64_t, std::thread::id> threads_;
};

class AnalystsTest : public testing::Test {
 protected:
  AnalystsTest() {
    const auto spawn = [this] {
      ++spawned_;
      const auto compute = [this](const AnalysisJob& job, const geo::StepListener&,
                                  const geo::RunControl& control) { return stage_.play(job, control); };
      return system_.spawn<actors::AnalystActor, caf::detached>(
          compute, [] {}, actors::private_meters());
    };
    analysts_ = system_.spawn<actors::AnalystsActor>(actors::AnalystsActor::Spawn(spawn));
  }
  ~AnalystsTest() override { caf::anon_send_exit(analysts_, caf::exit_reason::user_shutdown); }

  void start(std::uint64_t run) {
    AnalysisJob job;
    job.run.run = run;
    caf::anon_send(analysts_, job, actors::RunOwner{});
  }
  std::uint64_t computing() {
    std::uint64_t count = 0;
    const caf::scoped_actor self(system_);
    self->request(analysts_, kPatience, actors::drain_atom::value)
        .receive([&](std::uint64_t n) { count = n; }, [](const caf::error&) { FAIL(); });
    return count;
  }
  void wait_until_computing(std::uint64_t runs) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (computing() != runs && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(computing(), runs);
  }

  Stage stage_;
  std::atomic<int> spawned_{0};
  caf::actor_system_config config_;
  caf::actor_system system_{config_};
  Analysts analysts_;
};

TEST_F(AnalystsTest, RunsThatFollowEachOtherShareAThread) {
  for (std::uint64_t run : {1, 2, 3}) {
    start(run);
    stage_.thread_of(run);
    wait_until_computing(0);
  }
  EXPECT_EQ(stage_.thread_of(1), stage_.thread_of(2));
  EXPECT_EQ(stage_.thread_of(1), stage_.thread_of(3));
  EXPECT_EQ(spawned_, 1);
}

TEST_F(AnalystsTest, RunsAtTheSameTimeHaveThreadsOfTheirOwn) {
  stage_.hold(1);
  start(1);
  start(2);
  EXPECT_NE(stage_.thread_of(1), stage_.thread_of(2));
  stage_.let_go(1);
  wait_until_computing(0);
  EXPECT_EQ(spawned_, 2);
}

TEST_F(AnalystsTest, ARunThatHangsDelaysNoOther) {
  stage_.hold(1);
  start(1);
  stage_.thread_of(1);
  for (std::uint64_t run : {2, 3, 4}) {
    start(run);
    stage_.thread_of(run);
    wait_until_computing(1);
  }
  EXPECT_EQ(spawned_, 2) << "one more thread, not one for each run";
  stage_.let_go(1);
}

TEST_F(AnalystsTest, OnlyTheRunThatIsCancelledEnds) {
  stage_.hold(1);
  stage_.hold(2);
  start(1);
  start(2);
  stage_.thread_of(1), stage_.thread_of(2);
  actors::RunRef first;
  first.run = 1;
  caf::anon_send(analysts_, actors::cancel_atom::value, first);
  wait_until_computing(1);
  caf::anon_send(analysts_, actors::cancel_atom::value);
  wait_until_computing(0);
}

TEST_F(AnalystsTest, ACancelledRunLeavesItsThreadForTheNextOne) {
  stage_.hold(1);
  start(1);
  stage_.thread_of(1);
  caf::anon_send(analysts_, actors::cancel_atom::value);
  wait_until_computing(0);
  start(2);
  EXPECT_EQ(stage_.thread_of(1), stage_.thread_of(2));
  wait_until_computing(0);
}

TEST_F(AnalystsTest, AnAnalystThatDiesEndsItsRunAndIsReplaced) {
  stage_.blow_up(1);
  start(1);
  stage_.thread_of(1);
  wait_until_computing(0);
  start(2);
  stage_.thread_of(2);
  wait_until_computing(0);
  EXPECT_EQ(spawned_, 2);
}

}  // namespace
