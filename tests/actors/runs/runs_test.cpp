// A run's life as its client sees it: steps, endings, starting anew, restarts of the program.
#include "geo/property_analysis.hpp"
#include "persistence/keys.hpp"
#include "tests/actors/fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::told;

struct Runs : test::ActorsTest {
  std::string key = account();
  std::uint64_t create_one(const std::string& address = "Gasse 1") {
    return test::created_project(create(key, address));
  }
};

TEST_F(Runs, TellTheirSteps) {
  const auto project = create_one();
  const auto before = query(key, project);
  ASSERT_EQ(told(before), "running");
  EXPECT_EQ(test::outcome<Running>(before).steps_total, geo::kRunSteps);
  step(run_of(project), "Dachflächen suchen", 3, 8);
  const auto state = test::outcome<Running>(query(key, project));
  EXPECT_EQ(state.step, "Dachflächen suchen");
  EXPECT_EQ(state.steps_done, 3);
  EXPECT_EQ(state.steps_total, 8);
  EXPECT_FALSE(state.waiting);
  EXPECT_GE(state.retry_s, 1);
}

TEST_F(Runs, EndAsTheComputationSays) {
  int house = 0;
  for (const Code code : {Code::kein_dach, Code::dienst_nicht_erreichbar, Code::dienst_ueberlastet,
                          Code::analyse_fehlgeschlagen, Code::analyse_abgebrochen}) {
    const auto project = create_one("Gasse " + std::to_string(++house));
    fail(run_of(project), code, "Satz");
    const auto state = query(key, project);
    ASSERT_EQ(told(state), name_of(code));
    const auto& refusal = test::outcome<Refusal>(state);
    EXPECT_EQ(refusal.text, "Satz");
    EXPECT_EQ(refusal.project, project);
    const bool busy = code == Code::dienst_nicht_erreichbar || code == Code::dienst_ueberlastet;
    EXPECT_EQ(refusal.retry_after_s > 0, busy);
    restart();
    EXPECT_EQ(told(query(key, project)), name_of(code));  // a failure stands until POST
  }
}

TEST_F(Runs, ThatFailedStartAnewWithPostUnderANewNumber) {
  const auto project = create_one();
  const auto first = run_of(project);
  fail(first, Code::kein_dach);
  ASSERT_EQ(told(post(key, project)), "waiting");
  EXPECT_GT(run_of(project), first);
  EXPECT_EQ(told(query(key, project)), "running");
}

TEST_F(Runs, StartAnewFromWhateverEnd) {
  const auto project = create_one();
  finish(run_of(project));
  EXPECT_EQ(told(post(key, project)), "waiting");  // finished
  EXPECT_EQ(rows(Table::results), 0U);
  finish(run_of(project));
  now_ms += 90'000'000;
  EXPECT_EQ(told(query(key, project)), "analyse_fehlt");
  EXPECT_EQ(told(post(key, project)), "waiting");  // expired
  restart();
  EXPECT_EQ(told(query(key, project)), "analyse_abgebrochen");
  EXPECT_EQ(told(post(key, project)), "waiting");  // interrupted
  finish(run_of(project));
  EXPECT_EQ(told(query(key, project)), "finished");
}

TEST_F(Runs, AreNotStartedByPostWhileOneRunsOrWaits) {
  const auto running = create_one("Gasse 1");
  create_one("Gasse 2");
  const auto waiting = create_one("Gasse 3");
  const auto started = script.started;
  EXPECT_EQ(told(post(key, running, 99, "G1")), "running");
  EXPECT_EQ(told(post(key, waiting, 99, "G1")), "waiting");
  EXPECT_EQ(script.started, started);
  EXPECT_EQ(rows(Table::line), 3U);
  finish(run_of(running));
  EXPECT_EQ(script.computing.at(run_of(waiting)).job.consumption_kwh, 4500);  // not the posted 99
}

TEST_F(Runs, SayThatTheyKeepTheirInputsWhenOthersAreSent) {
  const auto running = create_one("Gasse 1");
  create_one("Gasse 2");
  const auto waiting = create_one("Gasse 3");
  for (const std::uint64_t project : {running, waiting}) {
    const auto keeps = [&](double kwh, const std::string& profile) {
      return test::outcome<Running>(post(key, project, kwh, profile)).keeps_inputs;
    };
    EXPECT_TRUE(keeps(99, "H0"));
    EXPECT_TRUE(keeps(4500, "G1"));
    EXPECT_TRUE(keeps(0, "G1"));
    EXPECT_FALSE(keeps(4500, "H0"));
    EXPECT_FALSE(keeps(0, ""));
    EXPECT_FALSE(test::outcome<Running>(query(key, project)).keeps_inputs);
  }
}

