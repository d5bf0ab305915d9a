// The bound itself, never more runs than slots, is SlotLine's.
#include "actors/runs/slot_scheduler.hpp"

namespace actors {

SlotSchedulerActor::SlotSchedulerActor(caf::actor_config& config, const ActorOptions& options, Clock clock,
                                       MetersPtr meters)
    : Measured(config, "slot-scheduler", std::move(meters)),
      clock_(std::move(clock)),
      line_(options.slots, options.waiting_max) {
  this->meters().slots.Set(options.slots);
}

SlotSchedulerActor::behavior_type SlotSchedulerActor::make_behavior() {
  return {
      [this](const RunRef& ref, const Projects& owner, Answer& draft) {
        ask(ref, owner);
        fill_in(ref, draft.outcome);
        return std::move(draft);
      },
      [this](const RunRef& ref, const Projects& owner) { ask(ref, owner); },
      [this](room_atom) { return line_.room(); },
      [this](release_atom, const RunRef& ref, std::int64_t computing_ms) {
        line_.release(ref.run);
        if (computing_ms > 0) pace_.observe(computing_ms);  // 0: the run never computed
        hand_out();
      },
      [this](leave_atom, const RunRef& ref) {
        line_.leave(ref.run);
        places_.erase(ref.run);
        show_line();
      },
      [this](drain_atom) { draining_ = true; },
  };
}

void SlotSchedulerActor::ask(const RunRef& ref, const Projects& owner) {
  if (line_.ask(ref.run, clock_())) places_.try_emplace(ref.run, Place{ref, owner, clock_()});
  hand_out();
}

void SlotSchedulerActor::hand_out() {
  const std::int64_t now_ms = clock_();
  const auto granted = draining_ ? std::vector<std::uint64_t>() : line_.grant(now_ms);
  for (const std::uint64_t run : granted) {
    const auto it = places_.find(run);
    meters().waiting.Observe(static_cast<double>(now_ms - it->second.since_ms) / 1000.0);
    send(it->second.owner, start_atom::value, it->second.ref);
    places_.erase(it);
  }
  show_line();
}

void SlotSchedulerActor::show_line() {
  meters().line.Set(static_cast<double>(line_.waiting()));
  meters().computing.Set(static_cast<double>(line_.computing()));
}

void SlotSchedulerActor::fill_in(const RunRef& ref, Outcome& draft) const {
  const auto ahead = line_.ahead_of(ref.run);
  const int retry_s = pace_.retry_waiting_s(ahead, line_.slots());
  if (auto* created = caf::get_if<Created>(&draft)) created->retry_s = retry_s;
  if (auto* running = caf::get_if<Running>(&draft)) {
    running->retry_s = retry_s;
    running->ahead = static_cast<std::uint32_t>(ahead);
  }
}

}  // namespace actors
