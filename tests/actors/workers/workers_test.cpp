// Home and worker as actors, in one thread under CAF's test scheduler: each against a partner that does what
// the test says, and both together. Time is the scheduler's.
#include <gtest/gtest.h>

#include <prometheus/text_serializer.h>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/send.hpp>

#include <deque>
#include "actors/workers/worker.hpp"
#include "actors/workers/worker_facts.hpp"
#include "actors/workers/worker_pool.hpp"
#include "actors/workers/workers_pool.hpp"

#include "tests/actors/recording_log.hpp"

namespace {

using namespace actors;

WorkerFacts facts(const std::string& name = "w", std::uint32_t threads = 4) {
  return {name, threads, "build 1", "ieee", "catalogue 1", "geocoder=register, module.power=440"};
}

/// What a run's project hears, in words.
using Heard = std::vector<std::string>;
RunOwner::behavior_type owner_of_runs(RunOwner::pointer, Heard* heard) {
  return {[heard](const StepDone& step) { heard->push_back("step " + step.step); },
          [heard](const RunOutcome& outcome) {
            heard->push_back(outcome.finished ? "result " + outcome.result : name_of(outcome.code));
            if (!outcome.scene.empty()) heard->push_back("scene " + outcome.scene);
          },
          [heard](ended_atom, const RunRef&, std::int64_t) { heard->push_back("ended"); }};
}

/// Analysts that do nothing by themselves: the test says what becomes of a run.
struct Desk {
  std::map<std::uint64_t, RunOwner> computing;
  std::vector<std::uint64_t> cancelled;
  int cancelled_all = 0;
  void step(std::uint64_t run, const std::string& name) {
    caf::anon_send(computing.at(run), StepDone{{run}, name, 1, 9});
  }
  void finish(std::uint64_t run, const std::string& result = "bytes", const std::string& scene = {}) {
    caf::anon_send(computing.at(run),
                   RunOutcome{.run = {run}, .finished = true, .result = result, .scene = scene});
    end(run);
  }
  void stop(std::uint64_t run) {
    caf::anon_send(computing.at(run), RunOutcome{.run = {run}, .code = Code::analyse_abgebrochen});
    end(run);
  }
  void fail(std::uint64_t run, Code code) {
    caf::anon_send(computing.at(run), RunOutcome{.run = {run}, .code = code});
    end(run);
  }
  void end(std::uint64_t run) {
    caf::anon_send(computing.at(run), ended_atom::value, RunRef{run}, std::int64_t{5});
    computing.erase(run);
  }
};
Analysts::behavior_type analysts_at(Analysts::pointer, Desk* desk) {
  return {[desk](const AnalysisJob& job, const RunOwner& owner) { desk->computing[job.run.run] = owner; },
          [desk](cancel_atom, const RunRef& ref) { desk->cancelled.push_back(ref.run); },
          [desk](cancel_atom) { ++desk->cancelled_all; },
          [desk](drain_atom) { return static_cast<std::uint64_t>(desk->computing.size()); }};
}

/// What a worker says reaches its home as on a wire that carries so many bytes a second, one after the other.
using Wire = WorkersHome::extend<caf::reacts_to<beat_atom>>;  // some time has passed
class SlowWire : public Wire::base {
 public:
  SlowWire(caf::actor_config& config, WorkersPool home, std::int64_t bytes_a_second,
           std::function<std::int64_t()> now_ms)
      : Wire::base(config),
        home_(std::move(home)),
        bytes_a_second_(bytes_a_second),
        now_ms_(std::move(now_ms)) {}
  void on_exit() override {
    under_way_.clear();
    home_ = nullptr;
  }

