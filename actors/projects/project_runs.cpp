// A run's life as its project sees it: in line, computing, over. Each change of state is on disk before a
// client can see it.
#include "actors/clock.hpp"
#include "actors/projects/failure_lines.hpp"
#include "actors/projects/projects.hpp"

namespace actors {

using persistence::RunState;

namespace {

constexpr auto kSweepRunsEvery = std::chrono::minutes(1);

}  // namespace

/// The run has a slot. It computes once that is on disk, so that after a restart the program knows it was
/// interrupted.
void ProjectsActor::start(const RunRef& ref) {
  const auto found = shelf_.find(ref.account, ref.project);
  if (!found || !*found || (*found)->run.id != ref.run || (*found)->run.state != RunState::waiting) {
    send(peers_.scheduler, release_atom::value, ref, std::int64_t{0});
    return;
  }
  auto change = started(**found, clock_());
  commit(ref.project, std::move(change.writes),
         [this, ref, running = std::move(change.entry)](bool on_disk) mutable {
           if (!on_disk) {
             running.run = refused_by_disk(running.run);
             tell_failed_run(meters().log(), running.run);
           }
           put_run(running);
           if (on_disk && computing(ref)) return compute(ref);
           send(peers_.scheduler, release_atom::value, ref, std::int64_t{0});
         });
}

void ProjectsActor::compute(const RunRef& ref) {
  const Entry* entry = computing(ref);
  if (!entry) return;
  send(peers_.analysts,
       AnalysisJob{ref, entry->project.lon_deg, entry->project.lat_deg, entry->run.consumption_kwh},
       caf::actor_cast<RunOwner>(this));
  delayed_send(caf::actor_cast<Projects>(this), std::chrono::seconds(options_.deadline_s),
               overdue_atom::value, ref);
}

/// A step that the disk refuses does no harm: the run goes on, and at its end the disk is tried again.
void ProjectsActor::step_done(const StepDone& step) {
  const Entry* entry = computing(step.run);
  if (!entry) return;
  auto change = advanced(*entry, step);
  commit(step.run.project, std::move(change.writes),
         [this, next = std::move(change.entry), ref = step.run](bool on_disk) {
           if (on_disk && computing(ref)) put_run(next);
         });
}

void ProjectsActor::finish(const RunOutcome& outcome) {
  const Entry* entry = computing(outcome.run);
  if (!entry) return;
  close(outcome.run,
        outcome.finished ? finished(*entry, outcome, clock_()) : failed(*entry, outcome, clock_()));
}

void ProjectsActor::overdue(const RunRef& ref) {
  if (computing(ref)) send(peers_.analysts, cancel_atom::value, ref);
  fail(ref, "cancelled after " + std::to_string(options_.deadline_s) + " s (analysis.deadline)");
}

void ProjectsActor::fail(const RunRef& ref, const std::string& reason) {
  finish({.run = ref, .code = Code::analyse_fehlgeschlagen, .reason = reason});
}

void ProjectsActor::close(const RunRef& ref, ProjectChange change) {
  ends_.storing(ref.run);
  commit(ref.project, std::move(change.writes),
         [this, ref, over = std::move(change.entry)](bool on_disk) mutable {
           if (!on_disk) over.run = refused_by_disk(over.run);
           if (over.run.state == RunState::failed) tell_failed_run(meters().log(), over.run);
           meters()
               .run_ended(over.run.state == RunState::finished ? "fertig" : over.run.failure_code)
               .Increment();
           results_.forget(ref.project);
           const bool has_result = over.run.state == RunState::finished;
           put_run(std::move(over));
           if (has_result) save_anew(ref);
           if (const auto computed_ms = ends_.stored(ref.run)) give_back_slot(ref, *computed_ms);
         });
}

void ProjectsActor::thread_ended(const RunRef& ref, std::int64_t computing_ms) {
  if (computing(ref)) fail(ref, "its thread ended without an outcome");
  if (ends_.thread_ended(ref.run, computing_ms)) give_back_slot(ref, computing_ms);
}

void ProjectsActor::give_back_slot(const RunRef& ref, std::int64_t computing_ms) {
  pace_.observe(computing_ms);
  send(peers_.scheduler, release_atom::value, ref, computing_ms);
}

/// The next few results follow when the journal has erased these.
void ProjectsActor::sweep() {
  const std::int64_t oldest = believed_.at(clock_(), clock().now()) - options_.retention_h * kHour_ms;
  auto part = expired_.next(oldest);
  if (part.writes.empty()) return sweep_later(part.more);
  commit(std::move(part.writes), [this, more = part.more](bool on_disk) { sweep_later(more && on_disk); });
}

void ProjectsActor::sweep_later(bool at_once) {
  const auto self = caf::actor_cast<Projects>(this);
  if (at_once) return send(self, sweep_atom::value);
  expired_.from_the_start();
  delayed_send(self, kSweepRunsEvery, sweep_atom::value);
}

/// The run's new state. The project's own record may have changed since it was written: renamed.
void ProjectsActor::put_run(Entry next) {
  const auto now = shelf_.find(next.project.account, next.project.id);
  if (now && *now) next.project = (*now)->project;
  shelf_.put(std::move(next));
}

/// The new run, and what its restart has changed of the project: not the name, which may be a newer one.
void ProjectsActor::put_restarted(Entry next) {
  const auto now = shelf_.find(next.project.account, next.project.id);
  if (now && *now) next.project.name = (*now)->project.name;
  shelf_.put(std::move(next));
}

/// At once, or, while the project is being erased, when the disk has answered.
void ProjectsActor::unless_leaving(std::uint64_t project, OpenWrites::Do then) {
  if (shelf_.is_leaving(project)) return open_writes_.wait(project, std::move(then));
  then();
}

void ProjectsActor::written(std::uint64_t project) {
  for (const OpenWrites::Do& then : open_writes_.end(project)) then();
}

/// The project's entry while this very run computes and its end is not being written yet; null otherwise.
ProjectsActor::Entry* ProjectsActor::computing(const RunRef& ref) {
  if (ends_.is_storing(ref.run)) return nullptr;
  const auto found = shelf_.find(ref.account, ref.project);
  const bool its_turn =
      found && *found && (*found)->run.id == ref.run && (*found)->run.state == RunState::running;
  return its_turn ? *found : nullptr;
}

}  // namespace actors
