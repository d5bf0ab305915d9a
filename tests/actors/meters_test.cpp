// What the actors measure: that each figure moves when its thing happens, and by as much.
#include <gmock/gmock.h>
#include <prometheus/text_serializer.h>

#include "actors/runs/analyst.hpp"
#include "actors/runs/analysts.hpp"
#include "tests/actors/fixture.hpp"
#include "tests/sample_analysis.hpp"

namespace {

/// The value of a series as the text format spells it; -1 when it is not there.
double value_of(actors::Meters& meters, const std::string& series) {
  const std::string text = "\n" + prometheus::TextSerializer().Serialize(meters.registry().Collect());
  const auto at = text.find("\n" + series + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + series.size() + 2));
}

class Meters : public test::ActorsTest {
 protected:
  double value(const std::string& series) { return value_of(*meters, series); }
};

TEST_F(Meters, MailboxesAreEmptyWhenNothingIsLeftToDo) {
  script.addresses["Hauptstraße 1, Wien"] = test::house("Hauptstraße", "1");
  const std::string key = account();
  create(key, "Hauptstraße 1, Wien");
  for (const char* kind : {"accounts", "projects", "slot-scheduler"}) {
    EXPECT_EQ(value("roof_actor_mailbox_messages{kind=\"" + std::string(kind) + "\"}"), 0) << kind;
    EXPECT_GT(value("roof_actor_processing_seconds_count{kind=\"" + std::string(kind) + "\"}"), 0) << kind;
  }
}

TEST_F(Meters, DrawingIsMeasuredWhereItIsDone) {
  script.addresses["Hauptstraße 1"] = test::house("Hauptstraße", "1");
  const std::string key = account();
  const auto project = test::created_project(create(key, "Hauptstraße 1"));
  finish(run_of(project));
  send(key, actors::QueryMedia{.project = project, .kind = actors::MediaKind::overview_image});
  run();
  EXPECT_EQ(value("roof_actor_processing_seconds_count{kind=\"renderer\"}"), 1);
  EXPECT_GT(value("roof_actor_processing_seconds_count{kind=\"renderers\"}"), 0);
}

TEST_F(Meters, AMessageThatWaitsIsCounted) {
  const std::string key = account();
  send(key, actors::QueryAnalysis{1});
  send(key, actors::QueryAnalysis{1});
  // Each question comes from an actor of the test. After that actor's turn it waits in the mailbox of the
  // accounts.
  scheduler().run_once();
  scheduler().run_once();
  EXPECT_EQ(value("roof_actor_mailbox_messages{kind=\"accounts\"}"), 2);
  run();
  EXPECT_EQ(value("roof_actor_mailbox_messages{kind=\"accounts\"}"), 0);
}

TEST_F(Meters, TheLineAndTheSlotsAreShownAsTheyStand) {
  options.slots = 1;
  const std::string key = account();
  for (const char* number : {"1", "2", "3"})
    script.addresses[std::string("Hauptstraße ") + number] = test::house("Hauptstraße", number);
  const auto first = test::created_project(create(key, "Hauptstraße 1"));
  create(key, "Hauptstraße 2");
  create(key, "Hauptstraße 3");
  EXPECT_EQ(value("roof_slots"), 1);
  EXPECT_EQ(value("roof_slots_taken"), 1);
  EXPECT_EQ(value("roof_line_runs"), 2);
  advance(5000);
  finish(run_of(first));
  EXPECT_EQ(value("roof_line_runs"), 1);
  EXPECT_EQ(value("roof_line_waiting_seconds_count"), 2);
  EXPECT_EQ(value("roof_line_waiting_seconds_sum"), 5) << "the first had not to wait, the second 5 s";
  EXPECT_EQ(value("roof_runs_total{outcome=\"fertig\"}"), 1);
}

TEST_F(Meters, AFailedRunIsCountedByItsCode) {
  const std::string key = account();
  script.addresses["Hauptstraße 1"] = test::house("Hauptstraße", "1");
  fail(run_of(test::created_project(create(key, "Hauptstraße 1"))), actors::Code::kein_dach);
  EXPECT_EQ(value("roof_runs_total{outcome=\"kein_dach\"}"), 1);
}

TEST_F(Meters, ALimitThatRefusesIsCountedUnderItsName) {
  options.limits.status_per_hour = 1;
  const std::string key = account();
  query(key, 1);
  EXPECT_EQ(value("roof_limits_hit_total{limit=\"status\"}"), 0);
  query(key, 1);
  query(key, 1);
  EXPECT_EQ(value("roof_limits_hit_total{limit=\"status\"}"), 2);
  EXPECT_EQ(value("roof_limits_hit_total{limit=\"create\"}"), 0);
}

TEST_F(Meters, AResultThatIsAskedForTwiceIsFoundInTheCacheTheSecondTime) {
  const std::string key = account();
  script.addresses["Hauptstraße 1"] = test::house("Hauptstraße", "1");
  const auto project = test::created_project(create(key, "Hauptstraße 1"));
  finish(run_of(project));
  query(key, project);
  EXPECT_EQ(value("roof_cache_lookups_total{cache=\"results\",found=\"no\"}"), 1);
  query(key, project);
  EXPECT_EQ(value("roof_cache_lookups_total{cache=\"results\",found=\"yes\"}"), 1);
}

TEST_F(Meters, TheJournalTellsHowManyRequestsABatchHolds) {
  start();
  const auto journal = spawn_journal();
  for (int i = 0; i < 3; ++i)
    ask_journal(journal, {{persistence::Table::meta, "k" + std::to_string(i), "v", false}}, [](bool) {});
  run();
  EXPECT_EQ(value("roof_journal_batch_requests_sum"), 3);
  EXPECT_EQ(value("roof_journal_batch_requests_count"), value("roof_journal_sync_seconds_count"));
  EXPECT_EQ(value("roof_journal_refused_total"), 0);
}

// A worker has a thread of its own, so this test runs under CAF's real scheduler and waits for the worker.
TEST(RunMeters, EveryStepOfARunIsMeasuredUnderItsName) {
  const auto meters = actors::private_meters();
  {
    caf::actor_system_config config;
    caf::actor_system system(config);
    const auto compute = [](const actors::AnalysisJob&, const geo::StepListener& on_step,
                            const geo::RunControl&) -> geo::Result<geo::PropertyAnalysis> {
      on_step({"eins", 0, 2});
      on_step({"zwei", 1, 2});
      return geo::PropertyAnalysis{};
    };
    const auto spawn = [&] {
      return system.spawn<actors::AnalystActor, caf::detached>(
          compute, [] {}, meters);
    };
    const auto analysts = system.spawn<actors::AnalystsActor>(actors::AnalystsActor::Spawn(spawn), meters);
    caf::anon_send(analysts, actors::AnalysisJob{}, actors::RunOwner{});
    caf::anon_send_exit(analysts, caf::exit_reason::user_shutdown);
  }  // the actor system's destructor waits for the worker
  EXPECT_EQ(value_of(*meters, "roof_run_stage_seconds_count{stage=\"eins\"}"), 1);
  EXPECT_EQ(value_of(*meters, "roof_run_stage_seconds_count{stage=\"zwei\"}"), 1);
}

}  // namespace
