#include "actors/workers/workers_pool.hpp"

#include "actors/workers/worker_facts.hpp"

namespace actors {

WorkersPoolActor::WorkersPoolActor(caf::actor_config& config, Analysts analysts, Facts home, Leads leads,
                                   MetersPtr meters, std::size_t outcome_max)
    : Measured(config, "workers-pool", std::move(meters)),
      analysts_(std::move(analysts)),
      home_(std::move(home)),
      leads_(std::move(leads)),
      pool_(home_().threads, now_ms()),
      outcome_max_(outcome_max) {
  set_down_handler([this](const caf::down_msg& down) { gone(down.source); });
}

WorkersPoolActor::behavior_type WorkersPoolActor::make_behavior() {
  delayed_send(caf::actor_cast<WorkersPool>(this), kBeat, beat_atom::value);
  return {
      [this](const AnalysisJob& job, const RunOwner& owner) {
        owners_[job.run.run] = {job.run, owner};
        dismiss_changed();
        carry_out(pool_.begin(job, now_ms()));
      },
      [this](cancel_atom, const RunRef& ref) { cancel(ref.run); },
      [this](cancel_atom) {
        for (const std::uint64_t run : pool_.runs()) cancel(run);
      },
      [this](drain_atom) { return static_cast<std::uint64_t>(pool_.runs().size()); },
      [this](const StepDone& done) { step(kHome, done); },
      [this](const RunOutcome& how) { outcome(kHome, how); },
      [this](ended_atom, const RunRef& ref, std::int64_t ms) { ended(kHome, ref, ms); },
      [this](const WorkerFacts& facts, const Worker& worker) { return let_in(facts, worker); },
      [this](known_atom, std::uint64_t session) { return still_known(session); },
      [this](std::uint64_t session, const StepDone& done) { step(session, done); },
      [this](std::uint64_t session, const RunOutcome& how) { outcome(session, how); },
      [this](std::uint64_t session, const OutcomePiece& piece) { return take(session, piece); },
      [this](std::uint64_t session, ended_atom, const RunRef& ref, std::int64_t ms) {
        ended(session, ref, ms);
      },
      [this](std::uint64_t session, return_atom, const RunRef& ref) { give_away(session, ref.run); },
      [this](std::uint64_t session, leave_atom) { leave(session); },
      [this](beat_atom) { beat(); },
  };
}

// The shards hold this actor and it holds them: it lets go.
void WorkersPoolActor::on_exit() {
  members_.clear();
  owners_.clear();
  come_.clear();
  analysts_ = nullptr;
  home_ = nullptr;
}

std::int64_t WorkersPoolActor::now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock().now().time_since_epoch()).count();
}

WorkerWelcome WorkersPoolActor::let_in(const WorkerFacts& facts, const Worker& worker) {
  if (leads_ && !leads_()) return {.refusal = "this service does not lead its pair any more"};
  // One that asks again does not compute for its old session any more, but may still be about to stop.
  gone(worker.address());
  if (const auto fault = mismatch(home_(), facts)) {
    meters().worker_refused(fault->what).Increment();
    meters().log().write(
        LogLevel::warning,
        LogLine("worker refused").field("worker", facts.name).field("reason", fault->sentence));
    return {.refusal = fault->sentence};
  }
  monitor(worker);
  const WorkerSession session = pool_.join(facts.threads, now_ms());
  members_[session] = {worker, facts};
  meters().worker_joined(facts.name).Increment();
  meters().log().write(LogLevel::info, LogLine("worker joined")
                                           .field("worker", facts.name)
                                           .field("session", session)
                                           .field("threads", facts.threads));
  show();
  return {.session = session};
}

bool WorkersPoolActor::still_known(WorkerSession session) {
  if (leads_ && !leads_()) return false;
  const auto member = members_.find(session);
  if (member == members_.end()) return false;
  if (member->second.dismissed && pool_.runs_of(session) == 0) {
    pool_.lose(session);
    members_.erase(member);
    show();
    return false;
  }
  return pool_.heard(session, now_ms());
}

void WorkersPoolActor::gone(const caf::actor_addr& worker) {
  for (auto member = members_.begin(); member != members_.end();)
    if (member->second.worker.address() == worker) {
      pool_.lose(member->first);
      tell_lost(member->first, "its connection is gone");
      member = members_.erase(member);
    } else {
      ++member;
    }
  show();
}

void WorkersPoolActor::beat() {
  delayed_send(caf::actor_cast<WorkersPool>(this), kBeat, beat_atom::value);
  dismiss_changed();
  carry_out(pool_.tick(now_ms()));
}

/// Those that compute with other data than the home since it has read its catalogue anew. Before each run is
/// given out: a run that begins after the reload is computed with the new data wherever it is.
void WorkersPoolActor::dismiss_changed() {
  const WorkerFacts home = home_();
  for (auto& [session, member] : members_) {
    if (member.dismissed || !mismatch(home, member.facts)) continue;
    member.dismissed = true;
    pool_.leave(session);
  }
}

