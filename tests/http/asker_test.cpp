// The asker by itself, under CAF's test scheduler and clock: every question gets exactly one answer, in time.
#include "http/api/asker.hpp"

#include <gmock/gmock.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <vector>

namespace {

using namespace http;
using namespace std::chrono_literals;
using ::testing::ElementsAre;

struct Kept {
  std::vector<caf::typed_response_promise<actors::Answer>> questions;
  std::size_t next = 0;  ///< index of the next to be answered
};

/// A guard that keeps its questions. Promises can only be kept or broken in an actor's turn: save_atom
/// answers the next one, sweep_atom drops them all.
actors::AddressGuard::behavior_type keeping_guard(actors::AddressGuard::pointer self, Kept* kept) {
  return {[=](actors::Call&) -> caf::result<actors::Answer> {
            kept->questions.push_back(self->make_response_promise<actors::Answer>());
            return kept->questions.back();
          },
          [=](actors::save_atom) {
            kept->questions[kept->next].deliver(actors::Answer{{}, actors::Welcome{}});
            return true;
          },
          [=](actors::sweep_atom) { kept->questions.clear(); }};
}

class AskerTest : public ::testing::Test {
 protected:
  AskerTest() {
    config_.set("scheduler.policy", caf::atom("testing"));
    config_.add_message_types<caf::id_block::roof>();
    system_ = std::make_unique<caf::actor_system>(config_);
    rules_->on_silence = [](const std::string&) { return Response{.status = 500}; };
    rules_->on_answered = [this](const Exchange&, const Response& r) { answered_.push_back(r.status); };
    guard_ = system_->spawn(keeping_guard, &kept_);
    asker_ = system_->spawn<AskerActor>(std::make_shared<const Links>(), 30s);
  }
  ~AskerTest() override {
    let_go();
    caf::anon_send_exit(guard_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(asker_, caf::exit_reason::user_shutdown);
    scheduler().run();
  }

  caf::scheduler::test_coordinator& scheduler() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system_->scheduler());
  }
  void ask() {
    Responder responder(unconnected_outbox(), {}, 1, "id", rules_);
    caf::anon_send(asker_, std::make_shared<Question>(Question{
                               {}, guard_, std::move(responder), 0, 0, {}, Response{.body = "page"}}));
    scheduler().run();
  }
  void answer(std::size_t i) {
    kept_.next = i;
    caf::anon_send(guard_, actors::save_atom::value);
    scheduler().run();
  }
  void let_go() {
    caf::anon_send(guard_, actors::sweep_atom::value);
    scheduler().run();
  }
  void pass(std::chrono::seconds time) {
    scheduler().advance_time(time);
    scheduler().run();
  }

  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> system_;
  std::shared_ptr<Responder::Rules> rules_ = std::make_shared<Responder::Rules>();
  Kept kept_;
  actors::AddressGuard guard_;
  Asker asker_;
  std::vector<int> answered_;
};

TEST_F(AskerTest, AnswersWhatTheActorsAnswer) {
  ask();
  EXPECT_THAT(answered_, ElementsAre());
  answer(0);
  EXPECT_THAT(answered_, ElementsAre(200));
}

TEST_F(AskerTest, AnswersOverloadedWhenTheDeadlineHasPassedAndNotBefore) {
  ask();
  pass(29s);
  EXPECT_THAT(answered_, ElementsAre());
  pass(1s);
  EXPECT_THAT(answered_, ElementsAre(503));
}

TEST_F(AskerTest, KeepsEachQuestionsOwnDeadline) {
  ask();
  pass(20s);
  ask();
  pass(10s);
  EXPECT_THAT(answered_, ElementsAre(503));
  pass(19s);
  EXPECT_THAT(answered_, ElementsAre(503));
  pass(1s);
  EXPECT_THAT(answered_, ElementsAre(503, 503));
}

TEST_F(AskerTest, AnAnswerAfterTheDeadlineFindsNobodyWaiting) {
  ask();
  pass(30s);
  answer(0);
  EXPECT_THAT(answered_, ElementsAre(503));
}

TEST_F(AskerTest, ALongQuestionDoesNotHoldUpThoseBehindIt) {
  ask();
  ask();
  answer(1);
  EXPECT_THAT(answered_, ElementsAre(200));
  pass(30s);
  EXPECT_THAT(answered_, ElementsAre(200, 503));
}

TEST_F(AskerTest, APromiseThatIsBrokenIsAnsweredAtTheDeadline) {
  ask();
  let_go();  // CAF 0.17 does not tell the asker
  EXPECT_THAT(answered_, ElementsAre());
  pass(30s);
  EXPECT_THAT(answered_, ElementsAre(503));
}

TEST_F(AskerTest, AnswersOverloadedAtOnceWhenThereIsNobodyToAsk) {
  caf::anon_send_exit(guard_, caf::exit_reason::kill);
  scheduler().run();
  ask();
  EXPECT_THAT(answered_, ElementsAre(503));
}

}  // namespace
