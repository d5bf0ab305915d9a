// The actors' pulse, by a clock that the test turns and a scheduler that it runs.
#include "actors/pulse.hpp"

#include <gtest/gtest.h>

#include <caf/actor_system.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "tests/actors/testing_config.hpp"

namespace {

using Plain = caf::typed_actor<caf::replies_to<actors::drain_atom>::with<std::uint64_t>>;

class PlainActor : public actors::Measured<Plain::base> {
 public:
  PlainActor(caf::actor_config& config, const char* name, int* asked)
      : Measured(config, name, actors::private_meters()), name_(name), asked_(asked) {}
  const char* name() const override { return name_; }

 private:
  behavior_type make_behavior() override {
    return {[this](actors::drain_atom) { return static_cast<std::uint64_t>(++*asked_); }};
  }
  const char* name_;
  int* asked_;
};

class PulseTest : public ::testing::Test {
 protected:
  caf::actor spawn(const char* name) {
    all_.push_back(caf::actor_cast<caf::actor>(system_.spawn<PlainActor>(name, &asked)));
    return all_.back();
  }
  ~PulseTest() override {
    for (const auto& actor : all_) caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
    scheduler().run();
  }
  caf::scheduler::test_coordinator& scheduler() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler());
  }
  test::TestingConfig config_;
  caf::actor_system system_{config_};
  std::vector<caf::actor> all_;
  actors::Pulse::Time now{};
  int asked = 0;
};

TEST_F(PulseTest, ActorsAnswerABeatWithoutKnowingOfIt) {
  actors::Pulse pulse({spawn("one"), spawn("two")}, [this] { return now; });
  EXPECT_FALSE(pulse.latest()) << "nobody was asked yet";
  pulse.beat();
  EXPECT_TRUE(pulse.latest());
  scheduler().run();
  EXPECT_FALSE(pulse.latest());
  EXPECT_EQ(asked, 0);
}

TEST_F(PulseTest, OneThatHangsIsNamedWithItsTime) {
  actors::Pulse pulse({spawn("one"), spawn("two")}, [this] { return now; });
  pulse.beat();
  scheduler().run_once();  // one of them; the other does not get its turn
  now += std::chrono::seconds(7);
  pulse.beat();  // the one is asked again, the other still owes its answer
  scheduler().run_once();
  const auto late = pulse.latest();
  ASSERT_TRUE(late);
  EXPECT_TRUE(late->actor == "one" || late->actor == "two");
  scheduler().run();
  EXPECT_FALSE(pulse.latest());
}

TEST_F(PulseTest, TheTimeIsCountedFromTheFirstBeatThatWasNotAnswered) {
  actors::Pulse pulse({spawn("one")}, [this] { return now; });
  for (int i = 0; i < 5; ++i) {
    pulse.beat();
    now += std::chrono::seconds(2);
  }
  ASSERT_TRUE(pulse.latest());
  EXPECT_EQ(pulse.latest()->time, std::chrono::seconds(10));
  EXPECT_EQ(pulse.latest()->actor, "one");
}

TEST_F(PulseTest, AnActorThatHasEndedDoesNotAnswer) {
  const auto ended = spawn("one");
  caf::anon_send_exit(ended, caf::exit_reason::kill);
  scheduler().run();
  actors::Pulse pulse({ended}, [this] { return now; });
  pulse.beat();
  scheduler().run();
  now += std::chrono::seconds(1);
  EXPECT_TRUE(pulse.latest());
}

}  // namespace
