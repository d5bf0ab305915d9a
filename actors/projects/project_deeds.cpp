// What the web application asks of one project for its owner's pages, and the small changes it makes.
#include <utility>

#include "actors/projects/projects.hpp"
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"

namespace actors {

using persistence::Table;

namespace {

Outcome unknown_project() { return Refusal{.code = Code::projekt_unbekannt}; }
Outcome disk_fault(std::uint64_t project) {
  return Refusal{.code = Code::interner_fehler, .project = project};
}

Outcome late_naming(std::uint64_t project) { return late_disk("ob das Projekt so heißt", project); }

ProjectState state_of(const persistence::Run& run) {
  switch (run.state) {
    case persistence::RunState::waiting:
      return ProjectState::waiting;
    case persistence::RunState::running:
      return ProjectState::running;
    case persistence::RunState::finished:
      return ProjectState::finished;
    case persistence::RunState::failed:
      break;
  }
  return ProjectState::failed;
}

}  // namespace

caf::result<Answer> ProjectsActor::read(const Ticket& ticket, const ReadProject& order) {
  const auto found = shelf_.find(ticket.account, order.project);
  if (!found) return Answer{ticket, disk_fault(order.project)};
  if (!*found) return Answer{ticket, unknown_project()};
  const auto& [p, run] = **found;
  const auto bytes = store_.get(Table::media, persistence::project_key(p.account, p.id));
  if (!bytes) return Answer{ticket, disk_fault(order.project)};
  const auto saved = *bytes ? persistence::decode_saved_media(**bytes) : std::nullopt;
  ProjectRecord record{
      p.id,      p.name,    p.address_sent, p.street,          p.house_number, p.postcode,   p.town,
      p.country, p.lon_deg, p.lat_deg,      p.consumption_kwh, p.load_profile, p.created_ms, state_of(run)};
  if (saved) {
    record.saved_ms = saved->saved_ms;
    record.model_bytes = saved->model_bytes;
    record.orthophoto_bytes = saved->orthophoto_bytes;
  }
  return Answer{ticket, std::move(record)};
}

caf::result<Answer> ProjectsActor::read(const Ticket& ticket, const ReadAnalysis& order) {
  const auto found = shelf_.find(ticket.account, order.project);
  if (!found) return Answer{ticket, disk_fault(order.project)};
  if (!*found) return Answer{ticket, unknown_project()};
  // Checked here, so that a damaged or an expired result is refused as in a query.
  if (const auto analysis = results_.analysis(**found); !analysis) return Answer{ticket, analysis.error()};
  auto bytes = store_.get(Table::results, persistence::project_key(ticket.account, order.project));
  if (!bytes || !*bytes) return Answer{ticket, disk_fault(order.project)};
  return Answer{ticket,
                StoredAnalysis{order.project, {std::make_shared<const std::string>(std::move(**bytes)), 0}}};
}

/// A result that cannot be read leaves the figures unknown: the list is shown all the same.
void ProjectsActor::add_details(std::uint64_t account, ProjectLine& line) {
  const auto found = shelf_.find(account, line.project);
  if (!found || !*found) return;
  line.state = state_of((*found)->run);
  if (line.state != ProjectState::finished) return;
  const persistence::Run& run = (*found)->run;
  line.kwp = run.design_kwp;
  line.kwh_per_year = run.design_kwh;
  line.has_result = line.kwp > 0 && !results_.expired(run);
  if (line.kwp > 0) return;
  // A run that knows no figures may still have a result: without an installation, or of an older program.
  const auto analysis = results_.analysis(**found);
  if (!analysis) return;
  line.has_result = true;
  line.kwp = geo::peak_power_kwp(*analysis, analysis->totals.design_modules);
  line.kwh_per_year = analysis->totals.design_yield_kwh.value_or(0);
}

caf::result<Answer> ProjectsActor::rename(const Ticket& ticket, const RenameProject& order) {
  Naming naming{ticket, order, make_response_promise<Answer>()};
  begin(naming);
  return naming.promise;
}

/// One name after the other: with two on their way the first one's answer would bring its name back, and a
/// restart that began then would write it over the second one.
///
/// The new name is in memory at once, so that a restart that is stored after it does not write the old one. A
/// restart that was on its way before has written its consumption over: then the record is written again.
void ProjectsActor::begin(Naming naming) {
  const Ticket& ticket = naming.ticket;
  const RenameProject& order = naming.order;
  const auto answer = [&](Outcome outcome) {
    naming.promise.deliver(Answer{naming.ticket, std::move(outcome)});
  };
  const auto found = shelf_.find(ticket.account, order.project);
  if (!found) return answer(disk_fault(order.project));
  if (!*found) return answer(unknown_project());
  switch (naming_.take(order.project, naming)) {
    case Namings::Turn::mine:
      break;
    case Namings::Turn::late:
      return answer(late_naming(order.project));
    case Namings::Turn::waits:
      return;
  }
  const std::string before = std::exchange((*found)->project.name, order.name);
  const persistence::Project renamed = (*found)->project;
  const std::string key = persistence::project_key(renamed.account, renamed.id);
  commit(
      renamed.id, {{Table::projects, key, encode(renamed)}},
      [this, naming, renamed, before, key](bool on_disk) {
        const auto now = shelf_.find(renamed.account, renamed.id);
        if (now && *now) {
          persistence::Project& project = (*now)->project;
          project.name = on_disk ? renamed.name : before;
          if (on_disk && encode(project) != encode(renamed))
            commit(renamed.id, {{Table::projects, key, encode(project)}}, [](bool) {});
          results_.forget(renamed.id);
        }
        over(naming, on_disk ? Outcome(Done{}) : disk_fault(renamed.id));
      },
      [this, naming]() mutable {
        std::vector<Naming> told = naming_.late(naming.order.project);
        told.push_back(naming);
        for (Naming& one : told) one.promise.deliver(Answer{one.ticket, late_naming(naming.order.project)});
      });
}

/// Who was told that the disk is late gets no second answer.
void ProjectsActor::over(Naming naming, Outcome outcome) {
  auto ended = naming_.end(naming.order.project);
  if (!ended.late) naming.promise.deliver(Answer{naming.ticket, std::move(outcome)});
  for (Naming& next : ended.waiting) begin(std::move(next));
}

caf::result<Answer> ProjectsActor::save(const Ticket& ticket, const StoreMedia& order) {
  auto promise = make_response_promise<Answer>();
  save(SaveProject{ticket.account, order.project}, [promise, ticket](const SaveEnd& end) mutable {
    if (promise.pending())
      promise.deliver(Answer{ticket, end.refusal ? Outcome(*end.refusal) : Outcome(Done{})});
  });
  return promise;
}

}  // namespace actors
