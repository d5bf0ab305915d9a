// Projects that their owner deletes, renames, reads and saves.
#include "actors/accounts/key_text.hpp"
#include "persistence/keys.hpp"
#include "tests/actors/fixture.hpp"
#include "tests/sample_analysis.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::Awaited;
using test::created_project;
using test::outcome;
using test::told;

struct Deeds : test::ActorsTest {
  std::string key;
  std::uint64_t project = 0;
  std::uint64_t owner = 0;

  /// A new account's project, whose run has the slot.
  void begin_project(const std::string& plan = "regular") {
    key = account(plan);
    owner = *account_of_key(key);
    project = created_project(create(key, "Gasse 1"));
    run();
  }
  Awaited remove() { return ask(key, DeleteProject{project}); }
  std::string told_of(const Awaited& awaited) {
    if (!*awaited) return "no answer";
    return caf::holds_alternative<Done>((*awaited)->outcome) ? "done" : told(awaited);
  }
  /// The tables in which something of the project is left.
  std::string left_of(std::uint64_t id) {
    std::string tables;
    const std::string number = persistence::number_key(id);
    for (std::size_t i = 0; i < persistence::kTables; ++i) {
      const auto table = static_cast<Table>(i);
      if (table == Table::meta) continue;
      const auto scanned = store->scan(
          table, {}, persistence::Store::Order::ascending, {},
          [&](std::string_view found, std::string_view value) {
            const bool by_key = table != Table::expiry && found.size() >= 16 && found.substr(8, 8) == number;
            const bool by_value = table == Table::addresses && value == number;
            const bool in_line = table == Table::line && value.ends_with(number);
            const bool expires = table == Table::expiry && found.substr(16, 8) == number;
            if (by_key || by_value || in_line || expires)
              tables += std::string(persistence::name_of(table)) + " ";
            return true;
          });
      EXPECT_TRUE(scanned);
    }
    return tables;
  }
  /// The slots are free: two more runs compute at once.
  void expect_free_slots() {
    const std::string other = account();
    for (std::uint32_t i = 0; i < options.slots; ++i) create(other, "Gasse " + std::to_string(5 + i));
    run();
    EXPECT_EQ(computing(), options.slots);
  }
};

TEST_F(Deeds, AFinishedProjectGoesWithAllThatIsStoredOfIt) {
  begin_project();
  finish(run_of(project));
  ASSERT_TRUE(save(owner, project)->ok);
  ASSERT_NE(left_of(project), "");
  EXPECT_EQ(told_of(remove()), "done");
  EXPECT_EQ(left_of(project), "");
  EXPECT_EQ(told(query(key, project)), "projekt_unbekannt");
  EXPECT_EQ(told_of(remove()), "projekt_unbekannt");
  restart();
  EXPECT_EQ(told(query(key, project)), "projekt_unbekannt");
}

TEST_F(Deeds, TheAddressIsFreeForANewProject) {
  begin_project();
  finish(run_of(project));
  remove();
  const auto again = create(key, "Gasse 1");
  EXPECT_NE(created_project(again), project);
}

TEST_F(Deeds, ATestAccountHasHadItsAddress) {
  begin_project("test");
  finish(run_of(project));
  EXPECT_EQ(told_of(remove()), "done");
  EXPECT_EQ(told(create(key, "Gasse 2")), "testkontingent_erschoepft");
  restart();
  EXPECT_EQ(told(create(key, "Gasse 2")), "testkontingent_erschoepft");
}

TEST_F(Deeds, AComputingRunIsCancelledAndItsSlotFreeWhenItsThreadHasEnded) {
  begin_project();
  const auto ref = run_of(project);
  EXPECT_EQ(told_of(remove()), "done");
  EXPECT_EQ(script.cancelled, std::vector<std::uint64_t>{ref});
  step(ref, "spät", 3, 8);
  finish(ref);
  EXPECT_EQ(left_of(project), "");
  expect_free_slots();
}

