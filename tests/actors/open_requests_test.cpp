// An actor's open requests under CAF's test scheduler and clock: each is answered or given up, once and in
// time, and one timer is enough.
#include "actors/open_requests.hpp"

#include <gmock/gmock.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/send.hpp>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

using ask_atom = caf::atom_constant<caf::atom("ask")>;
using wait_atom = caf::atom_constant<caf::atom("wait")>;
using follow_atom = caf::atom_constant<caf::atom("follow")>;
using answer_atom = caf::atom_constant<caf::atom("answer")>;
using break_atom = caf::atom_constant<caf::atom("break")>;
using sweep_atom = caf::atom_constant<caf::atom("sweep")>;

struct Heard {
  std::vector<std::string> words;
  int wakes = 0;
};

/// Answers a question when it is told to.
struct Other : caf::event_based_actor {
  explicit Other(caf::actor_config& config) : caf::event_based_actor(config) {}
  caf::behavior make_behavior() override {
    return {[this](int) {
              asked.push_back(make_response_promise());
              return asked.back();
            },
            [this](answer_atom, int i) { asked[static_cast<std::size_t>(i)].deliver(i); },
            [this](break_atom) { asked[0].deliver(caf::make_error(caf::sec::runtime_error)); }};
  }
  void on_exit() override { asked.clear(); }
  std::vector<caf::response_promise> asked;
};

/// Asks with a patience of 10 s (ask_atom) or of 60 s (wait_atom), numbering its questions.
struct Owner : caf::event_based_actor {
  Owner(caf::actor_config& config, caf::actor to, Heard& all)
      : caf::event_based_actor(config), other(std::move(to)), heard(all) {}
  caf::behavior make_behavior() override {
    return {[this](ask_atom) { question(quick); }, [this](wait_atom) { question(slow); },
            [this](follow_atom) {
              quick.follow<int>(
                  *this, other, [this](int) { heard.words.push_back("answered"); },
                  [this] { heard.words.push_back("late"); }, asked++);
            },
            [this](sweep_atom) {
              quick.sweep(clock().now());
              slow.sweep(clock().now());
            }};
  }
  void question(actors::OpenRequests& open) {
    const std::string number = std::to_string(asked++);
    open.ask<int>(
        *this, other, [this, number](int) { heard.words.push_back(number + " answered"); },
        [this, number] { heard.words.push_back(number + " late"); }, asked - 1);
  }
  void on_exit() override { other = nullptr; }
  actors::OpenRequests::Wake wake() {
    return [this](auto delay) {
      ++heard.wakes;
      delayed_send(this, delay, sweep_atom::value);
    };
  }
  caf::actor other;
  Heard& heard;
  int asked = 0;
  actors::OpenRequests quick{10s, wake()};
  actors::OpenRequests slow{60s, wake()};
};

class OpenRequests : public ::testing::Test {
 protected:
  OpenRequests() {
    config_.set("scheduler.policy", caf::atom("testing"));
    system_ = std::make_unique<caf::actor_system>(config_);
    other_ = system_->spawn<Other>();
    owner_ = system_->spawn<Owner>(other_, std::ref(heard_));
  }
  ~OpenRequests() override {
    caf::anon_send_exit(owner_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(other_, caf::exit_reason::user_shutdown);
    scheduler().run();
  }
  caf::scheduler::test_coordinator& scheduler() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system_->scheduler());
  }
  template <class... Message>
  void tell(const caf::actor& who, Message... message) {
    caf::anon_send(who, message...);
    scheduler().run();
  }
  void pass(std::chrono::seconds time) {
    scheduler().advance_time(time);
    scheduler().run();
  }

  Heard heard_;
  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> system_;
  caf::actor other_, owner_;
};

TEST_F(OpenRequests, HearTheAnswer) {
  tell(owner_, ask_atom::value);
  tell(other_, answer_atom::value, 0);
  pass(20s);
  EXPECT_THAT(heard_.words, ElementsAre("0 answered"));
}

TEST_F(OpenRequests, AreGivenUpWhenTheirTimeIsOverAndNotBefore) {
  tell(owner_, ask_atom::value);
  pass(9s);
  EXPECT_THAT(heard_.words, ElementsAre());
  pass(1s);
  EXPECT_THAT(heard_.words, ElementsAre("0 late"));
  tell(other_, answer_atom::value, 0);
  EXPECT_THAT(heard_.words, ElementsAre("0 late")) << "an answer that comes after all finds nobody";
}

TEST_F(OpenRequests, ThatAreFollowedHearTheAnswerAlsoWhenItIsLate) {
  tell(owner_, follow_atom::value);
  tell(owner_, follow_atom::value);
  tell(other_, answer_atom::value, 1);
  pass(60s);
  EXPECT_THAT(heard_.words, ElementsAre("answered", "late"));
  tell(other_, answer_atom::value, 0);
  EXPECT_THAT(heard_.words, ElementsAre("answered", "late", "answered"));
}

TEST_F(OpenRequests, AreGivenUpAtOnceWhenTheOtherFails) {
  tell(owner_, ask_atom::value);
  tell(other_, break_atom::value);
  EXPECT_THAT(heard_.words, ElementsAre("0 late"));
  pass(20s);
  EXPECT_THAT(heard_.words, ElementsAre("0 late"));
}

TEST_F(OpenRequests, HaveADeadlineEach) {
  tell(owner_, ask_atom::value);
  pass(4s);
  tell(owner_, ask_atom::value);
  pass(4s);
  tell(owner_, ask_atom::value);
  tell(other_, answer_atom::value, 1);
  pass(2s);
  EXPECT_THAT(heard_.words, ElementsAre("1 answered", "0 late"));
  pass(7s);
  EXPECT_EQ(heard_.words.size(), 2U);
  pass(1s);
  EXPECT_THAT(heard_.words, ElementsAre("1 answered", "0 late", "2 late"));
}

TEST_F(OpenRequests, NeedOneTimerForAllHoweverManyAndWhoeverElseWakesTheirOwner) {
  for (int second = 0; second < 100; ++second) {
    for (int i = 0; i < 20; ++i) {
      tell(owner_, ask_atom::value);
      tell(owner_, wait_atom::value);
    }
    tell(owner_, sweep_atom::value);
    pass(1s);
  }
  // Questions of each kind become overdue second by second: one wake-up a second for each kind at most.
  EXPECT_LE(heard_.wakes, 100 + 50);
  EXPECT_EQ(heard_.words.size(), 20U * (100 - 9) + 20U * (100 - 59));
}

}  // namespace
