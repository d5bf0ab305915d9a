// Waiting and computing: never more than two at once, nobody forgotten, nobody in the way.
#include "tests/actors/fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::told;

struct Slots : test::ActorsTest {
  /// Projects of one account at Gasse 1, 2, ...; their runs stand in line in this order.
  std::vector<std::uint64_t> create_projects(const std::string& key, int count) {
    std::vector<std::uint64_t> projects;
    for (int i = 1; i <= count; ++i)
      projects.push_back(test::created_project(create(key, "Gasse " + std::to_string(i))));
    return projects;
  }
};

TEST_F(Slots, NeverHoldMoreThanTwoAndServeAllTen) {
  const std::string key = account();
  const auto projects = create_projects(key, 10);
  EXPECT_EQ(computing(), 2U);
  while (computing() > 0) finish(script.computing.begin()->first);
  EXPECT_EQ(script.most_at_once, 2U);
  EXPECT_EQ(script.started.size(), 10U);
  for (const auto project : projects) EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_EQ(rows(Table::line), 0U);
}

TEST_F(Slots, AreSharedByAllUsers) {
  for (int i = 0; i < 9; ++i) create(account(), "Gasse 1");
  EXPECT_EQ(computing(), 2U);
  while (computing() > 0) finish(script.computing.rbegin()->first);
  EXPECT_EQ(script.most_at_once, 2U);
  EXPECT_EQ(script.started.size(), 9U);
}

TEST_F(Slots, NeverHoldMoreThanTwoInAnyOrderOfEvents) {
  std::vector<test::Awaited> answers;
  for (int i = 0; i < 4; ++i) {
    const std::string key = account();
    for (int house = 1; house <= 3; ++house)
      answers.push_back(send_create(key, "Gasse " + std::to_string(house)));
  }
  for (unsigned seed = 0; seed < 12; ++seed) {
    run_shuffled(seed);
    ASSERT_LE(computing(), 2U);
    if (computing() > 0) finish(script.computing.begin()->first);
  }
  while (computing() > 0) finish(script.computing.begin()->first);
  EXPECT_EQ(script.most_at_once, 2U);
  EXPECT_EQ(script.started.size(), 12U);
}

TEST_F(Slots, TellWhoWaitsAndWhoComputes) {
  const std::string key = account();
  const auto projects = create_projects(key, 3);
  EXPECT_EQ(told(query(key, projects[0])), "running");
  EXPECT_EQ(told(query(key, projects[1])), "running");
  const auto third = query(key, projects[2]);
  ASSERT_EQ(told(third), "waiting");
  EXPECT_GT(test::outcome<Running>(third).retry_s, 0);
}

TEST_F(Slots, AreHandedToTheNextAsSoonAsOneIsFree) {
  const std::string key = account();
  const auto projects = create_projects(key, 4);
  finish(run_of(projects[0]));
  EXPECT_NE(run_of(projects[2]), 0U);
  EXPECT_EQ(run_of(projects[3]), 0U);
}

TEST_F(Slots, PassOverARunThatNobodyAsksForWhileAnotherIsAskedFor) {
  const std::string key = account();
  const auto projects = create_projects(key, 4);
  advance(61'000);
  ASSERT_EQ(told(query(key, projects[3])), "waiting");
  finish(run_of(projects[0]));
  EXPECT_EQ(run_of(projects[2]), 0U);
  EXPECT_NE(run_of(projects[3]), 0U);
  finish(run_of(projects[1]));  // nobody else wants it: the forgotten one is served at last
  EXPECT_NE(run_of(projects[2]), 0U);
}

TEST_F(Slots, TakeEveryQueryOfAWaitingRunForAnAttempt) {
  const std::string key = account();
  const auto projects = create_projects(key, 4);
  for (int i = 0; i < 7; ++i) {  // the single call and the restart count as well
    advance(20'000);
    ASSERT_EQ(told(i % 3 == 0   ? query(key, projects[2])
                   : i % 3 == 1 ? single_call(key, "Gasse 3")
                                : post(key, projects[2])),
              "waiting");
  }
  ASSERT_EQ(told(query(key, projects[3])), "waiting");
  finish(script.started[0]);
  EXPECT_NE(run_of(projects[2]), 0U);  // of the two, the one that has waited longer
}

TEST_F(Slots, FallFreeWhenAWorkerDiesAndItsRunHasFailed) {
  const std::string key = account();
  const auto projects = create_projects(key, 3);
  end_thread(run_of(projects[0]));
  EXPECT_EQ(told(query(key, projects[0])), "analyse_fehlgeschlagen");
  EXPECT_NE(run_of(projects[2]), 0U);
}

TEST_F(Slots, OfAnOverdueRunFallFreeOnlyWhenItsThreadHasEnded) {
  const std::string key = account();
  const auto projects = create_projects(key, 3);
  const auto overdue = run_of(projects[0]);
  advance(149'999);
  EXPECT_EQ(told(query(key, projects[0])), "running");
  advance(1);
  EXPECT_EQ(told(query(key, projects[0])), "analyse_fehlgeschlagen");
  EXPECT_NE(std::find(script.cancelled.begin(), script.cancelled.end(), overdue), script.cancelled.end());
  EXPECT_EQ(run_of(projects[2]), 0U);
  fail(overdue, Code::analyse_abgebrochen);
  EXPECT_NE(run_of(projects[2]), 0U);
  EXPECT_EQ(told(query(key, projects[0])), "analyse_fehlgeschlagen");
}

TEST_F(Slots, AreNotGivenToAnOverdueRunsRestartWhileItsThreadLives) {
  options.slots = 1;
  const std::string key = account();
  const auto project = create_projects(key, 1)[0];
  const auto overdue = run_of(project);
  advance(150'000);
  ASSERT_EQ(told(post(key, project)), "waiting");
  EXPECT_EQ(computing(), 1U);
  EXPECT_EQ(told(query(key, project)), "waiting");
  finish(overdue);  // far too late: nobody takes this result any more
  EXPECT_EQ(told(query(key, project)), "running");
  EXPECT_NE(run_of(project), overdue);
  finish(run_of(project));
  EXPECT_EQ(told(query(key, project)), "finished");
  EXPECT_EQ(script.most_at_once, 1U);
}

TEST_F(Slots, OfARunThatFinishedInTimeAreNotTouchedByItsDeadline) {
  const std::string key = account();
  const auto project = create_projects(key, 1)[0];
  advance(60'000);
  finish(run_of(project));
  ASSERT_EQ(told(post(key, project)), "waiting");
  const auto second = run_of(project);
  EXPECT_NE(second, 0U);
  advance(95'000);  // the first run's deadline passes
  EXPECT_TRUE(script.cancelled.empty());
  advance(60'000);  // and the second's
  EXPECT_EQ(script.cancelled, std::vector{second});
}

TEST_F(Slots, FallFreeWhenTheStartCannotBeStored) {
  const std::string key = account();
  const auto projects = create_projects(key, 3);
  script.disk_refuses = true;
  finish(run_of(projects[0]));
  EXPECT_EQ(computing(), 1U);  // the third got the slot, but its start could not be stored
  script.disk_refuses = false;
  const auto fourth = test::created_project(create(key, "Gasse 4"));
  EXPECT_NE(run_of(fourth), 0U);
}

}  // namespace
