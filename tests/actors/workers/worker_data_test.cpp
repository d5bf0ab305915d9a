// A worker computes with its home's data or not at all.
#include "tests/actors/workers/workers_world.hpp"

#include "actors/workers/worker_facts.hpp"

namespace {

using namespace workers_under_trial;
struct WorkerData : WorkersTest {};

TEST_F(WorkerData, WhoeverComputesOtherwiseIsRefusedWithASentence) {
  const auto refusal = [&](const WorkerFacts& worker) {
    return ask<WorkerWelcome>(worker, Worker()).refusal;
  };
  WorkerFacts other = facts();
  other.build = "build 2";
  EXPECT_NE(refusal(other).find("another build of roofd (build 1, this one is build 2)"), std::string::npos);
  other = facts();
  other.catalogue = "catalogue 2";
  EXPECT_NE(refusal(other).find("data sets are not these"), std::string::npos);
  other = facts();
  other.options = "geocoder=register, module.power=450";
  EXPECT_EQ(refusal(other), "the home computes with module.power=440, this worker with module.power=450");
  other = facts();
  other.arithmetic = "other";
  EXPECT_NE(refusal(other).find("last digits"), std::string::npos);
  EXPECT_EQ(figure("roof_workers_refused_total{why=\"catalogue\"}"), 1);
  EXPECT_EQ(figure("roof_workers"), 0);
}

TEST_F(WorkerData, ARefusedWorkerAsksAgainUntilItsDataAreTheHomes) {
  catalogue_of_worker = "catalogue 2";
  spawn_worker(away);
  advance(std::chrono::seconds(25));
  EXPECT_EQ(searched, 3) << "not so often that logs fill";
  EXPECT_EQ(figure("roof_workers"), 0);
  catalogue_of_worker = "catalogue 1";
  advance(std::chrono::seconds(10));
  EXPECT_EQ(figure("roof_workers"), 1);
}

TEST_F(WorkerData, WhenTheHomeReadsItsCatalogueAnewOldWorkersFinishAndGetNothingMore) {
  spawn_worker(away);
  begin(1);
  facts_of_home.catalogue = "catalogue 2";
  advance(std::chrono::seconds(2));
  begin(2);
  EXPECT_TRUE(home.computing.contains(2));
  away.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
  advance(std::chrono::seconds(2));
  EXPECT_EQ(figure("roof_workers"), 0);
  catalogue_of_worker = "catalogue 2";
  advance(std::chrono::seconds(12));
  EXPECT_EQ(figure("roof_workers"), 1);
}

TEST_F(WorkerData, AWorkerWithUnreadableDataReadsThemAgainEveryTenSeconds) {
  data_unreadable = true;
  spawn_worker(away);
  advance(std::chrono::seconds(25));
  EXPECT_EQ(unreadable, 3) << "reading them may take as long itself";
  data_unreadable = false;
  advance(std::chrono::seconds(10));
  EXPECT_EQ(figure("roof_workers"), 1);
}

TEST_F(WorkerData, NoRunBeginsWithOldDataOnceTheHomeHasReadItsCatalogueAnew) {
  const auto leaving = spawn_worker(away, "first");
  begin(1);
  ASSERT_TRUE(away.computing.contains(1));
  spawn_worker(away_too, "second");
  facts_of_home.catalogue = "catalogue 2";
  begin(2);
  EXPECT_TRUE(home.computing.contains(2)) << "no beat has come since";
  caf::anon_send(leaving, cancel_atom::value);
  run();
  away.stop(1);
  run();
  EXPECT_TRUE(home.computing.contains(1)) << "nor does one that is given back";
  EXPECT_TRUE(away_too.computing.empty());
}

TEST_F(WorkerData, AWorkerWhoseFilesHaveChangedGivesItsRunsBackAndIsComparedAnew) {
  spawn_worker(away);
  begin(1);
  data_as_read = false;
  catalogue_of_worker = "catalogue 2";
  away.finish(1, "of other data");
  run();
  EXPECT_TRUE(heard.empty());
  ASSERT_TRUE(home.computing.contains(1)) << "it is computed again, at once";
  home.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
  begin(2);
  EXPECT_TRUE(home.computing.contains(2)) << "nothing more for the one that leaves";
  advance(std::chrono::seconds(2));
  EXPECT_EQ(figure("roof_workers"), 0);
  EXPECT_EQ(figure("roof_workers_refused_total{why=\"catalogue\"}"), 1);
  EXPECT_EQ(figure("roof_workers_lost_total"), 0) << "it has left, it is not lost";
  data_as_read = true;
  catalogue_of_worker = "catalogue 1";
  advance(std::chrono::seconds(12));
  EXPECT_EQ(figure("roof_workers"), 1);
}

TEST_F(WorkerData, AWorkerWhoseFilesHaveChangedBeginsNoRun) {
  spawn_worker(away);
  data_as_read = false;
  begin(1);
  EXPECT_TRUE(away.computing.empty());
  ASSERT_TRUE(home.computing.contains(1));
  home.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
}

TEST_F(WorkerData, ARunWhoseDataAWorkerCannotReadIsComputedElsewhereOnce) {
  spawn_worker(away);
  begin(1);
  ASSERT_TRUE(away.computing.contains(1));
  away.fail(1, Code::dienst_nicht_erreichbar);
  run();
  EXPECT_TRUE(heard.empty());
  EXPECT_TRUE(away.computing.empty()) << "although it has more threads that are idle";
  ASSERT_TRUE(home.computing.contains(1));
  home.fail(1, Code::dienst_nicht_erreichbar);
  run();
  EXPECT_EQ(heard, (Heard{"dienst_nicht_erreichbar", "ended"}));
  EXPECT_EQ(ask<std::uint64_t>(drain_atom::value), 0U);
}

TEST_F(WorkerData, ARunThatTwoWorkersCannotReadTheDataOfFails) {
  spawn_worker(away, "first");
  begin(1);
  spawn_worker(away_too, "second");
  away.fail(1, Code::dienst_nicht_erreichbar);
  run();
  ASSERT_TRUE(away_too.computing.contains(1)) << "of equally idle ones a worker comes before the home";
  away_too.fail(1, Code::dienst_nicht_erreichbar);
  run();
  EXPECT_EQ(heard, (Heard{"dienst_nicht_erreichbar", "ended"}));
}

TEST_F(WorkerData, ARunThatIsCancelledWhileItGoesElsewhereEnds) {
  spawn_worker(away);
  begin(1);
  caf::anon_send(pool_, cancel_atom::value, RunRef{1});
  run();
  away.fail(1, Code::dienst_nicht_erreichbar);
  run();
  EXPECT_EQ(heard, (Heard{"dienst_nicht_erreichbar", "ended"}));
  EXPECT_TRUE(home.computing.empty());
}

TEST(WorkerFacts, OfThisProgramAreThere) {
  EXPECT_GT(build_of_this_program().find("GDAL"), 8U) << build_of_this_program();
  EXPECT_NE(build_of_this_program().substr(0, 7), "unknown");
  EXPECT_EQ(arithmetic_of_this_processor(), arithmetic_of_this_processor());
  EXPECT_EQ(protocol_digest().size(), 32U);
  EXPECT_EQ(mismatch(facts("a", 1), facts("b", 2)), std::nullopt) << "name and threads may differ";
}

}  // namespace
