// What the log says about a failure: the request that began it, its account and the reason; and nothing that
// a client sent.
#include <gmock/gmock.h>

#include "persistence/keys.hpp"
#include "persistence/records.hpp"
#include "tests/actors/fixture.hpp"
#include "tests/actors/recording_log.hpp"
#include "tests/full_disk.hpp"

namespace {

using namespace actors;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct FailureLog : test::ActorsTest {
  std::shared_ptr<test::RecordingLog> log = std::make_shared<test::RecordingLog>();
  bool heard = (meters = std::make_shared<Meters>(log)) != nullptr;  // before the first actor is started
  std::string key = account();

  test::Awaited create_as(const std::string& request_id, const std::string& address) {
    CreateProject order = creation(address);
    order.request_id = request_id;
    return ask(key, order);
  }
  void fail_because(std::uint64_t run_id, Code code, const std::string& reason) {
    const auto& work = script.computing.at(run_id);
    caf::anon_send(work.owner, RunOutcome{.run = work.job.run, .code = code, .reason = reason});
    end_thread(run_id);
  }
  persistence::Run stored_run(std::uint64_t project) const {
    const auto bytes = store->get(persistence::Table::runs, persistence::project_key(1, project));
    return persistence::decode_run(bytes->value()).value();
  }
};

TEST_F(FailureLog, NamesRequestProjectAndReasonOfARunThatFailed) {
  const auto project = test::created_project(create_as("c0ffee", "Gasse 1"));
  step(run_of(project), "Gelände bestimmen", 2, 9);
  fail_because(run_of(project), Code::dienst_nicht_erreichbar, "dsm.tif: cannot be read");
  EXPECT_THAT(log->lines,
              Contains(AllOf(StartsWith("warning msg=\"run failed\" id=c0ffee account=1"),
                             HasSubstr(" project=" + std::to_string(project) + " "),
                             HasSubstr("code=dienst_nicht_erreichbar after=\"Gelände bestimmen\""),
                             HasSubstr("reason=\"dsm.tif: cannot be read\""))));
}

TEST_F(FailureLog, TheReasonAndTheRequestStandInTheRunsRecordAsWell) {
  const auto project = test::created_project(create_as("c0ffee", "Gasse 1"));
  fail_because(run_of(project), Code::analyse_fehlgeschlagen, "a plane without cells");
  EXPECT_EQ(stored_run(project).failure_reason, "a plane without cells");
  EXPECT_EQ(stored_run(project).request_id, "c0ffee");
}

TEST_F(FailureLog, ARestartedRunIsTheRequestsThatRestartedIt) {
  const auto project = test::created_project(create_as("first", "Gasse 1"));
  fail_because(run_of(project), Code::analyse_fehlgeschlagen, "x");
  ask(key, RestartAnalysis{.project = project, .request_id = "second"});
  EXPECT_EQ(stored_run(project).request_id, "second");
  EXPECT_EQ(stored_run(project).failure_reason, "");
}

TEST_F(FailureLog, SaysThatARunTookTooLong) {
  const auto project = test::created_project(create_as("c0ffee", "Gasse 1"));
  advance(std::int64_t{1000} * (options.deadline_s + 1));
  EXPECT_THAT(log->lines, Contains(AllOf(StartsWith("error msg=\"run failed\" id=c0ffee"),
                                         HasSubstr("analysis.deadline"))));
  EXPECT_THAT(stored_run(project).failure_reason, HasSubstr("150 s"));
}

TEST_F(FailureLog, SaysThatAThreadEndedWithoutAWord) {
  const auto project = test::created_project(create_as("c0ffee", "Gasse 1"));
  end_thread(run_of(project));
  EXPECT_THAT(log->lines, Contains(AllOf(StartsWith("error msg=\"run failed\" id=c0ffee"),
                                         HasSubstr("without an outcome"))));
}

TEST_F(FailureLog, SaysThatTheServiceEndedWhileARunComputed) {
  const auto project = test::created_project(create_as("c0ffee", "Gasse 1"));
  restart();
  EXPECT_EQ(stored_run(project).failure_reason, "the service ended while it computed");
}

TEST_F(FailureLog, AHouseWithoutARoofIsInformation) {
  const auto project = test::created_project(create_as("c0ffee", "Gasse 1"));
  fail_because(run_of(project), Code::kein_dach, "An dieser Adresse wurde kein Gebäude gefunden.");
  EXPECT_THAT(log->lines, Contains(StartsWith("info msg=\"run failed\" id=c0ffee")));
}

TEST_F(FailureLog, SaysWhyAGeocoderFailedAndNotForWhichAddress) {
  script.addresses["Gasse 77"] = {.kind = Located::Kind::unreachable, .reason = "it answers 502"};
  EXPECT_EQ(test::told(create_as("c0ffee", "Gasse 77")), "dienst_nicht_erreichbar");
  EXPECT_THAT(
      log->lines,
      Contains(AllOf(StartsWith("warning msg=\"project not created\" id=c0ffee account=1"),
                     HasSubstr("code=dienst_nicht_erreichbar"), HasSubstr("reason=\"it answers 502\""))));
  EXPECT_THAT(log->lines, Not(Contains(HasSubstr("Gasse"))));
}

TEST_F(FailureLog, SaysNothingOfAnAddressThatIsNotFound) {
  EXPECT_EQ(test::told(create_as("c0ffee", "Nirgends 1")), "adresse_nicht_gefunden");
  EXPECT_THAT(log->lines, IsEmpty());
}

TEST_F(FailureLog, SaysWhoseRequestTheDiskRefused) {
  create_as("first", "Gasse 1");
  script.disk_refuses = true;
  EXPECT_EQ(test::told(create_as("c0ffee", "Gasse 2")), "interner_fehler");
  EXPECT_THAT(log->lines, Contains(AllOf(StartsWith("error msg=\"project not created\" id=c0ffee account=1"),
                                         HasSubstr("the disk takes no record"))));
}

TEST_F(FailureLog, SaysWhyABatchWasRefused) {
  start();
  const Journal journal = spawn_journal();
  std::optional<bool> stored;
  {
    const test::FullDisk full;
    ask_journal(journal, {{persistence::Table::meta, "key", std::string(1'000'000, 'x')}},
                [&](bool on_disk) { stored = on_disk; });
    run();
  }
  EXPECT_EQ(stored, false);
  EXPECT_THAT(log->lines, Contains(AllOf(StartsWith("error msg=\"batch refused\" requests=1"),
                                         HasSubstr("reason=\"IO error"))));
  caf::anon_send_exit(journal, caf::exit_reason::kill);
  run();
}

TEST_F(FailureLog, SaysWhyAResultWasNotRendered) {
  const auto project = test::created_project(create_as("c0ffee", "Gasse 1"));
  finish(run_of(project));
  renderer_throws = true;
  EXPECT_EQ(test::told(query(key, project)), "interner_fehler");
  EXPECT_THAT(log->lines, Contains(AllOf(StartsWith("error msg=\"result not rendered\" id=c0ffee"),
                                         HasSubstr("cannot be drawn"))));
}

}  // namespace