TEST_F(Deeds, AWaitingRunNeverComputes) {
  options.slots = 1;
  begin_project();
  const std::uint64_t first = project;
  project = created_project(create(key, "Gasse 2"));
  EXPECT_EQ(told_of(remove()), "done");
  finish(run_of(first));
  EXPECT_EQ(computing(), 0U);
  EXPECT_EQ(left_of(project), "");
  expect_free_slots();
}

TEST_F(Deeds, InAnyOrderOfTheActorsNothingIsLeftAndNoSlotIsLost) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    key = account();
    owner = *account_of_key(key);
    const auto made = send_create(key, "Gasse 1");
    run_shuffled(seed);
    project = created_project(made);
    const std::uint64_t computing_run = run_of(project);
    const auto restart_order = send(key, RestartAnalysis{project, 5000, "H0", ""});
    const auto saving = send(key, StoreMedia{project});
    if (seed % 2 == 0 && computing_run != 0) finish(computing_run);
    const auto removed = send(key, DeleteProject{project});
    const auto renamed = send(key, RenameProject{project, "Neu"});
    run_shuffled(seed);
    while (computing() > 0) finish(script.computing.begin()->first);
    run();
    EXPECT_EQ(told_of(removed), "done") << seed;
    EXPECT_TRUE(*restart_order && *saving && *renamed) << seed;
    EXPECT_EQ(left_of(project), "") << seed;
  }
  expect_free_slots();
}

TEST_F(Deeds, AnEndThatIsBeingStoredIsErasedToo) {
  begin_project();
  const auto ref = run_of(project);
  script.disk_silent = true;
  finish(ref);
  const auto removed = send(key, DeleteProject{project});
  run();
  disk_speaks();
  EXPECT_EQ(told_of(removed), "done");
  EXPECT_EQ(left_of(project), "");
  expect_free_slots();
}

TEST_F(Deeds, ARunThatIsBeingStartedGivesItsSlotBack) {
  options.slots = 1;
  key = account();
  const auto made = send_create(key, "Gasse 1");
  run();
  project = created_project(made);
  finish(run_of(project));
  script.disk_silent = true;
  const auto again = send(key, RestartAnalysis{project, 0, "", ""});
  run();
  disk_speaks();  // the restart is stored, and the run gets the slot
  script.disk_silent = true;
  const auto removed = send(key, DeleteProject{project});
  run();
  disk_speaks();
  while (computing() > 0) finish(script.computing.begin()->first);
  EXPECT_EQ(told_of(removed), "done");
  EXPECT_EQ(left_of(project), "");
  expect_free_slots();
}

TEST_F(Deeds, ADiskThatRefusesLeavesTheProject) {
  begin_project();
  finish(run_of(project));
  script.disk_refuses = true;
  EXPECT_EQ(told_of(remove()), "interner_fehler");
  EXPECT_EQ(told_of(ask(key, RenameProject{project, "Neu"})), "interner_fehler");
  script.disk_refuses = false;
  EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_EQ(outcome<ProjectRecord>(ask(key, ReadProject{project})).name, "Haus");
}

TEST_F(Deeds, NobodyReachesAnothersProject) {
  begin_project();
  finish(run_of(project));
  const std::string stranger = account();
  for (const Command& command :
       {Command(ReadProject{project}), Command(ReadAnalysis{project}), Command(RenameProject{project, "x"}),
        Command(StoreMedia{project}), Command(DeleteProject{project})})
    EXPECT_EQ(told_of(ask(stranger, command)), "projekt_unbekannt");
  EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_TRUE(
      outcome<ProjectPage>(ask(stranger, ListProjects{.details = true, .search = "gasse"})).projects.empty());
}