TEST_F(Runs, AreStartedOnceByTwoPostsAtOnce) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    key = account();
    const auto project = create_one();
    fail(run_of(project), Code::kein_dach);
    const std::size_t before = script.started.size();
    const std::vector answers = {send(key, RestartAnalysis{project, 100, ""}),
                                 send(key, RestartAnalysis{project, 200, ""}),
                                 send(key, RestartAnalysis{project, 300, ""})};
    run_shuffled(seed);
    for (const auto& answer : answers)
      EXPECT_TRUE(told(answer) == "waiting" || told(answer) == "running") << told(answer);
    EXPECT_EQ(script.started.size(), before + 1) << seed;
    EXPECT_EQ(computing(), 1U);
    EXPECT_EQ(rows(Table::line), 1U);
    finish(run_of(project));
    EXPECT_EQ(computing(), 0U);
  }
}

TEST_F(Runs, TakeTheLastRequestsValuesUnlessTheyAreSentAgain) {
  const auto project = test::created_project(ask(key, CreateProject{"n", "Gasse 1", 4500, "H0"}));
  const auto values = [&] {
    const auto run =
        *persistence::decode_run(**store->get(Table::runs, persistence::project_key(1, project)));
    return std::pair(run.consumption_kwh, run.load_profile);
  };
  const auto again = [&](double kwh, const std::string& profile) {
    fail(run_of(project), Code::kein_dach);
    EXPECT_EQ(told(post(key, project, kwh, profile)), "waiting");
    return values();
  };
  EXPECT_EQ(again(0, ""), std::pair(4500.0, std::string("H0")));
  EXPECT_EQ(again(9000, ""), std::pair(9000.0, std::string("H0")));
  EXPECT_EQ(again(0, "G3"), std::pair(9000.0, std::string("G3")));
  EXPECT_EQ(again(0, ""), std::pair(9000.0, std::string("G3")));
  EXPECT_EQ(script.computing.at(run_of(project)).job.consumption_kwh, 9000);
}

TEST_F(Runs, AreNotStartedAnewWhenTheDiskRefuses) {
  const auto project = create_one();
  finish(run_of(project));
  script.disk_refuses = true;
  EXPECT_EQ(told(post(key, project, 99, "G1")), "interner_fehler");
  script.disk_refuses = false;
  EXPECT_EQ(told(query(key, project)), "finished");  // the old result is untouched
  EXPECT_EQ(computing(), 0U);
  EXPECT_EQ(told(post(key, project)), "waiting");
  EXPECT_EQ(script.computing.at(run_of(project)).job.consumption_kwh, 4500);
}

