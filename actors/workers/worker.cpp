#include "actors/workers/worker.hpp"

#include <algorithm>

namespace actors {
namespace {

constexpr std::chrono::milliseconds kStepsEvery{100};

std::size_t bytes_of(const RunOutcome& outcome) { return outcome.result.size() + outcome.scene.size(); }

RunOutcome not_sent(const RunRef& run, const std::string& why) {
  return {.run = run, .code = Code::analyse_fehlgeschlagen, .reason = why};
}

/// The outcome's next bytes, which leave it.
OutcomePiece take_piece(RunOutcome& outcome) {
  const auto take = [](std::string& text, std::size_t most) {
    std::string first = text.substr(0, most);
    text.erase(0, first.size());
    return first;
  };
  OutcomePiece piece{.run = outcome.run.run, .result = take(outcome.result, kPiece_bytes)};
  piece.scene = take(outcome.scene, kPiece_bytes - piece.result.size());
  return piece;
}

}  // namespace

WorkerActor::WorkerActor(caf::actor_config& config, WorkerParts parts, MetersPtr meters)
    : Measured(config, "worker", std::move(meters)), parts_(std::move(parts)) {
  set_down_handler([this](const caf::down_msg& down) {
    if (home_ && down.source == home_.address()) lose("the connection is gone");
  });
}

WorkerActor::behavior_type WorkerActor::make_behavior() {
  const auto self = caf::actor_cast<WorkerProcess>(this);
  send(self, next_atom::value);
  delayed_send(self, kBeat, beat_atom::value);
  return {
      [this](std::uint64_t session, const AnalysisJob& job) { begin(job, session); },
      [this](cancel_atom, const RunRef& ref) {
        if (Run* run = current(ref.run)) run->cancelled = true;
        send(parts_.analysts, cancel_atom::value, ref);
      },
      [this](const StepDone& done) { step(done); },
      [this](const RunOutcome& how) { outcome(how); },
      [this](ended_atom, const RunRef& ref, std::int64_t computing_ms) { ended(ref, computing_ms); },
      [this](leave_atom) {
        leaving_ = true;
        if (session_ != 0) send(home_, session_, leave_atom::value);
      },
      [this](cancel_atom) {
        giving_back_ = true;
        send(parts_.analysts, cancel_atom::value);
      },
      [this](drain_atom) {
        ask_known();  // an answer to this says that all before has been heard
        return static_cast<std::uint64_t>(runs_.size() + (home_ && !leaving_heard_ ? 1 : 0));
      },
      [this](flush_atom) { send_steps(); },
      [this](next_atom) { find_home(); },
      [this](beat_atom) { beat(); },
  };
}

void WorkerActor::on_exit() {
  home_ = nullptr;
  parts_ = {};
}

void WorkerActor::tell(LogLevel level, const std::string& event, const std::string& reason) {
  meters().log().write(level, LogLine(event).field("reason", reason));
}

/// The same fault again is not told again.
void WorkerActor::try_again(const std::string& why, std::chrono::seconds pause) {
  if (why != said_) tell(LogLevel::warning, "no home", why);
  said_ = why;
  home_ = nullptr;
  delayed_send(caf::actor_cast<WorkerProcess>(this), pause, next_atom::value);
}

/// Not while a run of the last home goes on: a new home's answers would lengthen its lease as well, and it
/// could compute beside whoever has it then. A run that does not stop ends the process (LeaseGuard).
void WorkerActor::find_home() {
  if (!runs_.empty()) {
    delayed_send(caf::actor_cast<WorkerProcess>(this), kStepsEvery, next_atom::value);
    return;
  }
  if (leaving_) return;
  request(parts_.finder, caf::infinite, next_atom::value)
      .then(
          [this](const WorkersHome& home, const std::string& fault) {
            if (leaving_) return;
            if (!home) return try_again(fault);
            home_ = home;
            ask_in();
          },
          [this](const caf::error& error) { try_again(system().render(error)); });
}

void WorkerActor::ask_in() {
  const auto facts = parts_.facts();
  if (!facts) return try_again("the data cannot be read", kTryAgainWithData);
  data_changed_ = false;
  monitor(home_);
  const std::int64_t asked_ms = parts_.now_ms();
  request(home_, kSilence, *facts, caf::actor_cast<Worker>(this))
      .then([this, asked_ms](const WorkerWelcome& welcome) { let_in(welcome, asked_ms); },
            [this](const caf::error& error) {
              try_again("the home does not answer: " + system().render(error));
            });
}

void WorkerActor::let_in(const WorkerWelcome& welcome, std::int64_t asked_ms) {
  if (welcome.session == 0) return try_again("refused: " + welcome.refusal, kTryAgainRefused);
  session_ = welcome.session;
  said_.clear();
  known(asked_ms);
  meters().log().write(LogLevel::info, LogLine("home found").field("session", session_));
  if (leaving_) send(home_, session_, leave_atom::value);
}

/// Its runs end; what becomes of them is the home's to decide.
void WorkerActor::lose(const std::string& why) {
  if (session_ == 0) return;
  tell(LogLevel::warning, "home lost", why + "; " + std::to_string(runs_.size()) + " runs are stopped");
  session_ = 0;
  parts_.lease->until_ms = parts_.now_ms();
  demonitor(home_.address());
  home_ = nullptr;
  send(parts_.analysts, cancel_atom::value);
  piece_under_way_ = false;
  std::erase_if(runs_, [](const auto& entry) { return entry.second.computed_ms || entry.second.ended_ms; });
  send(caf::actor_cast<WorkerProcess>(this), next_atom::value);
}

void WorkerActor::beat() {
  delayed_send(caf::actor_cast<WorkerProcess>(this), kBeat, beat_atom::value);
  if (session_ == 0) return;
  if (parts_.now_ms() > parts_.lease->until_ms) return lose("nothing was heard of it");
  if (data_changed_ && runs_.empty()) return lose("the data here have changed, and the home must hear of it");
  ask_known();
}

void WorkerActor::ask_known() {
  if (session_ == 0) return;
  const std::int64_t asked_ms = parts_.now_ms();
  request(home_, kSilence, known_atom::value, session_)
      .then(
          [this, asked_ms, session = session_, leaving = leaving_](bool yes) {
            if (session != session_) return;
            if (!yes) return lose("it does not know this worker any more");
            known(asked_ms);
            leaving_heard_ = leaving;
          },
          [](const caf::error&) {});  // the lease runs out
}

void WorkerActor::known(std::int64_t asked_ms) {
  parts_.lease->until_ms = std::max<std::int64_t>(parts_.lease->until_ms, asked_ms + kSilence.count());
  std::erase_if(
      runs_, [&](const auto& entry) { return entry.second.ended_ms && *entry.second.ended_ms < asked_ms; });
}

void WorkerActor::begin(const AnalysisJob& job, std::uint64_t session) {
  if (session != session_) return;  // the home learns of the new session
  if (parts_.now_ms() > parts_.lease->until_ms) return lose("nothing was heard of it");
  runs_[job.run.run] = {.session = session};
  if (data_changed()) {
    send(home_, session_, return_atom::value, job.run);
    runs_[job.run.run].ended_ms = parts_.now_ms();
    return;
  }
  send(parts_.analysts, job, caf::actor_cast<RunOwner>(this));
}

/// Computed with other data than the home's a result would look like any other. So a worker whose files have
/// changed leaves. What it computes is given back, and its facts are compared anew when that is over.
bool WorkerActor::data_changed() {
  if (data_changed_) return true;
  if (parts_.data_as_read()) return false;
  data_changed_ = true;
  tell(LogLevel::warning, "data changed",
       "files of the catalogue are not those that were read; the worker leaves");
  send(home_, session_, leave_atom::value);
  return true;
}

/// The run, if it belongs to the session that is now.
WorkerActor::Run* WorkerActor::current(std::uint64_t run) {
  const auto found = runs_.find(run);
  return found != runs_.end() && found->second.session == session_ && session_ != 0 ? &found->second
                                                                                    : nullptr;
}

/// The first at once, then the latest every tenth of a second.
void WorkerActor::step(const StepDone& step) {
  Run* const run = current(step.run.run);
  if (!run) return;
  run->step = step;
  if (parts_.now_ms() - run->step_sent_ms >= kStepsEvery.count()) return send_steps();
  if (!std::exchange(flushing_, true))
    delayed_send(caf::actor_cast<WorkerProcess>(this), kStepsEvery, flush_atom::value);
}

void WorkerActor::send_steps() {
  flushing_ = false;
  for (auto& [id, run] : runs_) {
    if (!run.step || !current(id)) continue;
    send(home_, session_, *run.step);
    run.step.reset();
    run.step_sent_ms = parts_.now_ms();
  }
}

void WorkerActor::outcome(const RunOutcome& outcome) {
  Run* const run = current(outcome.run.run);
  if (!run) return;
  run->step.reset();
  if (!run->cancelled && data_changed()) {  // during the run
    run->unfinished = true;
    return;
  }
  if (giving_back_ && !run->cancelled && outcome.code == Code::analyse_abgebrochen && !outcome.finished) {
    run->unfinished = true;
    return;
  }
  run->outcome = outcome;
  if (const std::size_t size = bytes_of(outcome); size > parts_.message_max)
    run->outcome = not_sent(outcome.run, "the result has " + std::to_string(size) +
                                             " bytes, more than cluster.message-max lets a worker send (" +
                                             std::to_string(parts_.message_max) + ")");
  send_outcomes();
}

/// Of all runs one piece at a time, so that no more than this stands between a beat and the home.
void WorkerActor::send_outcomes() {
  for (auto& [id, run] : runs_) {
    if (piece_under_way_) return;
    if (!run.outcome || !current(id)) continue;
    if (bytes_of(*run.outcome) > kPiece_bytes) {
      piece_under_way_ = true;
      request(home_, caf::infinite, session_, take_piece(*run.outcome))
          .then(
              [this, id = id, session = session_](bool taken) {
                if (session != session_) return;
                piece_under_way_ = false;
                Run* const sent = current(id);
                if (!taken && sent && sent->outcome)
                  sent->outcome = not_sent(
                      sent->outcome->run,
                      "the result has more bytes than the home takes: cluster.message-max is lower there");
                send_outcomes();
              },
              [](const caf::error&) {});  // the home is lost, or will be
      return;
    }
    const RunRef ref = run.outcome->run;
    send(home_, session_, *std::exchange(run.outcome, {}));
    if (run.computed_ms) tell_end(run, ref, *run.computed_ms);
  }
}

void WorkerActor::ended(const RunRef& ref, std::int64_t computing_ms) {
  Run* const run = current(ref.run);
  if (!run) {
    runs_.erase(ref.run);
    return;
  }
  run->computed_ms = computing_ms;
  if (!run->outcome) tell_end(*run, ref, computing_ms);
}

void WorkerActor::tell_end(Run& run, const RunRef& ref, std::int64_t computing_ms) {
  if (run.unfinished)
    send(home_, session_, return_atom::value, ref);
  else
    send(home_, session_, ended_atom::value, ref, computing_ms);
  run.ended_ms = parts_.now_ms();
}

}  // namespace actors
