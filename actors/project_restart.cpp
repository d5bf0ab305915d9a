// A new run of an existing project: not while one is in line or computes, not over a damaged result, not into
// a full line. Whoever asks while a restart is being stored waits and then finds the run in line.
#include "actors/failure_lines.hpp"
#include "actors/projects.hpp"
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"

namespace actors {

using persistence::Table;

namespace {

constexpr int kBusyRetry_s = 60;
constexpr auto kUnstored = "the disk takes no record of it";

/// The journal is late with a restart. Sent again once it has spoken, it finds its run or starts it.
Refusal not_known_yet(std::uint64_t project) {
  return {.code = Code::dienst_ueberlastet,
          .text =
              "Der Datenspeicher hat nicht rechtzeitig geantwortet; ob die Analyse neu startet, steht noch "
              "nicht fest.",
          .project = project,
          .retry_after_s = kBusyRetry_s};
}

}  // namespace

caf::result<Answer> ProjectsActor::restart(const Ticket& ticket, const RestartAnalysis& order) {
  Restart restart{ticket, order, make_response_promise<Answer>()};
  begin(restart);
  return restart.promise;
}

void ProjectsActor::begin(Restart restart) {
  const std::uint64_t project = restart.order.project;
  if (const auto it = restarting_.find(project); it != restarting_.end()) {
    if (!it->second.late) return it->second.waiting.push_back(restart);
    restart.promise.deliver(Answer{restart.ticket, not_known_yet(project)});
    return;
  }
  const auto found = shelf_.find(restart.ticket.account, project);
  const auto refuse = [&](Code code) {
    restart.promise.deliver(Answer{restart.ticket, Refusal{.code = code, .project = project}});
  };
  if (!found) return refuse(Code::interner_fehler);
  if (!*found) return refuse(Code::projekt_unbekannt);
  if ((*found)->active()) return tell_state(restart.promise, restart.ticket, **found);
  const auto bytes = store_.get(Table::results, persistence::project_key(restart.ticket.account, project));
  if (!bytes || (*bytes && !persistence::decode_result(**bytes))) return refuse(Code::analyse_unlesbar);
  restarting_[project];
  check_room(restart);
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
  const auto run = store_.next_id("run");
  if (!found || !*found || !run) return over(restart, failed, kUnstored);
  Entry next = **found;
  const std::uint64_t before = next.run.id;
  if (order.consumption_kwh > 0) next.project.consumption_kwh = order.consumption_kwh;
  if (!order.load_profile.empty()) next.project.load_profile = order.load_profile;
  next.run = persistence::Run{.id = *run,
                              .project = order.project,
                              .account = restart.ticket.account,
                              .queued_ms = clock_(),
                              .consumption_kwh = next.project.consumption_kwh,
                              .load_profile = next.project.load_profile,
                              .request_id = order.request_id};
  const std::string key = persistence::project_key(restart.ticket.account, order.project);
  persistence::Writes writes{{Table::projects, key, encode(next.project)},
                             {Table::runs, key, encode(next.run)},
                             {Table::line, persistence::number_key(*run), key},
                             persistence::erased(Table::line, persistence::number_key(before)),
                             persistence::erased(Table::results, key),
                             persistence::erased(Table::scenes, key)};
  commit(
      std::move(writes),
      [this, restart, next, failed](bool on_disk) {
        if (!on_disk) return over(restart, failed, kUnstored);
        rendered_.erase(next.project.id);
        shelf_.put(next);
        over(restart, {});
      },
      [this, restart] { late(restart); });
}

/// No other restart begins until the journal has spoken, but nobody waits for that.
void ProjectsActor::late(const Restart& restart) {
  const std::uint64_t project = restart.order.project;
  UnderWay<Restart>& under_way = restarting_.at(project);
  under_way.late = true;
  under_way.waiting.push_back(restart);
  for (Restart& told : std::exchange(under_way.waiting, {}))
    told.promise.deliver(Answer{told.ticket, not_known_yet(project)});
}

/// Answers with the refusal, or with the state of the run that now stands in line; then it is the next one's
/// turn. A client who was told that it is late gets no second answer.
void ProjectsActor::over(Restart restart, const std::optional<Refusal>& refusal, std::string_view reason) {
  if (refusal)
    tell_failed_request(meters().log(), "run not started",
                        {restart.order.request_id, restart.ticket.account, restart.order.project},
                        refusal->code, reason);
  const auto done = restarting_.extract(restart.order.project);
  if (done.mapped().late) {
    if (!refusal) stand_in_line(restart);
  } else if (refusal) {
    restart.promise.deliver(Answer{restart.ticket, *refusal});
  } else {
    begin(std::move(restart));
  }
  for (const Restart& other : done.mapped().waiting) begin(other);
}

void ProjectsActor::stand_in_line(const Restart& restart) {
  const auto found = shelf_.find(restart.ticket.account, restart.order.project);
  if (!found || !*found) return;
  const persistence::Run& run = (*found)->run;
  send(peers_.scheduler, RunRef{run.id, run.account, run.project}, caf::actor_cast<Projects>(this));
}

}  // namespace actors