TEST_F(Deeds, ARecordTellsTheProjectsStateAndWhatIsSaved) {
  begin_project();
  EXPECT_EQ(outcome<ProjectRecord>(ask(key, ReadProject{project})).state, ProjectState::running);
  EXPECT_EQ(told_of(ask(key, ReadAnalysis{project})), "analyse_fehlt");
  finish(run_of(project));
  EXPECT_EQ(told_of(ask(key, StoreMedia{project})), "done");
  const auto record = outcome<ProjectRecord>(ask(key, ReadProject{project}));
  EXPECT_EQ(record.state, ProjectState::finished);
  EXPECT_EQ(record.saved_ms, now_ms);
  EXPECT_GT(record.model_bytes, 0U);
  EXPECT_EQ(record.town, "Wien");
  EXPECT_FALSE(outcome<StoredAnalysis>(ask(key, ReadAnalysis{project})).bytes.text->empty());
}

TEST_F(Deeds, ANewNameIsInTheListAndInTheNextResult) {
  begin_project();
  EXPECT_EQ(told_of(ask(key, RenameProject{project, "Oma"})), "done");
  finish(run_of(project));  // its end does not bring the old name back
  EXPECT_EQ(outcome<ProjectPage>(ask(key, ListProjects{})).projects.at(0).name, "Oma");
  query(key, project);
  EXPECT_EQ(rendered.back(), "Oma");
  restart();
  EXPECT_EQ(outcome<ProjectRecord>(ask(key, ReadProject{project})).name, "Oma");
}

TEST_F(Deeds, ANameThatIsStoredWhileTheRunMovesOnOutlivesARestart) {
  begin_project();
  const auto computing_run = run_of(project);
  script.disk_silent = true;
  step(computing_run, "Höhen", 1, 8);
  const auto renamed = send(key, RenameProject{project, "Oma"});
  run();
  disk_speaks();
  EXPECT_EQ(told_of(renamed), "done");
  finish(computing_run);
  EXPECT_EQ(outcome<ProjectRecord>(ask(key, ReadProject{project})).name, "Oma");
  post(key, project, 6000);
  EXPECT_EQ(outcome<ProjectRecord>(ask(key, ReadProject{project})).name, "Oma");
  restart();
  EXPECT_EQ(outcome<ProjectRecord>(ask(key, ReadProject{project})).name, "Oma");
}

TEST_F(Deeds, ANameAndARestartAtOnceKeepBoth) {
  begin_project();
  finish(run_of(project));
  for (const bool name_first : {true, false}) {
    const std::string name = name_first ? "Oma" : "Opa";
    const double kwh = name_first ? 6000 : 7000;
    script.disk_silent = true;
    const auto rename = [&] {
      send(key, RenameProject{project, name});
      run();
    };
    if (name_first) rename();
    send(key, RestartAnalysis{project, kwh, "H0", ""});
    run();
    if (!name_first) rename();
    disk_speaks();
    while (computing() > 0) finish(script.computing.begin()->first);
    ActorsTest::restart();
    const auto record = outcome<ProjectRecord>(ask(key, ReadProject{project}));
    EXPECT_EQ(record.name, name);
    EXPECT_EQ(record.consumption_kwh, kwh);
  }
}

TEST_F(Deeds, ARestartThatIsBeingStoredLeavesNothingOfADeletedProject) {
  begin_project();
  finish(run_of(project));
  script.disk_silent = true;
  send(key, RestartAnalysis{project, 0, "", ""});
  run();
  const auto removed = send(key, DeleteProject{project});
  run();
  disk_speaks();
  EXPECT_EQ(told_of(removed), "done");
  EXPECT_EQ(left_of(project), "");
  expect_free_slots();
}

TEST_F(Deeds, ACreationThatWaitsForItsAddressStoresNothingForAClosedAccount) {
  key = account();
  owner = *account_of_key(key);
  script.geocoder_holds = true;
  const auto late = send_create(key, "Gasse 1");
  run();
  EXPECT_TRUE(asked<AdminReply>(projects_shard(owner), EraseProjects{owner}).value().ok);
  answer_held();
  run();
  EXPECT_EQ(told(late), "schluessel_ungueltig");
  EXPECT_EQ(rows(Table::projects), 0U);
}

