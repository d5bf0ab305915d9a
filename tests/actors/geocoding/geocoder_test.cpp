// The geocoder's line: accounts take turns, and nothing is looked up that nobody waits for any more.
#include "actors/geocoding/geocoder.hpp"

#include <gmock/gmock.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/send.hpp>

#include "actors/fair_line.hpp"

namespace {

using namespace actors;
using ::testing::ElementsAre;

/// A geocoder in the test's own thread, which writes down what it is to look up.
struct GeocoderLine : ::testing::Test {
  caf::actor_system_config config;
  std::unique_ptr<caf::actor_system> system;
  std::int64_t now_ms = 1'000;
  std::vector<std::string> looked_up;
  Geocoder geocoder;

  GeocoderLine() {
    config.add_message_types<caf::id_block::roof>();
    config.set("scheduler.policy", caf::atom("testing"));
    system = std::make_unique<caf::actor_system>(config);
    geocoder = system->spawn<GeocoderActor>(
        [this](const std::string& address) -> Located {
          looked_up.push_back(address);
          if (address == "throws") throw std::runtime_error("page torn out");
          return {};
        },
        Clock([this] { return now_ms; }));
  }
  ~GeocoderLine() override {
    caf::anon_send_exit(geocoder, caf::exit_reason::kill);
    geocoder = nullptr;
    run();
  }
  void ask(std::uint64_t account, const std::string& address, std::int64_t deadline_ms = 2'000) const {
    caf::anon_send(geocoder, address, deadline_ms, account);
  }
  void run() const { dynamic_cast<caf::scheduler::test_coordinator&>(system->scheduler()).run(); }
};

TEST_F(GeocoderLine, LetsAccountsTakeTurns) {
  for (const char* address : {"1a", "1b", "1c", "1d"}) ask(1, address);
  ask(2, "2a");
  ask(7, "7a");
  ask(2, "2b");
  run();
  EXPECT_THAT(looked_up, ElementsAre("1a", "2a", "7a", "1b", "2b", "1c", "1d"));
}

TEST_F(GeocoderLine, GoesOnAfterAnEmptyLineAndAfterAFailure) {
  ask(1, "a");
  run();
  ask(1, "throws");
  ask(1, "b");
  run();
  EXPECT_THAT(looked_up, ElementsAre("a", "throws", "b"));
}

TEST_F(GeocoderLine, LooksUpNothingThatNobodyWaitsForAnyMore) {
  ask(1, "late", 999);
  ask(2, "in time", 1'000);
  run();
  EXPECT_THAT(looked_up, ElementsAre("in time"));
}

TEST(FairLine, OfOneAccountIsInOrder) {
  FairLine<int> line;
  EXPECT_FALSE(line.next());
  for (int i = 0; i < 3; ++i) line.add(5, i);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(line.next(), i);
  EXPECT_TRUE(line.empty());
}

}  // namespace
