// A process that computes for a home: takes its runs, sends steps and results, and stops by itself when it
// does not hear the home any more (worker_pool.hpp says why).
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/workers/lease.hpp"

namespace actors {

struct WorkerParts {
  Analysts analysts;  ///< those of this process
  HomeFinder finder;
  /// Read anew each time that a home is asked, because data may have changed. Nothing when they cannot be
  /// read, which the callee has said.
  std::function<std::optional<WorkerFacts>()> facts;
  /// Whether the data are still those that the facts told of. Asked before and after each run.
  std::function<bool()> data_as_read = [] { return true; };
  LeasePtr lease = std::make_shared<Lease>();
  WakingClock now_ms = waking_ms;
  std::size_t message_max = 8U << 20U;  ///< bytes of a result with its scene
};

class WorkerActor : public Measured<WorkerProcess::base> {
 public:
  WorkerActor(caf::actor_config& config, WorkerParts parts, MetersPtr meters = private_meters());
  const char* name() const override { return "worker"; }

 private:
  static constexpr std::chrono::seconds kTryAgain{1}, kTryAgainRefused{10};
  static constexpr std::chrono::seconds kTryAgainWithData{10};  // a country's data take long to read
  struct Run {
    WorkerSession session = 0;
    bool cancelled = false;   // by the home
    bool unfinished = false;  // to be given back: this process must end, or its data have changed
    std::int64_t step_sent_ms = 0;
    std::optional<StepDone> step;             // waits to be sent
    std::optional<RunOutcome> outcome;        // what of it waits to be sent
    std::optional<std::int64_t> computed_ms;  // its thread has ended, which is told after the outcome
    std::optional<std::int64_t> ended_ms;     // when its thread ended, of which the home may not have heard
  };
  behavior_type make_behavior() override;
  void on_exit() override;
  void find_home();
  void ask_in();
  void let_in(const WorkerWelcome& welcome, std::int64_t asked_ms);
  void lose(const std::string& why);
  void try_again(const std::string& why, std::chrono::seconds pause = kTryAgain);
  void beat();
  void ask_known();
  void known(std::int64_t asked_ms);
  void begin(const AnalysisJob& job, std::uint64_t session);
  void step(const StepDone& step);
  void send_steps();
  void outcome(const RunOutcome& outcome);
  void send_outcomes();
  void ended(const RunRef& ref, std::int64_t computing_ms);
  void tell_end(Run& run, const RunRef& ref, std::int64_t computing_ms);
  bool data_changed();
  Run* current(std::uint64_t run);
  void tell(LogLevel level, const std::string& event, const std::string& reason);

  WorkerParts parts_;
  WorkersHome home_;
  WorkerSession session_ = 0;
  std::string said_;  // the last fault that was told, so that it is told once
  std::map<std::uint64_t, Run> runs_;
  bool leaving_ = false, leaving_heard_ = false;  // by the home
  bool giving_back_ = false, flushing_ = false;
  bool piece_under_way_ = false;
  bool data_changed_ = false;  // it has left this home, and asks in anew when its runs are over
};

}  // namespace actors
