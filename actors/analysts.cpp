#include "actors/analysts.hpp"

#include <caf/event_based_actor.hpp>

#include "actors/thread_priority.hpp"
#include "persistence/result_codec.hpp"

namespace actors {
namespace {

/// What a client sees of a failed computation: the contract's code, and a sentence only where one was meant
/// for the client.
RunOutcome outcome_of(const RunRef& ref, const geo::Failure& failure) {
  RunOutcome outcome{.run = ref, .reason = failure.text};
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
  auto result = persistence::encode_result(whole.analysis);
  if (!result) return {.run = ref, .code = Code::analyse_fehlgeschlagen};
  return {.run = ref, .finished = true, .result = std::move(*result), .scene = std::move(whole.scene)};
}

/// Measures how long a run stays in each of its steps. The last step ends when this object is destroyed.
class StageClock {
 public:
  explicit StageClock(Meters& meters) : meters_(meters) {}
  ~StageClock() { next({}); }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

  void next(const std::string& stage) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> took = now - began_;
    if (!stage_.empty()) meters_.stage(stage_).Observe(took.count());
    stage_ = stage;
    began_ = now;
  }

 private:
  Meters& meters_;
  std::string stage_;
  std::chrono::steady_clock::time_point began_;
};

/// An exception from a library makes the run fail; its text becomes the reason.
RunOutcome outcome_of(const Compute& compute, const AnalysisJob& job, const geo::StepListener& tell,
                      const geo::RunControl& control) {
  try {
    auto result = compute(job, tell, control);
    return result ? outcome_of(job.run, *result) : outcome_of(job.run, result.error());
  } catch (const std::exception& error) {
    return outcome_of(job.run, {geo::FailureKind::internal, error.what()});
  }
}

/// The whole work of a worker, in its own thread. The thread has a lower priority, so that answers come
/// first.
void compute_job(caf::event_based_actor* self, const Compute& compute, const AnalysisJob& job,
                 const Projects& owner, const geo::RunControl& control, Meters& meters) {
  step_behind_others(kComputing);
  StageClock stages(meters);
  const auto tell = [&](const geo::AnalysisStep& step) {
    stages.next(step.name);
    self->send(owner, StepDone{job.run, step.name, step.done, step.total});
  };
  self->send(owner, outcome_of(compute, job, tell, control));
}

}  // namespace

AnalystsActor::AnalystsActor(caf::actor_config& config, Compute compute, MetersPtr meters)
    : Measured(config, "analysts", std::move(meters)), compute_(std::move(compute)) {
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
      [compute = compute_, job, owner, control, meters = shared_meters()](caf::event_based_actor* self) {
        compute_job(self, compute, job, owner, *control, *meters);
      });
  at_work_[worker.address()] = {job.run, owner, control, std::chrono::steady_clock::now()};
}

void AnalystsActor::ended(const caf::actor_addr& worker) {
  const auto it = at_work_.find(worker);
  if (it == at_work_.end()) return;
  const Work& work = it->second;
  const auto took = std::chrono::steady_clock::now() - work.started;
  meters().computing_time.Observe(std::chrono::duration<double>(took).count());
  const std::int64_t took_ms = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
  send(work.owner, ended_atom::value, work.ref, took_ms);
  at_work_.erase(it);
}

}  // namespace actors