TEST_F(Runs, ThatTheDiskStoresLateStandInLineOnceHoweverOftenTheyAreSentAgain) {
  const auto project = create_one();
  finish(run_of(project));
  script.disk_silent = true;
  const auto first = send(key, RestartAnalysis{project}), beside = send(key, RestartAnalysis{project});
  advance(10'000);
  EXPECT_EQ(told(first), "dienst_ueberlastet");
  EXPECT_EQ(told(beside), "dienst_ueberlastet");
  EXPECT_EQ(told(post(key, project)), "dienst_ueberlastet") << "and at once";
  EXPECT_EQ(told(query(key, project)), "finished") << "nothing else is known yet";
  disk_speaks();
  EXPECT_EQ(computing(), 1U) << "nobody had to ask for it";
  EXPECT_EQ(told(post(key, project)), "running");
  EXPECT_EQ(script.started.size(), 2U);
}

TEST_F(Runs, WhoseBeginIsStoredLateComputeThen) {
  const auto first = create_one("Gasse 1");
  create_one("Gasse 2");
  const auto third = create_one("Gasse 3");
  script.disk_silent = true;
  const auto work = script.computing.extract(run_of(first)).mapped();
  caf::anon_send(slots(), release_atom::value, work.job.run, std::int64_t{1});
  advance(10'000);
  EXPECT_EQ(told(query(key, third)), "waiting") << "neither begun nor failed";
  disk_speaks();
  EXPECT_EQ(told(query(key, third)), "running");
  EXPECT_NE(run_of(third), 0U);
}

TEST_F(Runs, WhoseEndIsStoredLateAreFinishedThenAndHoldTheirSlotUntilThen) {
  const auto project = create_one("Gasse 1");
  create_one("Gasse 2");
  const auto next = create_one("Gasse 3");
  script.disk_silent = true;
  finish(run_of(project));
  advance(20'000);
  EXPECT_EQ(told(query(key, project)), "running") << "nothing else is known yet";
  EXPECT_EQ(run_of(next), 0U);
  disk_speaks();
  EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_NE(run_of(next), 0U);
  EXPECT_EQ(rows(Table::results), 1U);
}

TEST_F(Runs, AreNotStartedAnewWhenTheLineIsFull) {
  options.waiting_max = 1;
  restart();
  const auto project = create_one("Gasse 1");
  finish(run_of(project));
  for (const char* address : {"Gasse 2", "Gasse 3", "Gasse 4"}) create_one(address);
  const auto full = post(key, project);
  ASSERT_EQ(told(full), "dienst_ueberlastet");
  EXPECT_GT(test::outcome<Refusal>(full).retry_after_s, 0);
  EXPECT_EQ(told(query(key, project)), "finished");
}

TEST_F(Runs, OfOthersAreUnknown) {
  const auto project = create_one();
  const std::string stranger = account();
  EXPECT_EQ(told(query(stranger, project)), "projekt_unbekannt");
  EXPECT_EQ(told(post(stranger, project)), "projekt_unbekannt");
  EXPECT_EQ(told(query(stranger, 12345)), "projekt_unbekannt");
  EXPECT_EQ(told(query(stranger, 0)), "projekt_unbekannt");
  EXPECT_EQ(told(query(key, project)), "running");
}

TEST_F(Runs, OfOthersAreUnknownAlsoOutOfMemory) {
  options.projects_cached = 1;
  restart();
  const auto project = create_one();
  finish(run_of(project));
  // Accounts of the same shard, so that both look into the same memory.
  std::string stranger;
  for (std::uint32_t i = 0; i < options.project_shards; ++i) stranger = account();
  EXPECT_EQ(told(query(stranger, project)), "projekt_unbekannt");
  EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_EQ(told(query(stranger, project)), "projekt_unbekannt");
}

TEST_F(Runs, AreOnDiskAsRunningBeforeAClientIsToldSo) {
  const auto first = create_one("Gasse 1");
  create_one("Gasse 2");
  const auto third = create_one("Gasse 3");
  script.disk_silent = true;  // the third's start will hang in the journal
  const auto run_id = run_of(first);
  const auto work = script.computing.extract(run_id).mapped();
  caf::anon_send(slots(), release_atom::value, work.job.run, std::int64_t{1});
  run();
  EXPECT_EQ(told(query(key, third)), "waiting");
}

TEST_F(Runs, AfterAKillAreInterruptedWaitingAgainOrFinishedAsTheyWere) {
  const auto finished = create_one("Gasse 1");
  finish(run_of(finished));
  const auto failed = create_one("Gasse 2");
  fail(run_of(failed), Code::kein_dach, "Kein Dach.");
  const auto running = create_one("Gasse 3");
  const auto also_running = create_one("Gasse 4");
  std::vector<std::uint64_t> waiting;
  for (int i = 5; i <= 8; ++i) waiting.push_back(create_one("Gasse " + std::to_string(i)));
  script.started.clear();
  restart();
  EXPECT_EQ(told(query(key, finished)), "finished");
  EXPECT_EQ(told(query(key, failed)), "kein_dach");
  EXPECT_EQ(told(query(key, running)), "analyse_abgebrochen");
  EXPECT_EQ(told(query(key, also_running)), "analyse_abgebrochen");
  EXPECT_NE(run_of(waiting[0]), 0U);
  EXPECT_NE(run_of(waiting[1]), 0U);
  while (computing() > 0) finish(script.computing.begin()->first);
  EXPECT_EQ(script.started.size(), 4U);
  EXPECT_TRUE(std::is_sorted(script.started.begin(), script.started.end()));  // the old order
  for (const auto project : waiting) EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_EQ(rows(Table::line), 0U);
}

TEST_F(Runs, AfterAKillStandInTheOldOrderAcrossShards) {
  std::vector<std::string> keys = {key};
  for (int i = 0; i < 7; ++i) keys.push_back(account());
  for (const auto& one : keys) create(one, "Gasse 1");
  restart();
  script.started.clear();
  restart();  // the two that computed are interrupted again
  while (computing() > 0) finish(script.computing.begin()->first);
  EXPECT_TRUE(std::is_sorted(script.started.begin(), script.started.end()));
  EXPECT_EQ(script.started.size(), 4U);
}

TEST_F(Runs, AreRecoveredOnceHoweverOftenTheProgramIsKilled) {
  const auto project = create_one();
  for (int i = 0; i < 3; ++i) restart();
  EXPECT_EQ(told(query(key, project)), "analyse_abgebrochen");
  EXPECT_EQ(computing(), 0U);
  EXPECT_EQ(rows(Table::line), 0U);
}

TEST_F(Runs, WhoseRecordIsDamagedAreAnInternalFaultAndHoldUpNobody) {
  const auto project = create_one("Gasse 1");
  const auto other = create_one("Gasse 2");
  ASSERT_TRUE(store->commit({{Table::runs, persistence::project_key(1, project), "\xff"}}));
  restart();
  EXPECT_EQ(told(query(key, project)), "interner_fehler");
  EXPECT_EQ(told(post(key, project)), "interner_fehler");
  EXPECT_EQ(told(query(key, other)), "analyse_abgebrochen");
}

// ---- listing ------------------------------------------------------------------------------------------

struct Listing : Runs {
  /// The ids on a page, and -1 at its end when more follow.
  std::vector<std::int64_t> page(const std::string& whose, int limit, std::uint64_t before = 0) {
    const auto answer = ask(whose, ListProjects{limit, before});
    std::vector<std::int64_t> ids;
    if (told(answer) != "page") return {-999};
    for (const auto& line : test::outcome<ProjectPage>(answer).projects)
      ids.push_back(static_cast<std::int64_t>(line.project));
    if (test::outcome<ProjectPage>(answer).more) ids.push_back(-1);
    return ids;
  }
};

TEST_F(Listing, GoesFromTheNewestToTheOldestPageByPage) {
  std::vector<std::int64_t> p;
  for (int i = 1; i <= 5; ++i)
    p.push_back(static_cast<std::int64_t>(create_one("Gasse " + std::to_string(i))));
  EXPECT_EQ(page(key, 2), (std::vector{p[4], p[3], std::int64_t{-1}}));
  EXPECT_EQ(page(key, 2, static_cast<std::uint64_t>(p[3])), (std::vector{p[2], p[1], std::int64_t{-1}}));
  EXPECT_EQ(page(key, 2, static_cast<std::uint64_t>(p[1])), (std::vector{p[0]}));
  EXPECT_EQ(page(key, 2, static_cast<std::uint64_t>(p[0])), std::vector<std::int64_t>{});
  EXPECT_EQ(page(key, 5), (std::vector{p[4], p[3], p[2], p[1], p[0]}));  // a full page with nothing after it
  EXPECT_EQ(page(key, 200, ~std::uint64_t{0}).size(), 5U);
  EXPECT_EQ(page(key, 200, 1), std::vector<std::int64_t>{});
}

TEST_F(Listing, ShowsNobodyElsesProjects) {
  const std::string other = account();
  create_one("Gasse 1");
  const auto theirs = test::created_project(create(other, "Gasse 1"));
  create_one("Gasse 2");
  EXPECT_EQ(page(other, 100), std::vector{static_cast<std::int64_t>(theirs)});
  EXPECT_EQ(page(account(), 100), std::vector<std::int64_t>{});
}

TEST_F(Listing, TellsTheHouse) {
  create_one("Gasse 7");
  const auto answer = ask(key, ListProjects{});
  ASSERT_EQ(told(answer), "page");
  const auto& line = test::outcome<ProjectPage>(answer).projects.at(0);
  EXPECT_EQ(line.name, "Haus");
  EXPECT_EQ(line.street, "Gasse 7");
  EXPECT_EQ(line.postcode, "1010");
  EXPECT_EQ(line.town, "Wien");
  EXPECT_EQ(line.lon_deg, 16.25);
  EXPECT_EQ(line.lat_deg, 48.5);
}

// ---- letting in ---------------------------------------------------------------------------------------

struct LettingIn : Runs {};

TEST_F(LettingIn, AnswersAMalformedRequestWithItsOwnRefusalAndCountsIt) {
  const auto answer = ask(key, Refusal{.code = Code::verbrauch_fehlt, .text = "t"}, LimitClass::create);
  ASSERT_EQ(told(answer), "verbrauch_fehlt");
  EXPECT_EQ(test::outcome<Refusal>(answer).text, "t");
  EXPECT_EQ((*answer)->ticket.remaining, 19U);
}

TEST_F(LettingIn, ChecksTheKeyBeforeTheForm) {
  EXPECT_EQ(told(ask("", Refusal{.code = Code::verbrauch_fehlt})), "schluessel_fehlt");
  EXPECT_EQ(told(ask("dach_x", Refusal{.code = Code::verbrauch_fehlt})), "schluessel_ungueltig");
}

TEST_F(LettingIn, ChecksTheLimitBeforeTheForm) {
  for (int i = 0; i < 20; ++i) ask(key, Refusal{.code = Code::verbrauch_fehlt}, LimitClass::create);
  const auto over = ask(key, Refusal{.code = Code::verbrauch_fehlt}, LimitClass::create);
  ASSERT_EQ(told(over), "ratengrenze");
  EXPECT_EQ(test::outcome<Refusal>(over).retry_after_s, 3600);
  EXPECT_EQ(told(query(key, 1)), "projekt_unbekannt");  // another class of limit
}

}  // namespace
