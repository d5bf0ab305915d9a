// The one place where slots are handed out (slot_line.hpp has the rule).
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <unordered_map>

#include "actors/clock.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/options.hpp"
#include "actors/runs/run_pace.hpp"
#include "actors/runs/slot_line.hpp"

namespace actors {

class SlotSchedulerActor : public Measured<SlotScheduler::base> {
 public:
  SlotSchedulerActor(caf::actor_config& config, const ActorOptions& options, Clock clock,
                     MetersPtr meters = private_meters());
  const char* name() const override { return "slot-scheduler"; }
  // The shards hold this actor and it holds them. Unless one side lets go, the program never ends.
  void on_exit() override { places_.clear(); }

 private:
  behavior_type make_behavior() override;
  void ask(const RunRef& ref, const Projects& owner);
  void hand_out();
  void show_line();
  void fill_in(const RunRef& ref, Outcome& draft) const;

  struct Place {
    RunRef ref;
    Projects owner;
    std::int64_t since_ms = 0;
  };
  Clock clock_;
  SlotLine line_;
  RunPace pace_;
  bool draining_ = false;
  std::unordered_map<std::uint64_t, Place> places_;  // of the waiting runs
};

}  // namespace actors
