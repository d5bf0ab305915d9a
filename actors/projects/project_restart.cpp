// A new run of an existing project. It is refused while a run is in line or computes, when the result is
// damaged, and when the line is full. A second request during a restart waits and then finds the run in line.
#include "actors/projects/failure_lines.hpp"
#include "actors/projects/projects.hpp"
#include "persistence/keys.hpp"

namespace actors {

namespace {

constexpr auto kUnstored = "the disk takes no record of it";
constexpr auto kDeleted = "its project is being deleted or is gone";

bool names_others(const RestartAnalysis& order, const persistence::Run& run) {
  return (order.consumption_kwh > 0 && order.consumption_kwh != run.consumption_kwh) ||
         (!order.load_profile.empty() && order.load_profile != run.load_profile);
}

/// The client may send the restart again later: it then finds its run or starts it.
Refusal late_restart(std::uint64_t project) { return late_disk("ob die Analyse neu startet", project); }

}  // namespace

caf::result<Answer> ProjectsActor::restart(const Ticket& ticket, const RestartAnalysis& order) {
  Restart restart{ticket, order, make_response_promise<Answer>()};
  begin(restart);
  return restart.promise;
}

void ProjectsActor::begin(Restart restart) {
  const std::uint64_t account = restart.ticket.account, project = restart.order.project;
  const auto refuse = [&](const Refusal& refusal) {
    restart.promise.deliver(Answer{restart.ticket, refusal});
  };
  const auto found = shelf_.find(account, project);
  if (!found) return refuse({.code = Code::interner_fehler, .project = project});
  if (!*found) return refuse({.code = Code::projekt_unbekannt, .project = project});
  if ((*found)->active())
    return tell_state(restart.promise, restart.ticket, **found, names_others(restart.order, (*found)->run));
  if (results_.damaged(account, project)) return refuse({.code = Code::analyse_unlesbar, .project = project});
  switch (restarting_.take(project, restart)) {
    case Restarts::Turn::mine:
      return check_room(restart);
    case Restarts::Turn::late:
      return refuse(late_restart(project));
    case Restarts::Turn::waits:
      return;
  }
}

void ProjectsActor::check_room(const Restart& restart) {
  const auto refuse = [this, restart] {
    over(restart,
         Refusal{.code = Code::dienst_ueberlastet,
                 .project = restart.order.project,
                 .retry_after_s = kBusyRetry_s},
         "no room in the line (analysis.waiting-max)");
  };
  request(peers_.scheduler, caf::infinite, room_atom::value)
      .then([this, restart, refuse](std::uint32_t room) { room == 0 ? refuse() : queue_again(restart); },
            [refuse](const caf::error&) { refuse(); });
}

void ProjectsActor::queue_again(const Restart& restart) {
  const RestartAnalysis& order = restart.order;
  const Refusal failed{.code = Code::interner_fehler, .project = order.project};
  const auto found = shelf_.find(restart.ticket.account, order.project);
  if (shelf_.is_leaving(order.project) || (found && !*found))
    return over(restart, Refusal{.code = Code::projekt_unbekannt}, kDeleted);
  const auto run = store_.next_id("run");
  if (!found || !run) return over(restart, failed, kUnstored);
  auto change = restarted(**found, order, *run, clock_());
  commit(
      order.project, std::move(change.writes),
      [this, restart, next = std::move(change.entry), failed](bool on_disk) {
        if (!on_disk) return over(restart, failed, kUnstored);
        results_.forget(next.project.id);
        put_restarted(next);
        over(restart, {});
      },
      [this, restart] { late(restart); });
}

/// No other restart begins until the journal answers, but nobody waits for that.
void ProjectsActor::late(const Restart& restart) {
  const std::uint64_t project = restart.order.project;
  std::vector<Restart> told = restarting_.late(project);
  told.push_back(restart);
  for (Restart& one : told) one.promise.deliver(Answer{one.ticket, late_restart(project)});
}

/// Answers with the refusal, or with the state of the run that is now in line; then the next request gets its
/// turn. A client who was told that the journal is late gets no second answer.
void ProjectsActor::over(Restart restart, const std::optional<Refusal>& refusal, std::string_view reason) {
  if (refusal)
    tell_failed_request(meters().log(), "run not started",
                        {restart.order.request_id, restart.ticket.account, restart.order.project},
                        refusal->code, reason);
  const auto ended = restarting_.end(restart.order.project);
  if (ended.late) {
    if (!refusal) stand_in_line(restart);
  } else if (refusal) {
    restart.promise.deliver(Answer{restart.ticket, *refusal});
  } else {
    begin(std::move(restart));
  }
  for (const Restart& other : ended.waiting) begin(other);
}

void ProjectsActor::stand_in_line(const Restart& restart) {
  const auto found = shelf_.find(restart.ticket.account, restart.order.project);
  if (!found || !*found) return;
  const persistence::Run& run = (*found)->run;
  send(peers_.scheduler, RunRef{run.id, run.account, run.project}, caf::actor_cast<Projects>(this));
}

}  // namespace actors
