// What an owner does to a project while something else is under way for it: each waits for the other or is
// refused, nothing acknowledged is lost and nothing comes back.
#include "actors/accounts/key_text.hpp"
#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"
#include "tests/actors/fixture.hpp"
#include "tests/sample_analysis.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::Awaited;
using test::created_project;
using test::outcome;

struct Races : test::ActorsTest {
  std::string key;
  std::uint64_t owner = 0, project = 0;

  void begin_project() {
    key = account();
    owner = *account_of_key(key);
    project = created_project(create(key, "Gasse 1"));
    run();
  }
  void begin_finished_project() {
    begin_project();
    finish(run_of(project));
  }
  /// Sent, and its write is at the silent disk.
  Awaited begun(Command command) {
    script.disk_silent = true;
    auto awaited = send(key, std::move(command));
    run();
    return awaited;
  }
  std::string told(const Awaited& awaited) {
    if (!*awaited) return "no answer";
    return caf::holds_alternative<Done>((*awaited)->outcome) ? "done" : test::told(awaited);
  }
  ProjectRecord record() { return outcome<ProjectRecord>(ask(key, ReadProject{project})); }
  std::shared_ptr<std::optional<AdminReply>> send_erase() {
    auto reply = std::make_shared<std::optional<AdminReply>>();
    spawn_asker([reply, shard = projects_shard(owner), id = owner](caf::event_based_actor* self) {
      self->request(shard, caf::infinite, EraseProjects{id}).then([reply](const AdminReply& told) {
        *reply = told;
      });
    });
    return reply;
  }
  std::size_t rows_of_account(Table table) {
    std::size_t count = 0;
    EXPECT_TRUE(store->scan(table, persistence::number_key(owner), persistence::Store::Order::ascending, {},
                            [&](std::string_view, std::string_view) { return ++count, true; }));
    return count;
  }
};

TEST_F(Races, ANewNameStaysWhenTheRunEndsMeanwhile) {
  begin_project();
  const auto renamed = begun(RenameProject{project, "Neu"});
  finish(run_of(project));
  disk_speaks();
  EXPECT_EQ(told(renamed), "done");
  EXPECT_EQ(record().name, "Neu");
}

/// The order of the actors' turns decides what is answered first.
TEST_F(Races, OfTwoNewNamesTheSecondStaysWhateverARestartDoesBetweenThem) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    begin_finished_project();
    const auto sent = [&](Command command) {  // one after the other
      auto awaited = send(key, std::move(command));
      std::swap(scheduler().jobs.front(), scheduler().jobs.back());
      scheduler().run_once();
      return awaited;
    };
    const auto first = sent(RenameProject{project, "Erster"});
    const auto again = sent(RestartAnalysis{project, 6000, "H0", ""});
    const auto second = sent(RenameProject{project, "Zweiter"});
    run_shuffled(seed);
    EXPECT_EQ(told(first) + ", " + told(second), "done, done") << seed;
    EXPECT_EQ(record().name, "Zweiter") << seed;
    while (computing() > 0) finish(script.computing.begin()->first);
    ActorsTest::restart();
    EXPECT_EQ(record().name, "Zweiter") << "on disk, seed " << seed;
    EXPECT_EQ(record().consumption_kwh, 6000) << seed;
  }
}

TEST_F(Races, ARefusedNewNameLeavesTheOneThatWaitedForItsTurn) {
  begin_finished_project();
  const auto first = begun(RenameProject{project, "Erster"}),
             second = begun(RenameProject{project, "Zweiter"});
  script.disk_refuses = true;
  disk_speaks();
  EXPECT_EQ(told(first) + ", " + told(second), "interner_fehler, interner_fehler");
  EXPECT_NE(record().name, "Erster");
  script.disk_refuses = false;
  EXPECT_EQ(told(ask(key, RenameProject{project, "Dritter"})), "done");
  EXPECT_EQ(record().name, "Dritter");
}