void WorkersPoolActor::carry_out(const WorkerPool::Moves& moves) {
  for (const WorkerSession session : moves.silent) {
    tell_lost(session, "nothing was heard of it");
    members_.erase(session);
    show();
  }
  for (const WorkerPool::Given& given : moves.given) give(given);
  for (const WorkerPool::Aborted& run : moves.aborted) {
    const auto owner = owners_.find(run.run.run);
    if (owner == owners_.end()) continue;
    if (!run.told)
      send(owner->second.second, RunOutcome{.run = run.run,
                                            .code = Code::analyse_abgebrochen,
                                            .reason = "its worker was lost, and it was given away before"});
    end(run.run, run.computing_ms);
  }
  const auto moved = static_cast<double>(pool_.moved());
  if (moved > meters().runs_moved.Value()) meters().runs_moved.Increment(moved - meters().runs_moved.Value());
}

void WorkersPoolActor::give(const WorkerPool::Given& given) {
  const auto member = members_.find(given.to);
  come_.erase(given.job.run.run);  // from the worker that had it before
  meters().worker_run(member == members_.end() ? "home" : member->second.facts.name).Increment();
  if (member == members_.end())
    send(analysts_, given.job, caf::actor_cast<RunOwner>(this));
  else
    send(member->second.worker, given.to, given.job);
}

/// The worker has stopped the run, and another one takes it.
void WorkersPoolActor::give_away(WorkerSession session, std::uint64_t run) {
  dismiss_changed();
  carry_out(pool_.returned(session, run, now_ms()));
}

void WorkersPoolActor::tell_unreachable(WorkerSession session, const RunOutcome& outcome) {
  const auto member = members_.find(session);
  meters().log().write(LogLevel::warning,
                       LogLine("worker cannot read data; the run is computed elsewhere")
                           .field("worker", member == members_.end() ? "" : member->second.facts.name)
                           .field("run", outcome.run.run)
                           .field("reason", outcome.reason));
}

void WorkersPoolActor::leave(WorkerSession session) {
  pool_.leave(session);
  const auto member = members_.find(session);
  if (member == members_.end()) return;
  member->second.leaving = true;
  meters().log().write(LogLevel::info, LogLine("worker leaves")
                                           .field("worker", member->second.facts.name)
                                           .field("session", session)
                                           .field("runs", pool_.runs_of(session)));
}

void WorkersPoolActor::tell_lost(WorkerSession session, const char* why) {
  const auto member = members_.find(session);
  if (member == members_.end()) return;
  if (member->second.leaving && pool_.runs_of(session) == 0) return;
  meters().workers_lost.Increment();
  meters().log().write(LogLevel::warning, LogLine("worker lost")
                                              .field("worker", member->second.facts.name)
                                              .field("session", session)
                                              .field("runs", pool_.runs_of(session))
                                              .field("reason", why));
}

void WorkersPoolActor::step(WorkerSession session, const StepDone& step) {
  if (const auto owner = owners_.find(step.run.run);
      owner != owners_.end() && pool_.computes(session, step.run.run))
    send(owner->second.second, step);
}

void WorkersPoolActor::outcome(WorkerSession session, const RunOutcome& outcome) {
  // The worker's drive may be gone while the home's is there.
  if (!outcome.finished && outcome.code == Code::dienst_nicht_erreichbar &&
      pool_.unreachable(session, outcome.run.run))
    return tell_unreachable(session, outcome);
  if (!pool_.outcome(session, outcome.run.run)) return;
  RunOutcome whole = outcome;
  if (const auto before = come_.extract(outcome.run.run)) {
    whole.result.insert(0, before.mapped().result);
    whole.scene.insert(0, before.mapped().scene);
  }
  send(owners_.at(outcome.run.run).second, std::move(whole));
}

bool WorkersPoolActor::take(WorkerSession session, const OutcomePiece& piece) {
  if (!pool_.computes(session, piece.run)) return false;
  OutcomePiece& come = come_[piece.run];
  come.result += piece.result;
  come.scene += piece.scene;
  if (come.result.size() + come.scene.size() <= outcome_max_) return true;
  come_.erase(piece.run);
  return false;
}

void WorkersPoolActor::ended(WorkerSession session, const RunRef& ref, std::int64_t computing_ms) {
  if (pool_.goes_elsewhere(session, ref.run)) return give_away(session, ref.run);
  if (!pool_.ended(session, ref.run)) return;
  if (session != kHome) meters().computing_time.Observe(static_cast<double>(computing_ms) / 1000.0);
  end(owners_.at(ref.run).first, computing_ms);
}

void WorkersPoolActor::end(const RunRef& ref, std::int64_t computing_ms) {
  come_.erase(ref.run);
  const auto owner = owners_.extract(ref.run);
  if (owner) send(owner.mapped().second, ended_atom::value, ref, computing_ms);
}

void WorkersPoolActor::cancel(std::uint64_t run) {
  const auto where = pool_.cancel(run);
  const auto owner = owners_.find(run);
  if (!where || owner == owners_.end()) return;
  const auto member = members_.find(*where);
  if (member == members_.end())
    send(analysts_, cancel_atom::value, owner->second.first);
  else
    send(member->second.worker, cancel_atom::value, owner->second.first);
}

void WorkersPoolActor::show() {
  double threads = 0;
  for (const auto& [session, member] : members_) threads += member.facts.threads;
  meters().workers.Set(static_cast<double>(members_.size()));
  meters().worker_threads.Set(threads);
}

}  // namespace actors
