#include "actors/runs/analyst.hpp"

#include "geo/data/kept_open.hpp"
#include "persistence/result_codec.hpp"

namespace actors {
namespace {

/// What a client sees of a failed computation: the contract's code, and a sentence only where one was meant
/// for the client.
RunOutcome failed(const RunRef& ref, const geo::Failure& failure) {
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

RunOutcome finished(const RunRef& ref, geo::PropertyAnalysis& whole) {
  const geo::RoofAnalysis& analysis = whole.analysis;
  auto result = persistence::encode_result(analysis);
  if (!result) return {.run = ref, .code = Code::analyse_fehlgeschlagen};
  return {.run = ref,
          .finished = true,
          .result = std::move(*result),
          .scene = std::move(whole.scene),
          .design_kwp = geo::peak_power_kwp(analysis, analysis.totals.design_modules),
          .design_kwh = analysis.totals.design_yield_kwh.value_or(0)};
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

}  // namespace

AnalystActor::AnalystActor(caf::actor_config& config, Compute compute, std::function<void()> before_work,
                           MetersPtr meters)
    : Measured(config, "analyst", std::move(meters)),
      compute_(std::move(compute)),
      before_work_(std::move(before_work)) {}

AnalystActor::behavior_type AnalystActor::make_behavior() {
  before_work_();
  return {[this](const AnalysisJob& job, const RunOwner& owner, const RunControlPtr& control) {
    send(owner, outcome_of(job, owner, *control));
    return ended_atom::value;
  }};
}

/// CAF does not wait for the end of this thread. What it has open is closed before the program ends GDAL.
void AnalystActor::on_exit() { geo::close_all_kept(); }

/// An exception from a library makes the run fail; its text becomes the reason.
RunOutcome AnalystActor::outcome_of(const AnalysisJob& job, const RunOwner& owner,
                                    const geo::RunControl& control) {
  StageClock stages(meters());
  const auto tell = [&](const geo::AnalysisStep& step) {
    stages.next(step.name);
    send(owner, StepDone{job.run, step.name, step.done, step.total});
  };
  try {
    auto result = compute_(job, tell, control);
    return result ? finished(job.run, *result) : failed(job.run, result.error());
  } catch (const std::exception& error) {
    return failed(job.run, {geo::FailureKind::internal, error.what()});
  }
}

}  // namespace actors
