// A finished result lives for exactly a day; damaged ones are kept and never overwritten.
#include "persistence/keys.hpp"
#include "tests/actors/fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::told;

struct Results : test::ActorsTest {
  std::string key;
  std::uint64_t project = 0;

  void finish_one() {
    key = account();
    project = test::created_project(create(key, "Gasse 1"));
    finish(run_of(project));
    ASSERT_EQ(told(query(key, project)), "finished");
  }
  /// Every result in the store, with its middle byte changed.
  void damage_results() {
    persistence::Writes writes;
    ASSERT_TRUE(store->scan(Table::results, {}, persistence::Store::Order::ascending, {},
                            [&](std::string_view where, std::string_view bytes) {
                              std::string damaged(bytes);
                              damaged[damaged.size() / 2] ^= 1;
                              writes.push_back({Table::results, std::string(where), damaged});
                              return true;
                            }));
    ASSERT_FALSE(writes.empty());
    ASSERT_TRUE(store->commit(writes));
  }
};

TEST_F(Results, AreWhatTheRendererMadeOfThem) {
  finish_one();
  EXPECT_EQ(*test::outcome<Finished>(query(key, project)).body.text, "Haus: 2");
}

TEST_F(Results, AreRenderedOnceAndAgainAfterARestart) {
  finish_one();
  for (int i = 0; i < 5; ++i) query(key, project);
  EXPECT_EQ(rendered.size(), 1U);
  restart();
  EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_EQ(rendered.size(), 2U);
}

TEST_F(Results, ExpireAfterADay) {
  finish_one();
  now_ms += kDay_ms - 1;  // the actors' own timers do not matter here
  EXPECT_EQ(told(query(key, project)), "finished");
  now_ms += 1;
  const auto expired = query(key, project);
  ASSERT_EQ(told(expired), "analyse_fehlt");
  EXPECT_EQ(test::outcome<Refusal>(expired).project, project);
  EXPECT_EQ(told(single_call(key, "Gasse 1")), "analyse_fehlt");  // never starts a second run
  EXPECT_EQ(computing(), 0U);
}

TEST_F(Results, ExpireAlsoWhenTheyWereNeverAskedFor) {
  key = account();
  project = test::created_project(create(key, "Gasse 1"));
  finish(run_of(project));
  now_ms += kDay_ms;
  EXPECT_EQ(told(query(key, project)), "analyse_fehlt");
}

