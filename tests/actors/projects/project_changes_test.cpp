// Each change of a project is one batch that a restart of the program can go on from.
#include "actors/projects/project_changes.hpp"

#include <gmock/gmock.h>

#include "persistence/keys.hpp"

namespace {

using namespace actors;
using persistence::RunState;
using persistence::Table;
using ::testing::ElementsAre;

std::vector<Table> tables(const persistence::Writes& writes) {
  std::vector<Table> all;
  for (const persistence::Write& write : writes) all.push_back(write.table);
  return all;
}

bool erases(const persistence::Writes& writes, Table table, const std::string& key) {
  return std::any_of(writes.begin(), writes.end(), [&](const persistence::Write& write) {
    return write.table == table && write.key == key && write.erase;
  });
}

/// What the batch leaves in the table of runs.
persistence::Run stored_run(const persistence::Writes& writes) {
  for (const persistence::Write& write : writes)
    if (write.table == Table::runs)
      if (const auto run = persistence::decode_run(write.value)) return *run;
  ADD_FAILURE() << "no run is written";
  return {};
}

NewProject house(const std::string& name) {
  NewProject made{.account = 3, .project = 17, .run = 40};
  made.order = {name, "hauptstr. 5 linz", 4500, "H0", "request-1"};
  made.place.kind = Located::Kind::house;
  made.place.street = "Hauptstraße";
  made.place.house_number = "5";
  made.place.postcode = "4020";
  made.place.town = "Linz";
  made.place.country = "AT";
  made.place.lon_deg = 14.25;
  made.place.lat_deg = 48.5;
  made.spelling_key = "spelling";
  made.house_key = "house";
  return made;
}

ProjectEntry computing() {
  ProjectEntry entry = started(created(house("Haus"), 1000).entry, 2000).entry;
  return advanced(entry, {{40, 3, 17}, "dach", 2, 8}).entry;
}

TEST(ProjectChanges, CreateAProjectWithItsRunInLineAndBothItsAddresses) {
  const ProjectChange change = created(house("Haus"), 1000);
  const std::string key = persistence::project_key(3, 17);
  EXPECT_THAT(tables(change.writes),
              ElementsAre(Table::projects, Table::runs, Table::line, Table::addresses, Table::addresses));
  EXPECT_EQ(change.writes[2].key, persistence::number_key(40));
  EXPECT_EQ(change.writes[2].value, key) << "the line leads to the project";
  EXPECT_EQ(change.writes[3].key, "spelling");
  EXPECT_EQ(change.writes[4].key, "house");
  EXPECT_EQ(change.writes[4].value, persistence::number_key(17));
  const auto project = persistence::decode_project(change.writes[0].value);
  ASSERT_TRUE(project);
  EXPECT_EQ(project->name, "Haus");
  EXPECT_EQ(project->address_sent, "hauptstr. 5 linz");
  EXPECT_EQ(project->town, "Linz");
  EXPECT_EQ(project->created_ms, 1000);
  const persistence::Run run = stored_run(change.writes);
  EXPECT_EQ(run.state, RunState::waiting);
  EXPECT_EQ(run.consumption_kwh, 4500);
  EXPECT_EQ(run.request_id, "request-1");
  EXPECT_EQ(change.entry.run.id, run.id) << "memory holds what the disk does";
}

TEST(ProjectChanges, NameAProjectByItsHouseWhenItHasNoName) {
  EXPECT_EQ(created(house(""), 1000).entry.project.name, "Hauptstraße 5, 4020 Linz");
}

TEST(ProjectChanges, RestartInOneBatchWithWhatWasBefore) {
  RunOutcome outcome{.run = {40, 3, 17}, .finished = true, .result = "bytes", .scene = "scene"};
  const ProjectEntry before = finished(computing(), outcome, 3000).entry;
  const ProjectChange change = restarted(before, {.project = 17, .load_profile = "G0"}, 41, 9000);
  const std::string key = persistence::project_key(3, 17);
  EXPECT_TRUE(erases(change.writes, Table::results, key));
  EXPECT_TRUE(erases(change.writes, Table::scenes, key));
  EXPECT_TRUE(erases(change.writes, Table::line, persistence::number_key(40)));
  const persistence::Run run = stored_run(change.writes);
  EXPECT_EQ(run.id, 41U);
  EXPECT_EQ(run.state, RunState::waiting);
  EXPECT_EQ(run.started_ms + run.ended_ms, 0) << "nothing of the last run";
  EXPECT_EQ(run.scene_bytes, 0U);
  EXPECT_EQ(run.load_profile, "G0");
  EXPECT_EQ(run.consumption_kwh, 4500) << "left out: as it was";
  EXPECT_EQ(change.entry.project.load_profile, "G0");
}

TEST(ProjectChanges, FinishWithResultExpirySceneAndNoPlaceInLine) {
  const RunOutcome outcome{.run = {40, 3, 17},
                           .finished = true,
                           .result = "bytes",
                           .scene = "scene",
                           .design_kwp = 4.4,
                           .design_kwh = 4510};
  const ProjectChange change = finished(computing(), outcome, 3000);
  const std::string key = persistence::project_key(3, 17);
  EXPECT_THAT(tables(change.writes),
              ElementsAre(Table::results, Table::expiry, Table::scenes, Table::runs, Table::line));
  EXPECT_EQ(change.writes[1].key, persistence::expiry_key(3000, 3, 17));
  EXPECT_TRUE(erases(change.writes, Table::line, persistence::number_key(40)));
  const persistence::Run run = stored_run(change.writes);
  EXPECT_EQ(run.state, RunState::finished);
  EXPECT_EQ(run.steps_done, run.steps_total);
  EXPECT_EQ(run.scene_bytes, 5U);
  EXPECT_EQ(run.design_kwp, 4.4);
  EXPECT_EQ(run.design_kwh, 4510);
  EXPECT_EQ(run.ended_ms, 3000);
}

TEST(ProjectChanges, FinishWithoutASceneWhenNothingCanBeDrawn) {
  const RunOutcome outcome{.run = {40, 3, 17}, .finished = true, .result = "bytes"};
  const ProjectChange change = finished(computing(), outcome, 3000);
  EXPECT_THAT(tables(change.writes), ElementsAre(Table::results, Table::expiry, Table::runs, Table::line));
  EXPECT_EQ(change.entry.run.scene_bytes, 0U);
}

TEST(ProjectChanges, FailWithCodeTextAndReasonAndNoPlaceInLine) {
  const RunOutcome outcome{
      .run = {40, 3, 17}, .code = Code::kein_dach, .text = "Kein Dach.", .reason = "flat"};
  const ProjectChange change = failed(computing(), outcome, 3000);
  EXPECT_THAT(tables(change.writes), ElementsAre(Table::runs, Table::line));
  EXPECT_TRUE(erases(change.writes, Table::line, persistence::number_key(40)));
  const persistence::Run run = stored_run(change.writes);
  EXPECT_EQ(run.state, RunState::failed);
  EXPECT_EQ(run.failure_code, "kein_dach");
  EXPECT_EQ(run.failure_text, "Kein Dach.");
  EXPECT_EQ(run.failure_reason, "flat");
  EXPECT_EQ(run.steps_done, 2) << "as far as it came";
}

TEST(ProjectChanges, SayThatARunFailedWhenTheDiskRefusesIt) {
  persistence::Run run = computing().run;
  run.state = RunState::finished;
  run.failure_text = "of another fault";
  const persistence::Run refused = refused_by_disk(run);
  EXPECT_EQ(refused.state, RunState::failed);
  EXPECT_EQ(refused.failure_code, "interner_fehler");
  EXPECT_EQ(refused.failure_text, "");
  EXPECT_NE(refused.failure_reason, "");
}

}  // namespace