 private:
  static constexpr std::int64_t kShort = 100;  // bytes of any other message
  behavior_type make_behavior() override {
    return {[this](const WorkerFacts& facts, const Worker& worker) -> caf::result<WorkerWelcome> {
              return delegate(home_, facts, worker);
            },
            [this](known_atom known, std::uint64_t session) -> caf::result<bool> {
              return asked(kShort, known, session);
            },
            [this](std::uint64_t session, const StepDone& step) { said(kShort, session, step); },
            [this](std::uint64_t session, const RunOutcome& how) {
              said(kShort + static_cast<std::int64_t>(how.result.size() + how.scene.size()), session, how);
            },
            [this](std::uint64_t session, const OutcomePiece& piece) -> caf::result<bool> {
              return asked(kShort + static_cast<std::int64_t>(piece.result.size() + piece.scene.size()),
                           session, piece);
            },
            [this](std::uint64_t session, ended_atom ended, const RunRef& ref, std::int64_t ms) {
              said(kShort, session, ended, ref, ms);
            },
            [this](std::uint64_t session, return_atom returned, const RunRef& ref) {
              said(kShort, session, returned, ref);
            },
            [this](std::uint64_t session, leave_atom leave) { said(kShort, session, leave); },
            [this](beat_atom) {
              while (!under_way_.empty() && under_way_.front().first <= now_ms_()) {
                under_way_.front().second();
                under_way_.pop_front();
              }
            }};
  }
  void carry(std::int64_t bytes, std::function<void()> arrive) {
    free_ms_ = std::max(now_ms_(), free_ms_) + bytes * 1000 / bytes_a_second_;
    under_way_.emplace_back(free_ms_, std::move(arrive));
  }
  template <class... Message>
  void said(std::int64_t bytes, const Message&... message) {
    carry(bytes, [this, message...] { send(home_, message...); });
  }
  template <class... Message>
  caf::typed_response_promise<bool> asked(std::int64_t bytes, const Message&... message) {
    auto promise = make_response_promise<bool>();
    carry(bytes, [this, promise, message...] {
      request(home_, caf::infinite, message...).then([promise](bool yes) mutable { promise.deliver(yes); });
    });
    return promise;
  }
  WorkersPool home_;
  std::int64_t bytes_a_second_;
  std::function<std::int64_t()> now_ms_;
  std::int64_t free_ms_ = 0;
  std::deque<std::pair<std::int64_t, std::function<void()>>> under_way_;
};

/// Of which no two parts are the same.
std::string long_text(std::size_t bytes, int first = 0) {
  std::string text;
  for (int i = first; text.size() < bytes; ++i) text += std::to_string(i) + " ";
  text.resize(bytes);
  return text;
}

class WorkersTest : public ::testing::Test {
 protected:
  WorkersTest() {
    owner_ = system_.spawn(owner_of_runs, &heard);
    pool_ = system_.spawn<WorkersPoolActor>(
        system_.spawn(analysts_at, &home), [this] { return facts_of_home; }, [this] { return leads; }, meters,
        std::size_t{2'000'000});
    run();
    advance(kSilence + kStopping);  // it has opened
  }
  ~WorkersTest() override {
    wire_ = nullptr;
    for (const auto& actor : all_) caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(pool_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(owner_, caf::exit_reason::user_shutdown);
    run();
  }
  caf::scheduler::test_coordinator& scheduler() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler());
  }
  void run() {
    while (scheduler().has_job()) scheduler().run();
  }
  /// In small steps, so that what repeats itself does.
  void advance(std::chrono::milliseconds time) {
    for (auto gone = std::chrono::milliseconds(0); gone < time; gone += kStep) {
      scheduler().advance_time(kStep);
      now_ms += kStep.count();
      if (wire_) caf::anon_send(wire_, beat_atom::value);
      run();
    }
  }
  /// A worker whose way to the home is open; `desk` are its analysts.
  WorkerProcess spawn_worker(Desk& desk, const std::string& name = "w") {
    WorkerParts parts{.analysts = system_.spawn(analysts_at, &desk)};
    parts.finder = system_.spawn([this](HomeFinder::pointer) -> HomeFinder::behavior_type {
      return {[this](next_atom) -> caf::result<WorkersHome, std::string> {
        ++searched;
        if (no_way) return {WorkersHome(), std::string("no way")};
        return {wire_ ? WorkersHome(wire_) : WorkersHome(pool_), std::string()};
      }};
    });
    parts.facts = [this, name]() -> std::optional<WorkerFacts> {
      if (data_unreadable) {
        ++unreadable;
        return {};
      }
      WorkerFacts mine = facts(name);
      mine.catalogue = catalogue_of_worker;
      return mine;
    };
    parts.data_as_read = [this] { return data_as_read; };
    parts.lease = lease;
    parts.now_ms = [this] { return now_ms; };
    parts.message_max = message_max;
    auto worker = system_.spawn<WorkerActor>(std::move(parts), worker_meters);
    all_.push_back(caf::actor_cast<caf::actor>(worker));
    run();
    return worker;
  }
  void slow_down_to(std::int64_t bytes_a_second) {
    wire_ = system_.spawn<SlowWire>(pool_, bytes_a_second,
                                    std::function<std::int64_t()>([this] { return now_ms; }));
    all_.push_back(caf::actor_cast<caf::actor>(wire_));
    message_max = 2'000'000;
  }
  void begin(std::uint64_t run_id) {
    caf::anon_send(pool_, AnalysisJob{.run = {run_id}}, owner_);
    run();
  }
  /// A question to the pool as a worker asks it; the test is the worker.
  template <class Reply, class... Message>
  Reply ask(Message... message) {
    Reply got{};
    system_.spawn([&got, this, message...](caf::event_based_actor* self) {
      self->request(pool_, caf::infinite, message...).then([&got](const Reply& reply) { got = reply; });
    });
    run();
    return got;
  }
  double figure(const std::string& series) {
    const std::string text = "\n" + prometheus::TextSerializer().Serialize(meters->registry().Collect());
    const auto at = text.find("\n" + series + " ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + series.size() + 2));
  }

  static constexpr std::chrono::milliseconds kStep{50};
  std::int64_t now_ms = 1'000'000;
  WorkerFacts facts_of_home = facts("home", 1);
  std::string catalogue_of_worker = "catalogue 1";
  bool no_way = false, leads = true, data_as_read = true;
  std::size_t message_max = 1000;
  bool data_unreadable = false;
  int searched = 0, unreadable = 0;  ///< homes looked for; data found unreadable
  Heard heard;
  Desk home, away, away_too;
  LeasePtr lease = std::make_shared<Lease>();
  std::shared_ptr<test::RecordingLog> log = std::make_shared<test::RecordingLog>();
  MetersPtr meters = std::make_shared<Meters>(log), worker_meters = private_meters();

  struct Config : caf::actor_system_config {
    Config() {
      set("scheduler.policy", caf::atom("testing"));
      add_message_types<caf::id_block::roof>();
    }
  } config_;
  caf::actor_system system_{config_};
  RunOwner owner_;
  WorkersPool pool_;
  Wire wire_;  // between workers and the home; none: it takes no time
  std::vector<caf::actor> all_;
};

TEST_F(WorkersTest, AWorkersRunReachesItsProjectAsTheHomesOwnDoes) {
  spawn_worker(away);
  begin(1);
  ASSERT_TRUE(away.computing.contains(1));
  away.step(1, "Höhendaten");
  away.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"step Höhendaten", "result bytes", "ended"}));
  EXPECT_EQ(ask<std::uint64_t>(drain_atom::value), 0U);
  EXPECT_EQ(figure("roof_worker_runs_total{worker=\"w\"}"), 1);
  EXPECT_EQ(figure("roof_workers"), 1);
  EXPECT_EQ(figure("roof_worker_threads"), 4);
}