TEST_F(Results, AreRemovedFromTheStoreWithinAMinuteOfTheirExpiry) {
  finish_one();
  advance(kDay_ms - 60'000);
  EXPECT_EQ(rows(Table::results), 1U);
  EXPECT_EQ(told(query(key, project)), "finished");
  advance(120'000);
  EXPECT_EQ(rows(Table::results), 0U);
  EXPECT_EQ(rows(Table::expiry), 0U);
  EXPECT_EQ(told(query(key, project)), "analyse_fehlt");
}

TEST_F(Results, OutliveAClockThatStepsYearsAheadAndBack) {
  finish_one();
  now_ms += 3650 * kDay_ms;  // the clock that timers use does not step
  for (int i = 0; i < 10; ++i) advance(60'000);
  EXPECT_EQ(rows(Table::results), 1U);
  now_ms -= 3650 * kDay_ms;
  advance(60'000);
  EXPECT_EQ(told(query(key, project)), "finished");
}

TEST_F(Results, AreRemovedOnceAStepOfTheClockHasStoodForADay) {
  finish_one();
  now_ms += 3650 * kDay_ms;
  advance(60'000);  // the step is noticed
  const auto during = test::created_project(create(key, "Gasse 2"));
  finish(run_of(during));
  advance(kDay_ms - 120'000);
  EXPECT_EQ(rows(Table::results), 2U);
  advance(180'000);
  EXPECT_EQ(rows(Table::results), 0U) << "a day has passed, whatever time it is";
}

TEST_F(Results, AreSweptAFewAtATimeSoThatNobodyWaitsForAllOfThem) {
  options.project_shards = 1;
  finish_one();
  const auto bytes = **store->get(Table::results, persistence::project_key(1, project));
  const auto run = *persistence::decode_run(**store->get(Table::runs, persistence::project_key(1, project)));
  auto record =
      *persistence::decode_project(**store->get(Table::projects, persistence::project_key(1, project)));
  constexpr std::uint64_t kMany = 100;
  persistence::Writes writes;
  for (std::uint64_t id = 1000; id < 1000 + kMany; ++id) {
    auto other = run;
    other.project = record.id = id;
    const std::string where = persistence::project_key(1, id);
    writes.push_back({Table::projects, where, encode(record)});
    writes.push_back({Table::runs, where, encode(other)});
    writes.push_back({Table::results, where, bytes});
    writes.push_back({Table::expiry, persistence::expiry_key(run.ended_ms, 1, id), {}});
  }
  ASSERT_TRUE(store->commit(writes));
  now_ms += kDay_ms + 60'000;
  scheduler().advance_time(std::chrono::milliseconds(kDay_ms + 60'000));
  std::size_t most_at_once = 0;
  for (std::size_t before = rows(Table::results), now = before; scheduler().try_run_once(); before = now) {
    now = rows(Table::results);
    most_at_once = std::max(most_at_once, before - now);
  }
  EXPECT_EQ(rows(Table::results), 0U);
  EXPECT_EQ(rows(Table::expiry), 0U);
  EXPECT_LE(most_at_once, 16U);
  EXPECT_GT(most_at_once, 0U);
}

TEST_F(Results, AreSweptInEveryShardAndMinuteAfterMinute) {
  std::vector<std::string> keys;
  for (int i = 0; i < 6; ++i) {
    keys.push_back(account());
    const auto one = test::created_project(create(keys.back(), "Gasse 1"));
    finish(run_of(one));
    advance(600'000);
  }
  for (int i = 0; i < 24 * 60 + 10; ++i) advance(60'000);
  EXPECT_EQ(rows(Table::results), 0U);
  EXPECT_EQ(rows(Table::expiry), 0U);
}

TEST_F(Results, SweptAfterARestartGoNoEarlierAndNoLater) {
  finish_one();
  advance(kDay_ms / 2);
  restart();
  advance(kDay_ms / 2 - 60'000);
  EXPECT_EQ(rows(Table::results), 1U);
  advance(120'000);
  EXPECT_EQ(rows(Table::results), 0U);
}

TEST_F(Results, OfARestartedRunAreNotSweptWithTheOldOnesExpiry) {
  finish_one();
  advance(kDay_ms / 2);
  ASSERT_EQ(told(post(key, project)), "waiting");
  finish(run_of(project));
  advance(kDay_ms / 2 + 60'000);
  EXPECT_EQ(rows(Table::results), 1U);
  EXPECT_EQ(told(query(key, project)), "finished");
}

TEST_F(Results, AreSweptAgainWhenTheDiskHasRefusedIt) {
  finish_one();
  script.disk_refuses = true;
  advance(kDay_ms + 60'000);
  EXPECT_EQ(rows(Table::results), 1U);
  script.disk_refuses = false;
  advance(60'000);
  EXPECT_EQ(rows(Table::results), 0U);
}

TEST_F(Results, DamagedAreToldAsUnreadable) {
  finish_one();
  damage_results();
  restart();
  const auto answer = query(key, project);
  ASSERT_EQ(told(answer), "analyse_unlesbar");
  EXPECT_EQ(test::outcome<Refusal>(answer).project, project);
  EXPECT_EQ(told(single_call(key, "Gasse 1")), "analyse_unlesbar");
}

TEST_F(Results, DamagedAreNotOverwrittenByANewRun) {
  finish_one();
  damage_results();
  EXPECT_EQ(told(post(key, project)), "analyse_unlesbar");
  EXPECT_EQ(computing(), 0U);
  EXPECT_EQ(rows(Table::results), 1U);
}

TEST_F(Results, DamagedAreMovedAsideByteForByteAndAreThenMissing) {
  finish_one();
  damage_results();
  restart();
  std::string damaged;
  ASSERT_TRUE(store->scan(Table::results, {}, persistence::Store::Order::ascending, {},
                          [&](std::string_view, std::string_view bytes) { return damaged = bytes, true; }));
  EXPECT_EQ(quarantine(1, project), "project 1: " + std::to_string(damaged.size()) + " bytes moved aside");
  EXPECT_EQ(rows(Table::results), 0U);
  EXPECT_EQ(*store->get(Table::aside, persistence::aside_key(1, project, now_ms)), damaged);
  EXPECT_EQ(told(query(key, project)), "analyse_fehlt");
  EXPECT_FALSE(test::outcome<ProjectPage>(ask(key, ListProjects{.details = true})).projects.at(0).has_result);
  EXPECT_EQ(told(post(key, project)), "waiting");
  finish(run_of(project));
  EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_EQ(rows(Table::aside), 1U);
  advance(3 * kDay_ms);
  EXPECT_EQ(rows(Table::aside), 1U) << "kept until the operator takes it away";
}

TEST_F(Results, MovedAsideAreDiscardedByAnOrderOfTheirOwnAndNoOthersAre) {
  finish_one();
  damage_results();
  quarantine(1, project);
  ASSERT_TRUE(store->commit({{Table::aside, persistence::aside_key(1, project + 1, now_ms), "another's"}}));
  const std::string name = "project " + std::to_string(project);
  script.disk_refuses = true;
  EXPECT_EQ(discard(1, project), "refused: " + name + ": the data directory cannot be written");
  EXPECT_EQ(rows(Table::aside), 2U);
  script.disk_refuses = false;
  EXPECT_EQ(discard(1, project), name + ": 1 discarded");
  EXPECT_EQ(rows(Table::aside), 1U);
  EXPECT_EQ(discard(1, project), "refused: " + name + " has nothing aside");
}

TEST_F(Results, OnlyDamagedAreMovedAside) {
  finish_one();
  EXPECT_EQ(quarantine(1, project), "refused: project 1 has a result that can be read; it stays");
  EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_EQ(quarantine(1, 4711), "refused: project 4711 does not exist");
  advance(2 * kDay_ms);
  EXPECT_EQ(quarantine(1, project), "refused: project 1 has no stored result");
  EXPECT_EQ(rows(Table::aside), 0U);
}

TEST_F(Results, DamagedStayWhereTheyAreWhenTheDiskRefusesToMoveThem) {
  finish_one();
  damage_results();
  script.disk_refuses = true;
  EXPECT_EQ(quarantine(1, project), "refused: project 1: the data directory cannot be written");
  script.disk_refuses = false;
  EXPECT_EQ(rows(Table::results), 1U);
  EXPECT_EQ(told(post(key, project)), "analyse_unlesbar");
}

TEST_F(Results, DamagedDoNotExpire) {
  finish_one();
  damage_results();
  advance(3 * kDay_ms);
  EXPECT_EQ(rows(Table::results), 1U);
  EXPECT_EQ(told(query(key, project)), "analyse_unlesbar");
  EXPECT_EQ(told(post(key, project)), "analyse_unlesbar");
  restart();
  advance(kDay_ms);
  EXPECT_EQ(told(query(key, project)), "analyse_unlesbar");
  EXPECT_EQ(rows(Table::results), 1U);
}

TEST_F(Results, DamagedTakeNoOtherProjectWithThem) {
  finish_one();
  damage_results();
  const auto other = test::created_project(create(key, "Gasse 2"));
  finish(run_of(other));
  restart();
  EXPECT_EQ(told(query(key, project)), "analyse_unlesbar");
  EXPECT_EQ(told(query(key, other)), "finished");
}

TEST_F(Results, ThatTheRendererCannotTakeAreAnInternalFaultAndNoMore) {
  finish_one();
  renderer_throws = true;
  const auto other = test::created_project(create(key, "Gasse 2"));
  finish(run_of(other));
  EXPECT_EQ(told(query(key, other)), "interner_fehler");
  renderer_throws = false;
  EXPECT_EQ(told(query(key, other)), "finished");  // the shard is alive
}

TEST_F(Results, ThatCouldNotBeStoredAreAnInternalFaultAndMayBeComputedAgain) {
  key = account();
  project = test::created_project(create(key, "Gasse 1"));
  script.disk_refuses = true;
  finish(run_of(project));
  EXPECT_EQ(told(query(key, project)), "interner_fehler");
  script.disk_refuses = false;
  EXPECT_EQ(rows(Table::results), 0U);
  ASSERT_EQ(told(post(key, project)), "waiting");
  finish(run_of(project));
  EXPECT_EQ(told(query(key, project)), "finished");
}

TEST_F(Results, ThatCouldNotBeStoredAreNoRunningAnalysisOnceMemoryHasForgottenThem) {
  options.projects_cached = 1;
  key = account();
  project = test::created_project(create(key, "Gasse 1"));
  script.disk_refuses = true;
  finish(run_of(project));
  script.disk_refuses = false;
  const auto other = test::created_project(create(key, "Gasse 2"));
  finish(run_of(other));
  query(key, other);
  EXPECT_EQ(told(query(key, project)),
            "interner_fehler");  // on disk it still says running, and nobody computes it
  EXPECT_EQ(told(post(key, project)), "waiting");
}

}  // namespace
