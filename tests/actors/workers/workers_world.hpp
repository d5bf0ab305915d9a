// Home and workers as actors, in one thread under CAF's test scheduler: each against a partner that does what
// the test says, and both together. Time is the scheduler's.
#pragma once
#include <gtest/gtest.h>
#include <prometheus/text_serializer.h>

#include <caf/event_based_actor.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/send.hpp>
#include <deque>

#include "actors/workers/worker.hpp"
#include "actors/workers/worker_pool.hpp"
#include "actors/workers/workers_pool.hpp"
#include "tests/actors/recording_log.hpp"
#include "tests/actors/testing_config.hpp"

namespace workers_under_trial {

using namespace actors;

inline WorkerFacts facts(const std::string& name = "w", std::uint32_t threads = 4) {
  return {name, threads, "build 1", "ieee", "catalogue 1", "geocoder=register, module.power=440"};
}

/// What a run's project hears, in words.
using Heard = std::vector<std::string>;
inline RunOwner::behavior_type owner_of_runs(RunOwner::pointer, Heard* heard) {
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
inline Analysts::behavior_type analysts_at(Analysts::pointer, Desk* desk) {
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
              return asked<WorkerWelcome>(kShort, facts, worker);
            },
            [this](known_atom known, std::uint64_t session) -> caf::result<bool> {
              return asked<bool>(kShort, known, session);
            },
            [this](std::uint64_t session, const StepDone& step) { said(kShort, session, step); },
            [this](std::uint64_t session, const RunOutcome& how) {
              said(kShort + static_cast<std::int64_t>(how.result.size() + how.scene.size()), session, how);
            },
            [this](std::uint64_t session, const OutcomePiece& piece) -> caf::result<bool> {
              return asked<bool>(kShort + static_cast<std::int64_t>(piece.result.size() + piece.scene.size()),
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
  template <class Reply, class... Message>
  caf::typed_response_promise<Reply> asked(std::int64_t bytes, const Message&... message) {
    auto promise = make_response_promise<Reply>();
    carry(bytes, [this, promise, message...] {
      request(home_, caf::infinite, message...).then([promise](const Reply& reply) mutable {
        promise.deliver(reply);
      });
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
inline std::string long_text(std::size_t bytes, int first = 0) {
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
  /// What the worker says when it is asked how much the home has not heard.
  std::uint64_t unheard(const WorkerProcess& worker) {
    std::uint64_t got = 99;
    system_.spawn([&got, worker](caf::event_based_actor* self) {
      self->request(worker, caf::infinite, drain_atom::value).then([&got](std::uint64_t n) { got = n; });
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

  test::TestingConfig config_;
  caf::actor_system system_{config_};
  RunOwner owner_;
  WorkersPool pool_;
  Wire wire_;  // between workers and the home; none: it takes no time
  std::vector<caf::actor> all_;
};

}  // namespace workers_under_trial
