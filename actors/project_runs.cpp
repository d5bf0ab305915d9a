// A run's life as its project sees it: in line, computing, over. Each change of state is on disk before a
// client can see it.
#include "actors/clock.hpp"
#include "actors/failure_lines.hpp"
#include "actors/projects.hpp"
#include "geo/property_analysis.hpp"
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"

namespace actors {

using persistence::RunState;
using persistence::Table;

namespace {

constexpr auto kSweepEvery = std::chrono::minutes(1);
constexpr std::size_t kSweptAtOnce = 16;

/// Nothing of the run's new state is stored, so its client cannot be told of it.
persistence::Run refused_by_disk(persistence::Run run) {
  run.state = RunState::failed;
  run.failure_code = name_of(Code::interner_fehler);
  run.failure_text.clear();
  run.failure_reason = "the disk takes no record of it";
  return run;
}

std::string key_of(const RunRef& ref) { return persistence::project_key(ref.account, ref.project); }

}  // namespace

/// The run has a slot. It computes once that is on disk, so that a restart knows it was interrupted.
void ProjectsActor::start(const RunRef& ref) {
  const auto found = shelf_.find(ref.account, ref.project);
  if (!found || !*found || (*found)->run.id != ref.run || (*found)->run.state != RunState::waiting) {
    send(peers_.scheduler, release_atom::value, ref, std::int64_t{0});
    return;
  }
  Entry running = **found;
  running.run.state = RunState::running;
  running.run.started_ms = clock_();
  running.run.steps_total = geo::kRunSteps;
  commit({{Table::runs, key_of(ref), encode(running.run)}}, [this, ref, running](bool on_disk) mutable {
    if (!on_disk) {
      running.run = refused_by_disk(running.run);
      tell_failed_run(meters().log(), running.run);
    }
    shelf_.put(running);
    if (on_disk) return compute(ref);
    send(peers_.scheduler, release_atom::value, ref, std::int64_t{0});
  });
}

void ProjectsActor::compute(const RunRef& ref) {
  const Entry* entry = computing(ref);
  if (!entry) return;
  send(peers_.analysts,
       AnalysisJob{ref, entry->project.lon_deg, entry->project.lat_deg, entry->run.consumption_kwh},
       caf::actor_cast<Projects>(this));
  delayed_send(caf::actor_cast<Projects>(this), std::chrono::seconds(options_.deadline_s),
               overdue_atom::value, ref);
}

void ProjectsActor::step_done(const StepDone& step) {
  Entry* entry = computing(step.run);
  if (!entry) return;
  entry->run.step = step.step;
  entry->run.steps_done = step.done;
  entry->run.steps_total = step.total;
  // A step that the disk refuses is no harm: the run goes on, and its end will be refused as well.
  commit({{Table::runs, key_of(step.run), encode(entry->run)}}, [](bool) {});
}

void ProjectsActor::finish(const RunOutcome& outcome) {
  if (!outcome.finished) return fail(outcome.run, outcome.code, outcome.reason, outcome.text);
  const Entry* entry = computing(outcome.run);
  if (!entry) return;
  persistence::Run closed = entry->run;
  closed.state = RunState::finished;
  closed.ended_ms = clock_();
  closed.steps_done = closed.steps_total;
  closed.scene_bytes = outcome.scene.size();
  const RunRef& ref = outcome.run;
  persistence::Writes writes{
      {Table::results, key_of(ref), outcome.result},
      {Table::expiry, persistence::expiry_key(closed.ended_ms, ref.account, ref.project), {}}};
  if (!outcome.scene.empty()) writes.push_back({Table::scenes, key_of(ref), outcome.scene});
  close(ref, closed, std::move(writes));
}

void ProjectsActor::fail(const RunRef& ref, Code code, const std::string& reason, const std::string& text) {
  const Entry* entry = computing(ref);
  if (!entry) return;
  persistence::Run closed = entry->run;
  closed.state = RunState::failed;
  closed.ended_ms = clock_();
  closed.failure_code = name_of(code);
  closed.failure_text = text;
  closed.failure_reason = reason;
  close(ref, closed, {});
}

void ProjectsActor::close(const RunRef& ref, const persistence::Run& closed, persistence::Writes writes) {
  writes.push_back({Table::runs, key_of(ref), encode(closed)});
  writes.push_back(persistence::erased(Table::line, persistence::number_key(ref.run)));
  closing_.insert(ref.run);
  commit(std::move(writes), [this, ref, closed](bool on_disk) {
    closing_.erase(ref.run);
    Entry* entry = computing(ref);
    if (!entry) return;
    Entry over = *entry;
    over.run = closed;
    if (!on_disk) over.run = refused_by_disk(closed);
    if (over.run.state == RunState::failed) tell_failed_run(meters().log(), over.run);
    meters().run_ended(over.run.state == RunState::finished ? "fertig" : over.run.failure_code).Increment();
    rendered_.erase(ref.project);
    shelf_.put(over);
    if (const auto held = slots_held_.extract(ref.run)) thread_ended(ref, held.mapped());
  });
}

/// The slot falls free when the thread has really ended and clients can see that the run is over, so that
/// nobody ever sees more runs compute than there are slots.
void ProjectsActor::thread_ended(const RunRef& ref, std::int64_t computing_ms) {
  if (computing(ref)) fail(ref, Code::analyse_fehlgeschlagen, "its thread ended without an outcome");
  if (closing_.contains(ref.run)) {
    slots_held_[ref.run] = computing_ms;
    return;
  }
  pace_.observe(computing_ms);
  send(peers_.scheduler, release_atom::value, ref, computing_ms);
}

/// A few results at a time: requests come between, and the next few come once the journal has these.
void ProjectsActor::sweep() {
  const std::int64_t oldest = believed_.at(clock_(), clock().now()) - options_.retention_h * kHour_ms;
  persistence::Writes writes;
  std::size_t looked_at = 0;
  const std::string from = std::exchange(swept_to_, {});
  const auto scanned =
      store_.scan(Table::expiry, {}, persistence::Store::Order::ascending, from,
                  [&](std::string_view expiry, std::string_view) {
                    if (static_cast<std::int64_t>(persistence::number_at(expiry, 0)) > oldest) return false;
                    if (looked_at++ == kSweptAtOnce) swept_to_ = expiry;
                    if (swept_to_.empty()) sweep_one(expiry, writes);
                    return swept_to_.empty();
                  });
  if (!scanned) swept_to_.clear();
  const bool more = !swept_to_.empty();
  if (writes.empty()) return sweep_later(more);
  commit(std::move(writes), [this, more](bool on_disk) { sweep_later(more && on_disk); });
}

/// A damaged result does not expire.
void ProjectsActor::sweep_one(std::string_view expiry, persistence::Writes& writes) {
  const std::uint64_t account = persistence::number_at(expiry, 8);
  const std::uint64_t project = persistence::number_at(expiry, 16);
  if (account % options_.project_shards != shard_) return;
  const auto entry = shelf_.find(account, project);
  if (!entry) return;  // unreadable just now: another time
  writes.push_back(persistence::erased(Table::expiry, std::string(expiry)));
  const bool newest = *entry && (*entry)->run.state == RunState::finished &&
                      (*entry)->run.ended_ms == static_cast<std::int64_t>(persistence::number_at(expiry, 0));
  if (!newest) return;
  const std::string key = persistence::project_key(account, project);
  const auto bytes = store_.get(Table::results, key);
  if (!bytes || !*bytes || !persistence::decode_result(**bytes)) return;
  rendered_.erase(project);
  writes.push_back(persistence::erased(Table::results, key));
  writes.push_back(persistence::erased(Table::scenes, key));
}

void ProjectsActor::sweep_later(bool at_once) {
  const auto self = caf::actor_cast<Projects>(this);
  if (at_once) return send(self, sweep_atom::value);
  swept_to_.clear();
  delayed_send(self, kSweepEvery, sweep_atom::value);
}

/// The project's entry while exactly this run computes and its end is not being written yet.
ProjectsActor::Entry* ProjectsActor::computing(const RunRef& ref) {
  if (closing_.contains(ref.run)) return nullptr;
  const auto found = shelf_.find(ref.account, ref.project);
  const bool its_turn =
      found && *found && (*found)->run.id == ref.run && (*found)->run.state == RunState::running;
  return its_turn ? *found : nullptr;
}

}  // namespace actors
