// The computing side of a run, behind one address. This actor hands each job to an idle analyst. It makes
// another analyst when none is idle: there are as many as runs have ever computed at once, and one more for
// each that hangs. An analyst that dies ends its run; the next job gets a new one.
//
// A thread that hangs in a foreign call, as a read from a network drive that is gone, cannot be ended. Its
// run keeps its slot, because nobody knows what the thread would still do. So a run that goes on two minutes
// after it was cancelled is told of, and whoever has started the analysts decides when the program ends.
#pragma once
#include <caf/actor_clock.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "actors/measured.hpp"
#include "actors/messages.hpp"

namespace actors {

class AnalystsActor : public Measured<AnalystsDesk::base> {
 public:
  static constexpr std::chrono::minutes kStuckAfter{2};
  /// Called whenever their number changes.
  using OnStuck = std::function<void(std::size_t runs)>;
  /// `spawn` makes an analyst, detached because GDAL and the geometry block.
  using Spawn = std::function<Analyst()>;
  AnalystsActor(caf::actor_config& config, Spawn spawn, MetersPtr meters = private_meters(),
                OnStuck on_stuck = {});
  const char* name() const override { return "analysts"; }

 private:
  behavior_type make_behavior() override;
  // The shards hold this actor and it holds them (as in slot_scheduler.hpp): it lets go of them.
  void on_exit() override;
  struct Work {
    RunRef ref;
    RunOwner owner;
    RunControlPtr control;
    std::chrono::steady_clock::time_point started;  // steady, because the time of day may jump
    std::optional<caf::actor_clock::time_point> cancelled;
    bool stuck = false;
  };
  void start(const AnalysisJob& job, const RunOwner& owner);
  void cancel(Work& work);
  void look_at(const RunRef& ref);
  void tell_stuck();
  Analyst idle_one();
  void over(const Analyst& analyst);
  void died(const caf::actor_addr& address);
  void end_work_of(const caf::actor_addr& analyst);

  Spawn spawn_;
  std::vector<Analyst> all_;
  std::vector<Analyst> idle_;
  std::map<caf::actor_addr, Work> at_work_;
  OnStuck on_stuck_;
};

}  // namespace actors
