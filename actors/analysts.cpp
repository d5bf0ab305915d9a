#include "actors/analysts.hpp"

#include <caf/event_based_actor.hpp>

#include "persistence/result_codec.hpp"

namespace actors {
namespace {

/// What a failed computation is to a client: the contract's code, and a sentence only where one was meant for
/// him.
RunOutcome outcome_of(const RunRef& ref, const geo::Failure& failure) {
  RunOutcome outcome{.run = ref};
  switch (failure.kind) {
    case geo::FailureKind::no_roof:
      outcome.code = Code::kein_dach;
      outcome.text = failure.text;
      break;
    case geo::FailureKind::data_unreachable:
      outcome.code = Code::dienst_nicht_erreichbar;
      break;
    case geo::FailureKind::data_overloaded:
      outcome.code = Code::dienst_ueberlastet;
      break;
    case geo::FailureKind::cancelled:
      outcome.code = Code::analyse_abgebrochen;
      break;
    case geo::FailureKind::invalid_input:
    case geo::FailureKind::internal:
      outcome.code = Code::analyse_fehlgeschlagen;
      break;
  }
  return outcome;
}

RunOutcome outcome_of(const RunRef& ref, geo::PropertyAnalysis& whole) {
  return {.run = ref,
          .finished = true,
          .result = persistence::encode_result(whole.analysis),
          .scene = std::move(whole.scene)};
}

/// A worker's whole life, in a thread of its own.
void compute_job(caf::event_based_actor* self, const Compute& compute, const AnalysisJob& job,
                 const Projects& owner, const geo::RunControl& control) {
  const auto tell = [&](const geo::AnalysisStep& step) {
    self->send(owner, StepDone{job.run, step.name, step.done, step.total});
  };
  auto result = compute(job, tell, control);
  self->send(owner, result ? outcome_of(job.run, *result) : outcome_of(job.run, result.error()));
}

}  // namespace

AnalystsActor::AnalystsActor(caf::actor_config& config, Compute compute, Clock clock)
    : Analysts::base(config), compute_(std::move(compute)), clock_(std::move(clock)) {
  set_down_handler([this](const caf::down_msg& down) { ended(down.source); });
}

AnalystsActor::behavior_type AnalystsActor::make_behavior() {
  return {
      [this](const AnalysisJob& job, const Projects& owner) { start(job, owner); },
      [this](cancel_atom, const RunRef& ref) {
        for (auto& [worker, work] : at_work_)
          if (work.ref.run == ref.run) work.control->cancel();
      },
      [this](cancel_atom) {
        for (auto& [worker, work] : at_work_) work.control->cancel();
      },
      [this](drain_atom) { return static_cast<std::uint64_t>(at_work_.size()); },
  };
}

void AnalystsActor::start(const AnalysisJob& job, const Projects& owner) {
  auto control = std::make_shared<geo::RunControl>();
  const auto worker = spawn<caf::detached + caf::monitored>(
      [compute = compute_, job, owner, control](caf::event_based_actor* self) {
        compute_job(self, compute, job, owner, *control);
      });
  at_work_[worker.address()] = {job.run, owner, control, clock_()};
}

void AnalystsActor::ended(const caf::actor_addr& worker) {
  const auto it = at_work_.find(worker);
  if (it == at_work_.end()) return;
  const Work& work = it->second;
  send(work.owner, ended_atom::value, work.ref, clock_() - work.started_ms);
  at_work_.erase(it);
}

}  // namespace actors