/// What is under way for the saving stops at each of its steps while a new analysis comes and ends.
TEST_F(Races, ASavingNeverStoresFilesOfTwoResults) {
  const auto surfaces_in = [&](persistence::FileKind kind) -> std::string {
    const auto bytes = store->get(Table::files, persistence::file_key(owner, project, kind));
    if (!bytes || !*bytes) return "nothing";
    const auto from = (*bytes)->find(" of ");
    return (*bytes)->substr(from, (*bytes)->find(" surfaces") - from);
  };
  geo::RoofAnalysis other = test::sample_analysis();
  other.surfaces.pop_back();
  int overtaken = 0;
  for (int steps = 0; steps < 40; ++steps) {
    begin_finished_project();
    const auto saved = send(key, StoreMedia{project});
    for (int i = 0; i < steps && scheduler().has_job(); ++i) scheduler().run_once();
    const auto stopped = std::exchange(scheduler().jobs, {});
    const auto again = send(key, RestartAnalysis{project, 0, ""});
    run();
    const auto second = run_of(project);
    if (second) finish(second, other, test::sample_scene_bytes());
    scheduler().jobs.insert(scheduler().jobs.end(), stopped.begin(), stopped.end());
    run();
    if (!second && run_of(project)) finish(run_of(project));
    if (second && told(saved) == "dienst_ueberlastet") ++overtaken;
    EXPECT_EQ(surfaces_in(persistence::FileKind::model), surfaces_in(persistence::FileKind::orthophoto))
        << "after " << steps << " steps: " << told(saved);
    EXPECT_NE(told(saved), "no answer") << steps;
  }
  EXPECT_GT(overtaken, 0) << "else this tries nothing";
}

TEST_F(Races, ACreationThatIsBeingStoredIsErasedWithTheAccount) {
  begin_finished_project();
  const auto made = begun(test::ActorsTest::creation("Gasse 2"));
  const auto erased = send_erase();
  run();
  disk_speaks();
  ASSERT_TRUE(*erased && (*erased)->ok);
  while (computing() > 0) finish(script.computing.begin()->first);
  EXPECT_NE(told(made), "no answer");
  EXPECT_EQ(rows_of_account(Table::projects), 0U);
  EXPECT_EQ(rows_of_account(Table::runs), 0U);
  EXPECT_EQ(rows(Table::line), 0U);
}

TEST_F(Races, ADiskThatRefusesTheDeletionLetsTheRunGoOn) {
  begin_project();
  const auto run_id = run_of(project);
  script.disk_refuses = true;
  EXPECT_EQ(told(ask(key, DeleteProject{project})), "interner_fehler");
  script.disk_refuses = false;
  EXPECT_TRUE(script.cancelled.empty());
  EXPECT_EQ(told(query(key, project)), "running");
  finish(run_id);
  EXPECT_EQ(told(query(key, project)), "finished");
}

TEST_F(Races, AnEndDuringARefusedDeletionIsStored) {
  begin_project();
  const auto run_id = run_of(project);
  const auto removed = begun(DeleteProject{project});
  finish(run_id);
  script.disk_refuses = true;
  disk_speaks();
  script.disk_refuses = false;
  EXPECT_EQ(told(removed), "interner_fehler");
  EXPECT_NE(told(query(key, project)), "running");
  const std::string other = account();
  for (std::uint32_t i = 0; i < options.slots; ++i) create(other, "Gasse " + std::to_string(5 + i));
  EXPECT_EQ(computing(), options.slots);
}

TEST_F(Races, ARestartOfAProjectThatIsDeletedMeanwhileIsToldThatThereIsNone) {
  for (const bool restart_first : {true, false})
    for (int steps = 0; steps < 12; ++steps) {
      begin_project();
      fail(run_of(project), Code::kein_dach);
      const Command restart = RestartAnalysis{project, 0, ""}, removal = DeleteProject{project};
      const auto first = send(key, restart_first ? restart : removal);
      for (int i = 0; i < steps; ++i) scheduler().run_once();
      const auto second = send(key, restart_first ? removal : restart);
      run();
      EXPECT_EQ(told(restart_first ? second : first), "done") << steps;
      const std::string restarted = told(restart_first ? first : second);
      EXPECT_TRUE(restarted == "projekt_unbekannt" || restarted == "waiting" || restarted == "running")
          << restarted << " after " << steps << " steps";
    }
}