TEST_F(WorkersTest, WithoutWorkersTheHomeComputes) {
  begin(1);
  home.step(1, "Höhendaten");
  home.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"step Höhendaten", "result bytes", "ended"}));
  EXPECT_EQ(figure("roof_worker_runs_total{worker=\"home\"}"), 1);
}

TEST_F(WorkersTest, StepsAreSentAtMostEveryTenthOfASecondAndTheLatestArrives) {
  spawn_worker(away);
  begin(1);
  for (int i = 0; i < 50; ++i) away.step(1, std::to_string(i));
  run();
  EXPECT_EQ(heard, Heard{"step 0"});
  advance(std::chrono::milliseconds(100));
  EXPECT_EQ(heard, (Heard{"step 0", "step 49"}));
  away.step(1, "50");
  away.finish(1);
  run();
  EXPECT_EQ(heard.back(), "ended") << "no step after the end";
}

TEST_F(WorkersTest, AResultThatIsTooLargeForOneMessageFailsTheRunWithASentence) {
  spawn_worker(away);
  begin(1);
  away.finish(1, std::string(1001, 'x'));
  run();
  EXPECT_EQ(heard, (Heard{"analyse_fehlgeschlagen", "ended"}));
}

TEST_F(WorkersTest, AResultThatNeedsLongerOnTheWireThanTheLeaseArrives) {
  slow_down_to(100'000);
  spawn_worker(away);
  begin(1);
  const std::string result = long_text(900'000), scene = long_text(100'000, 7);
  away.finish(1, result, scene);
  advance(std::chrono::seconds(9));
  EXPECT_TRUE(heard.empty());
  advance(std::chrono::seconds(4));
  ASSERT_EQ(heard.size(), 3U);
  EXPECT_TRUE(heard[0] == "result " + result) << "all of it, in its order";
  EXPECT_TRUE(heard[1] == "scene " + scene);
  EXPECT_EQ(heard[2], "ended");
  EXPECT_EQ(figure("roof_workers_lost_total"), 0);
  EXPECT_EQ(figure("roof_runs_moved_total"), 0);
}

TEST_F(WorkersTest, SeveralSuchResultsGoOneAfterTheOther) {
  slow_down_to(100'000);
  spawn_worker(away);
  for (const std::uint64_t run_id : {1, 2, 3}) begin(run_id);
  ASSERT_EQ(away.computing.size(), 3U);
  const std::string result = long_text(400'000);
  for (const std::uint64_t run_id : {1, 2, 3}) away.finish(run_id, result);
  advance(std::chrono::seconds(16));
  ASSERT_EQ(heard.size(), 6U);
  for (const std::size_t i : {0, 2, 4}) EXPECT_TRUE(heard[i] == "result " + result) << i;
  EXPECT_EQ(figure("roof_workers_lost_total"), 0);
}

TEST_F(WorkersTest, PiecesOfAWorkerThatIsLostAreNoPartOfTheNextOnesResult) {
  const auto hand = system_.spawn([](Worker::pointer) -> Worker::behavior_type {
    return {[](std::uint64_t, const AnalysisJob&) {}, [](cancel_atom, const RunRef&) {}};
  });
  all_.push_back(caf::actor_cast<caf::actor>(hand));
  const auto session = ask<WorkerWelcome>(facts("mute"), hand).session;
  begin(1);
  EXPECT_TRUE(ask<bool>(session, OutcomePiece{1, "half", ""}));
  EXPECT_FALSE(ask<bool>(session, OutcomePiece{2, "of a run that is not its own", ""}));
  advance(kSilence + kStopping + kBeat + kBeat);
  EXPECT_FALSE(ask<bool>(session, OutcomePiece{1, "late", ""}));
  ASSERT_TRUE(home.computing.contains(1));
  home.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
}

TEST_F(WorkersTest, AResultOfWhichTheHomeTakesNoMoreFailsTheRunWithASentence) {
  slow_down_to(10'000'000);
  message_max = 10'000'000;
  spawn_worker(away);
  begin(1);
  away.finish(1, long_text(3'000'000));
  advance(std::chrono::seconds(10));
  EXPECT_EQ(heard, (Heard{"analyse_fehlgeschlagen", "ended"}));
}

TEST_F(WorkersTest, CancellingReachesTheWorker) {
  spawn_worker(away);
  begin(1);
  caf::anon_send(pool_, cancel_atom::value, RunRef{1});
  run();
  EXPECT_EQ(away.cancelled, std::vector<std::uint64_t>{1});
  away.stop(1);
  run();
  EXPECT_EQ(heard, (Heard{"analyse_abgebrochen", "ended"}));
}

TEST_F(WorkersTest, EndingTheServiceCancelsRunsHereAndThere) {
  spawn_worker(away);
  for (const std::uint64_t run_id : {1, 2, 3, 4, 5}) begin(run_id);
  ASSERT_EQ(home.computing.size(), 1U);
  caf::anon_send(pool_, cancel_atom::value);
  run();
  EXPECT_EQ(away.cancelled.size(), 4U);
  EXPECT_EQ(home.cancelled.size(), 1U);
}

TEST_F(WorkersTest, ABeatingWorkerStaysAndItsLeaseRunsAhead) {
  spawn_worker(away);
  for (int i = 0; i < 20; ++i) {
    advance(std::chrono::seconds(1));
    EXPECT_GT(lease->until_ms, now_ms + 2000);
  }
  EXPECT_EQ(figure("roof_worker_joins_total{worker=\"w\"}"), 1);
  EXPECT_EQ(searched, 1);
}

TEST_F(WorkersTest, AHomeThatSaysNothingMoreIsLeftWithinItsLease) {
  spawn_worker(away);
  begin(1);
  ASSERT_TRUE(away.computing.contains(1));
  no_way = true;
  caf::anon_send_exit(pool_, caf::exit_reason::kill);
  run();
  EXPECT_EQ(away.cancelled_all, 1);
  EXPECT_LE(lease->until_ms, now_ms);
  away.stop(1);
  run();
  EXPECT_TRUE(heard.empty());
}

TEST_F(WorkersTest, NoHomeIsLookedForWhileARunOfTheLastOneGoesOn) {
  const auto worker = spawn_worker(away);
  begin(1);
  ASSERT_TRUE(away.computing.contains(1));
  // What CAF says when the connection breaks; the home is there at once again.
  caf::anon_send(caf::actor_cast<caf::actor>(worker),
                 caf::down_msg{pool_.address(), caf::exit_reason::remote_link_unreachable});
  advance(kSilence + kStopping);
  EXPECT_EQ(away.cancelled_all, 1);
  EXPECT_EQ(searched, 1);
  EXPECT_LE(lease->until_ms, now_ms) << "so that the run's lease ends";
  away.stop(1);
  advance(std::chrono::milliseconds(200));
  EXPECT_EQ(searched, 2);
  EXPECT_GT(lease->until_ms, now_ms);
}

TEST_F(WorkersTest, AWorkerThatDiesLosesItsRunToAnotherOnlyWhenItMustHaveStopped) {
  const auto worker = spawn_worker(away, "first");
  begin(1);
  spawn_worker(away_too, "second");
  caf::anon_send_exit(worker, caf::exit_reason::kill);
  run();
  EXPECT_EQ(ask<std::uint64_t>(drain_atom::value), 1U) << "the slot is taken";
  advance(kSilence);
  EXPECT_TRUE(away_too.computing.empty());
  advance(kStopping + kBeat);
  ASSERT_TRUE(away_too.computing.contains(1));
  away_too.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
  EXPECT_EQ(figure("roof_workers_lost_total"), 1);
  EXPECT_EQ(figure("roof_runs_moved_total"), 1);
  EXPECT_EQ(figure("roof_workers"), 1);
}

/// The test is the worker, so that it can be as silent as a stopped process.
TEST_F(WorkersTest, ASilentWorkerIsLostAndItsLateAnswersAreDropped) {
  Desk none;
  const auto hand = system_.spawn([](Worker::pointer) -> Worker::behavior_type {
    return {[](std::uint64_t, const AnalysisJob&) {}, [](cancel_atom, const RunRef&) {}};
  });
  all_.push_back(caf::actor_cast<caf::actor>(hand));
  const auto session = ask<WorkerWelcome>(facts("mute"), hand).session;
  begin(1);
  advance(kSilence + kBeat + kBeat);
  EXPECT_FALSE(ask<bool>(known_atom::value, session));
  caf::anon_send(pool_, session, RunOutcome{.run = {1}, .finished = true, .result = "late"});
  caf::anon_send(pool_, session, ended_atom::value, RunRef{1}, std::int64_t{9});
  run();
  EXPECT_TRUE(heard.empty());
  advance(kStopping);
  EXPECT_TRUE(home.computing.contains(1));
  caf::anon_send(pool_, session, RunOutcome{.run = {1}, .finished = true, .result = "later still"});
  home.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
}

TEST_F(WorkersTest, ARunThatLosesItsWorkerTwiceIsInterrupted) {
  auto first = spawn_worker(away, "first");
  begin(1);
  auto second = spawn_worker(away_too, "second");
  caf::anon_send_exit(first, caf::exit_reason::kill);
  advance(kSilence + kStopping + kBeat);
  ASSERT_TRUE(away_too.computing.contains(1));
  caf::anon_send_exit(second, caf::exit_reason::kill);
  advance(kSilence + kStopping + kBeat);
  EXPECT_EQ(heard, (Heard{"analyse_abgebrochen", "ended"}));
}

TEST_F(WorkersTest, AHomeThatDoesNotLeadItsPairAnyMoreLetsNobodyComputeForIt) {
  spawn_worker(away);
  begin(1);
  leads = false;
  advance(kBeat + kBeat);
  EXPECT_EQ(away.cancelled_all, 1) << "at its next question the worker hears that it is not known";
  EXPECT_LE(lease->until_ms, now_ms);
  EXPECT_NE(ask<WorkerWelcome>(facts(), Worker()).refusal.find("does not lead"), std::string::npos);
}

TEST_F(WorkersTest, WhoeverComputesOtherwiseIsRefusedWithASentence) {
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

TEST_F(WorkersTest, ARefusedWorkerAsksAgainUntilItsDataAreTheHomes) {
  catalogue_of_worker = "catalogue 2";
  spawn_worker(away);
  advance(std::chrono::seconds(25));
  EXPECT_EQ(searched, 3) << "not so often that logs fill";
  EXPECT_EQ(figure("roof_workers"), 0);
  catalogue_of_worker = "catalogue 1";
  advance(std::chrono::seconds(10));
  EXPECT_EQ(figure("roof_workers"), 1);
}

TEST_F(WorkersTest, WhenTheHomeReadsItsCatalogueAnewOldWorkersFinishAndGetNothingMore) {
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

TEST_F(WorkersTest, AWorkerWithUnreadableDataReadsThemAgainEveryTenSeconds) {
  data_unreadable = true;
  spawn_worker(away);
  advance(std::chrono::seconds(25));
  EXPECT_EQ(unreadable, 3) << "reading them may take as long itself";
  data_unreadable = false;
  advance(std::chrono::seconds(10));
  EXPECT_EQ(figure("roof_workers"), 1);
}

TEST_F(WorkersTest, NoRunBeginsWithOldDataOnceTheHomeHasReadItsCatalogueAnew) {
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

TEST_F(WorkersTest, AWorkerWhoseFilesHaveChangedGivesItsRunsBackAndIsComparedAnew) {
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

TEST_F(WorkersTest, AWorkerWhoseFilesHaveChangedBeginsNoRun) {
  spawn_worker(away);
  data_as_read = false;
  begin(1);
  EXPECT_TRUE(away.computing.empty());
  ASSERT_TRUE(home.computing.contains(1));
  home.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
}

TEST_F(WorkersTest, ARunWhoseDataAWorkerCannotReadIsComputedElsewhereOnce) {
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

TEST_F(WorkersTest, ARunThatTwoWorkersCannotReadTheDataOfFails) {
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

TEST_F(WorkersTest, ARunThatIsCancelledWhileItGoesElsewhereEnds) {
  spawn_worker(away);
  begin(1);
  caf::anon_send(pool_, cancel_atom::value, RunRef{1});
  run();
  away.fail(1, Code::dienst_nicht_erreichbar);
  run();
  EXPECT_EQ(heard, (Heard{"dienst_nicht_erreichbar", "ended"}));
  EXPECT_TRUE(home.computing.empty());
}

TEST_F(WorkersTest, AWorkerThatEndsFinishesWhatItCanAndGivesBackTheRest) {
  const auto worker = spawn_worker(away);
  begin(1);
  begin(2);
  caf::anon_send(worker, leave_atom::value);
  run();
  begin(3);
  EXPECT_TRUE(home.computing.contains(3)) << "nothing more for the one that leaves";
  away.finish(1);
  run();
  EXPECT_EQ(heard, (Heard{"result bytes", "ended"}));
  caf::anon_send(worker, cancel_atom::value);
  run();
  away.stop(2);
  run();
  EXPECT_TRUE(home.computing.contains(2)) << "at once: it has really stopped";
  std::uint64_t left = 9;
  system_.spawn([&](caf::event_based_actor* self) {
    self->request(worker, caf::infinite, drain_atom::value).then([&](std::uint64_t n) { left = n; });
  });
  advance(std::chrono::milliseconds(100));
  system_.spawn([&](caf::event_based_actor* self) {
    self->request(worker, caf::infinite, drain_atom::value).then([&](std::uint64_t n) { left = n; });
  });
  run();
  EXPECT_EQ(left, 0U) << "the home has heard of all";
  caf::anon_send_exit(worker, caf::exit_reason::user_shutdown);
  run();
  EXPECT_EQ(figure("roof_workers_lost_total"), 0) << "it has left, it is not lost";
}

TEST(WorkerFacts, OfThisProgramAreThere) {
  EXPECT_GT(build_of_this_program().find("GDAL"), 8U) << build_of_this_program();
  EXPECT_NE(build_of_this_program().substr(0, 7), "unknown");
  EXPECT_EQ(arithmetic_of_this_processor(), arithmetic_of_this_processor());
  EXPECT_EQ(protocol_digest().size(), 32U);
  EXPECT_EQ(mismatch(facts("a", 1), facts("b", 2)), std::nullopt) << "name and threads may differ";
}

}  // namespace
