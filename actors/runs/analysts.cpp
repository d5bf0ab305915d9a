#include "actors/runs/analysts.hpp"

#include <algorithm>

namespace actors {

AnalystsActor::AnalystsActor(caf::actor_config& config, Spawn spawn, MetersPtr meters, OnStuck on_stuck)
    : Measured(config, "analysts", std::move(meters)),
      spawn_(std::move(spawn)),
      on_stuck_(std::move(on_stuck)) {
  set_down_handler([this](const caf::down_msg& down) { died(down.source); });
}

AnalystsActor::behavior_type AnalystsActor::make_behavior() {
  return {
      [this](const AnalysisJob& job, const RunOwner& owner) { start(job, owner); },
      [this](cancel_atom, const RunRef& ref) {
        for (auto& [analyst, work] : at_work_)
          if (work.ref.run == ref.run) cancel(work);
      },
      [this](cancel_atom) {
        for (auto& [analyst, work] : at_work_) cancel(work);
      },
      [this](drain_atom) { return static_cast<std::uint64_t>(at_work_.size()); },
      [this](late_atom, const RunRef& ref) { look_at(ref); },
  };
}

void AnalystsActor::on_exit() {
  for (const Analyst& analyst : all_) send_exit(analyst, caf::exit_reason::user_shutdown);
  all_.clear();
  idle_.clear();
  at_work_.clear();
  spawn_ = nullptr;
  on_stuck_ = nullptr;
}

void AnalystsActor::cancel(Work& work) {
  work.control->cancel();
  if (work.cancelled) return;
  work.cancelled = clock().now();
  delayed_send(caf::actor_cast<AnalystsDesk>(this), kStuckAfter, late_atom::value, work.ref);
}

void AnalystsActor::look_at(const RunRef& ref) {
  for (auto& [analyst, work] : at_work_) {
    // The run may have come back since, from a worker: then this is about the time before.
    const bool late = work.cancelled && clock().now() - *work.cancelled >= kStuckAfter;
    if (work.ref.run != ref.run || work.stuck || !late) continue;
    work.stuck = true;
    meters().log().write(
        LogLevel::error,
        LogLine("run does not stop")
            .field("run", ref.run)
            .field("project", ref.project)
            .field("reason",
                   "its thread goes on two minutes after it was cancelled, as when a read of the data hangs; "
                   "it keeps its slot"));
    tell_stuck();
  }
}

void AnalystsActor::tell_stuck() {
  const auto runs =
      std::count_if(at_work_.begin(), at_work_.end(), [](const auto& entry) { return entry.second.stuck; });
  meters().stuck.Set(static_cast<double>(runs));
  if (on_stuck_) on_stuck_(static_cast<std::size_t>(runs));
}

void AnalystsActor::start(const AnalysisJob& job, const RunOwner& owner) {
  const Analyst analyst = idle_one();
  auto control = std::make_shared<geo::RunControl>();
  at_work_[analyst.address()] = {job.run, owner, control, std::chrono::steady_clock::now(), {}};
  request(analyst, caf::infinite, job, owner, RunControlPtr(std::move(control)))
      .then([this, analyst](ended_atom) { over(analyst); },
            [](const caf::error&) {});  // the analyst has died, which died() handles
}

/// The one that has worked last, for it has the most open.
Analyst AnalystsActor::idle_one() {
  if (!idle_.empty()) {
    Analyst analyst = std::move(idle_.back());
    idle_.pop_back();
    return analyst;
  }
  Analyst analyst = spawn_();
  monitor(analyst);  // a request to an analyst that dies while it computes is never answered
  all_.push_back(analyst);
  return analyst;
}

void AnalystsActor::over(const Analyst& analyst) {
  idle_.push_back(analyst);
  end_work_of(analyst.address());
}

void AnalystsActor::died(const caf::actor_addr& address) {
  const auto is_it = [&](const Analyst& analyst) { return analyst.address() == address; };
  std::erase_if(all_, is_it);
  std::erase_if(idle_, is_it);
  end_work_of(address);
}

void AnalystsActor::end_work_of(const caf::actor_addr& analyst) {
  const auto ended = at_work_.extract(analyst);
  if (!ended) return;
  const Work& work = ended.mapped();
  if (work.stuck) {
    meters().log().write(LogLevel::warning, LogLine("run has stopped after all").field("run", work.ref.run));
    tell_stuck();
  }
  const auto took = std::chrono::steady_clock::now() - work.started;
  meters().computing_time.Observe(std::chrono::duration<double>(took).count());
  const std::int64_t took_ms = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  send(work.owner, ended_atom::value, work.ref, took_ms);
}

}  // namespace actors
