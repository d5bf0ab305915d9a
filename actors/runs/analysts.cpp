#include "actors/runs/analysts.hpp"

#include <algorithm>

namespace actors {

AnalystsActor::AnalystsActor(caf::actor_config& config, Spawn spawn, MetersPtr meters)
    : Measured(config, "analysts", std::move(meters)), spawn_(std::move(spawn)) {
  set_down_handler([this](const caf::down_msg& down) { died(down.source); });
}

AnalystsActor::behavior_type AnalystsActor::make_behavior() {
  return {
      [this](const AnalysisJob& job, const RunOwner& owner) { start(job, owner); },
      [this](cancel_atom, const RunRef& ref) {
        for (auto& [analyst, work] : at_work_)
          if (work.ref.run == ref.run) work.control->cancel();
      },
      [this](cancel_atom) {
        for (auto& [analyst, work] : at_work_) work.control->cancel();
      },
      [this](drain_atom) { return static_cast<std::uint64_t>(at_work_.size()); },
  };
}

void AnalystsActor::on_exit() {
  for (const Analyst& analyst : all_) send_exit(analyst, caf::exit_reason::user_shutdown);
  all_.clear();
  idle_.clear();
  at_work_.clear();
  spawn_ = nullptr;
}

void AnalystsActor::start(const AnalysisJob& job, const RunOwner& owner) {
  const Analyst analyst = idle_one();
  auto control = std::make_shared<geo::RunControl>();
  at_work_[analyst.address()] = {job.run, owner, control, std::chrono::steady_clock::now()};
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
  const auto took = std::chrono::steady_clock::now() - work.started;
  meters().computing_time.Observe(std::chrono::duration<double>(took).count());
  const std::int64_t took_ms = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  send(work.owner, ended_atom::value, work.ref, took_ms);
}

}  // namespace actors