TEST_F(Races, ADeletedRunLeavesTheLine) {
  options.slots = 1;
  options.waiting_max = 2;
  begin_project();
  const auto second = created_project(create(key, "Gasse 2"));
  const auto third = created_project(create(key, "Gasse 3"));
  EXPECT_EQ(outcome<Running>(query(key, third)).ahead, 1U);
  EXPECT_EQ(told(ask(key, DeleteProject{second})), "done");
  EXPECT_EQ(outcome<Running>(query(key, third)).ahead, 0U);
  advance(2000);  // the promised places have run out
  EXPECT_EQ(told(create(key, "Gasse 4")), "created");
}

TEST_F(Races, TwoDeletionsAtOnceAreBothToldWhatTheDiskSays) {
  for (const bool refuses : {true, false}) {
    begin_finished_project();
    const auto first = begun(DeleteProject{project});
    const auto second = begun(DeleteProject{project});
    script.disk_refuses = refuses;
    disk_speaks();
    script.disk_refuses = false;
    EXPECT_EQ(told(first), refuses ? "interner_fehler" : "done");
    if (refuses) EXPECT_NE(told(second), "projekt_unbekannt");
    EXPECT_EQ(told(query(key, project)), refuses ? "finished" : "projekt_unbekannt");
  }
}

TEST_F(Races, ALateDiskIsToldAsNotKnownYet) {
  for (const Command& command : {Command(RenameProject{project, "Neu"}), Command(StoreMedia{project}),
                                 Command(DeleteProject{project})}) {
    begin_finished_project();
    Command mine = command;
    caf::visit(
        [this](auto& one) {
          if constexpr (requires { one.project = std::uint64_t{1}; }) one.project = project;
        },
        mine);
    const auto awaited = begun(mine);
    EXPECT_EQ(told(awaited), "no answer");
    advance((options.journal_timeout_s + 1) * 1000);
    EXPECT_EQ(told(awaited), "dienst_ueberlastet") << command.index();
    disk_speaks();
  }
}

TEST_F(Races, ASavingThatTheDiskRefusesIsNoFaultOfThePicture) {
  begin_finished_project();
  script.disk_refuses = true;
  EXPECT_EQ(told(ask(key, StoreMedia{project})), "interner_fehler");
}

TEST_F(Races, ASavingThatIsBeingStoredIsErasedToo) {
  begin_finished_project();
  const auto saved = begun(StoreMedia{project});
  const auto removed = begun(DeleteProject{project});
  disk_speaks();
  EXPECT_EQ(told(removed), "done");
  EXPECT_EQ(rows(Table::media) + rows(Table::files), 0U);
}

TEST_F(Races, AResultThatIsBeingMovedAsideIsErasedToo) {
  begin_finished_project();
  ASSERT_TRUE(store->commit({{Table::results, persistence::project_key(owner, project), "damaged"}}));
  script.disk_silent = true;
  spawn_asker([shard = projects_shard(owner), id = owner, p = project](caf::event_based_actor* self) {
    self->request(shard, caf::infinite, QuarantineResult{id, p}).then([](const AdminReply&) {});
  });
  run();
  const auto removed = begun(DeleteProject{project});
  disk_speaks();
  EXPECT_EQ(told(removed), "done");
  EXPECT_EQ(rows(Table::aside), 0U);
}

TEST_F(Races, TheListFindsAWholeAddress) {
  begin_finished_project();
  for (const std::string text : {"Gasse 1, 1010 Wien", "1010 wien", "gasse 1 1010"})
    EXPECT_EQ(outcome<ProjectPage>(ask(key, ListProjects{.search = text})).projects.size(), 1U) << text;
}

}  // namespace
