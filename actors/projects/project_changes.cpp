#include "actors/projects/project_changes.hpp"

#include "geo/property_analysis.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::RunState;
using persistence::Table;

namespace {

std::string spelling(const Located& place) {
  return place.street + " " + place.house_number + ", " + place.postcode + " " + place.town;
}

std::string key_of(const ProjectEntry& entry) {
  return persistence::project_key(entry.project.account, entry.project.id);
}

ProjectChange over(ProjectEntry entry, RunState state, std::int64_t now_ms) {
  entry.run.state = state;
  entry.run.ended_ms = now_ms;
  return {std::move(entry), {}};
}

/// The run is over: it leaves the line, so that the next start of the program does not find it there.
void write_end(ProjectChange& change) {
  change.writes.push_back({Table::runs, key_of(change.entry), encode(change.entry.run)});
  change.writes.push_back(persistence::erased(Table::line, persistence::number_key(change.entry.run.id)));
}

}  // namespace

ProjectChange created(NewProject made, std::int64_t now_ms) {
  CreateProject& order = made.order;
  Located& place = made.place;
  std::string name = order.name.empty() ? spelling(place) : std::move(order.name);
  ProjectChange change{{{made.project, made.account, std::move(name), std::move(order.address),
                         std::move(place.street), std::move(place.house_number), std::move(place.postcode),
                         std::move(place.town), std::move(place.country), place.lon_deg, place.lat_deg,
                         order.consumption_kwh, order.load_profile, now_ms},
                        {.id = made.run,
                         .project = made.project,
                         .account = made.account,
                         .queued_ms = now_ms,
                         .consumption_kwh = order.consumption_kwh,
                         .load_profile = std::move(order.load_profile),
                         .request_id = std::move(order.request_id)}},
                       {}};
  const std::string key = key_of(change.entry);
  change.writes.reserve(5);
  change.writes.push_back({Table::projects, key, encode(change.entry.project)});
  change.writes.push_back({Table::runs, key, encode(change.entry.run)});
  change.writes.push_back({Table::line, persistence::number_key(made.run), key});
  for (std::string* address : {&made.spelling_key, &made.house_key})
    change.writes.push_back({Table::addresses, std::move(*address), persistence::number_key(made.project)});
  return change;
}

ProjectChange restarted(const ProjectEntry& before, const RestartAnalysis& order, std::uint64_t run,
                        std::int64_t now_ms) {
  ProjectChange change{before, {}};
  persistence::Project& project = change.entry.project;
  if (order.consumption_kwh > 0) project.consumption_kwh = order.consumption_kwh;
  if (!order.load_profile.empty()) project.load_profile = order.load_profile;
  change.entry.run = persistence::Run{.id = run,
                                      .project = project.id,
                                      .account = project.account,
                                      .queued_ms = now_ms,
                                      .consumption_kwh = project.consumption_kwh,
                                      .load_profile = project.load_profile,
                                      .request_id = order.request_id};
  const std::string key = key_of(before);
  change.writes = {{Table::projects, key, encode(project)},
                   {Table::runs, key, encode(change.entry.run)},
                   {Table::line, persistence::number_key(run), key},
                   persistence::erased(Table::line, persistence::number_key(before.run.id)),
                   persistence::erased(Table::results, key),
                   persistence::erased(Table::scenes, key),
                   persistence::erased(Table::expiry, persistence::expiry_key(before.run.ended_ms,
                                                                              project.account, project.id))};
  return change;
}

ProjectChange started(const ProjectEntry& waiting, std::int64_t now_ms) {
  ProjectChange change{waiting, {}};
  persistence::Run& run = change.entry.run;
  run.state = RunState::running;
  run.started_ms = now_ms;
  run.steps_total = geo::kRunSteps;
  change.writes = {{Table::runs, key_of(waiting), encode(run)}};
  return change;
}

ProjectChange advanced(const ProjectEntry& computing, const StepDone& step) {
  ProjectChange change{computing, {}};
  persistence::Run& run = change.entry.run;
  run.step = step.step;
  run.steps_done = step.done;
  run.steps_total = step.total;
  change.writes = {{Table::runs, key_of(computing), encode(run)}};
  return change;
}

ProjectChange finished(const ProjectEntry& computing, const RunOutcome& outcome, std::int64_t now_ms) {
  ProjectChange change = over(computing, RunState::finished, now_ms);
  persistence::Run& run = change.entry.run;
  run.steps_done = run.steps_total;
  run.scene_bytes = outcome.scene.size();
  run.design_kwp = outcome.design_kwp;
  run.design_kwh = outcome.design_kwh;
  const std::string key = key_of(computing);
  change.writes = {{Table::results, key, outcome.result},
                   {Table::expiry, persistence::expiry_key(run.ended_ms, run.account, run.project), {}}};
  if (!outcome.scene.empty()) change.writes.push_back({Table::scenes, key, outcome.scene});
  write_end(change);
  return change;
}

ProjectChange failed(const ProjectEntry& computing, const RunOutcome& outcome, std::int64_t now_ms) {
  ProjectChange change = over(computing, RunState::failed, now_ms);
  persistence::Run& run = change.entry.run;
  run.failure_code = name_of(outcome.code);
  run.failure_text = outcome.text;
  run.failure_reason = outcome.reason;
  write_end(change);
  return change;
}

persistence::Run refused_by_disk(persistence::Run run) {
  run.state = RunState::failed;
  run.failure_code = name_of(Code::interner_fehler);
  run.failure_text.clear();
  run.failure_reason = "the disk takes no record of it";
  return run;
}

}  // namespace actors