TEST_F(Deeds, TheListFindsByNameStreetAndTownHoweverItIsWritten) {
  begin_project();
  create(key, "Gasse 2");
  const auto found = [&](const std::string& text) {
    return outcome<ProjectPage>(ask(key, ListProjects{.search = text})).projects.size();
  };
  EXPECT_EQ(found("GASSE"), 2U);
  EXPECT_EQ(found("gasse 2"), 1U);
  EXPECT_EQ(found("wien"), 2U);
  EXPECT_EQ(found("haus"), 2U);
  EXPECT_EQ(found("Gasse 1, 1010 Wien"), 1U);
  EXPECT_EQ(found("gasse 2 wien"), 1U);
  EXPECT_EQ(found("1010 wien"), 2U);
  EXPECT_EQ(found("graz"), 0U);
  EXPECT_EQ(found("<script>"), 0U);
}

TEST_F(Deeds, TheListsFiguresAreThoseOfTheResult) {
  begin_project();
  auto line = outcome<ProjectPage>(ask(key, ListProjects{.details = true})).projects.at(0);
  EXPECT_EQ(line.state, ProjectState::running);
  EXPECT_FALSE(line.has_result);
  finish(run_of(project));
  line = outcome<ProjectPage>(ask(key, ListProjects{.details = true})).projects.at(0);
  EXPECT_EQ(line.state, ProjectState::finished);
  EXPECT_TRUE(line.has_result);
  const geo::RoofAnalysis result = test::sample_analysis();
  EXPECT_DOUBLE_EQ(line.kwp, geo::peak_power_kwp(result, result.totals.design_modules));
  EXPECT_DOUBLE_EQ(line.kwh_per_year, result.totals.design_yield_kwh.value());
  restart();
  EXPECT_DOUBLE_EQ(outcome<ProjectPage>(ask(key, ListProjects{.details = true})).projects.at(0).kwp,
                   line.kwp);
  advance(options.retention_h * kHour_ms);
  EXPECT_FALSE(outcome<ProjectPage>(ask(key, ListProjects{.details = true})).projects.at(0).has_result);
}

/// Its run's record has no figures: proto3 leaves out what is zero.
TEST_F(Deeds, TheListKnowsTheFiguresOfAnOlderProgramsResult) {
  begin_project();
  finish(run_of(project));
  const auto line = outcome<ProjectPage>(ask(key, ListProjects{.details = true})).projects.at(0);
  const std::string where = persistence::project_key(*account_of_key(key), project);
  auto run = persistence::decode_run(store->get(Table::runs, where).value().value()).value();
  run.design_kwp = run.design_kwh = 0;
  ASSERT_TRUE(store->commit({{Table::runs, where, encode(run)}}));
  restart();
  const auto older = outcome<ProjectPage>(ask(key, ListProjects{.details = true})).projects.at(0);
  EXPECT_TRUE(older.has_result);
  EXPECT_DOUBLE_EQ(older.kwp, line.kwp);
  EXPECT_DOUBLE_EQ(older.kwh_per_year, line.kwh_per_year);
}

TEST_F(Deeds, AllProjectsOfAnAccountAreErasedWhateverTheyAreDoing) {
  begin_project();
  finish(run_of(project));
  create(key, "Gasse 2");
  create(key, "Gasse 3");
  create(key, "Gasse 4");
  const std::string other = account();
  const auto kept = created_project(create(other, "Gasse 1"));
  const auto reply = asked<AdminReply>(projects_shard(owner), EraseProjects{owner});
  EXPECT_TRUE(reply.value().ok);
  EXPECT_EQ(reply->text, "4");
  while (computing() > 0) finish(script.computing.begin()->first);
  for (const std::uint64_t id : {project, project + 1, project + 2, project + 3}) EXPECT_EQ(left_of(id), "");
  EXPECT_NE(left_of(kept), "");
}

}  // namespace
