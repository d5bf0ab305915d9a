// The actor that checks passwords keeps the memory of a hash while more of them wait, and no longer. It rests
// between them.
#include "actors/sign_in/passwords.hpp"

#include <gtest/gtest.h>
#include <caf/actor_system.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

#include "tests/actors/testing_config.hpp"

namespace {

using actors::Passwords;
using actors::PasswordsActor;

constexpr std::size_t kMemory_bytes = 64 << 20;

class PasswordMemory : public ::testing::Test {
 protected:
  PasswordMemory() {
    const auto hasher = std::make_shared<const actors::PasswordHasher>(
        actors::PasswordCost{.memory_bytes = kMemory_bytes, .passes = 1});
    passwords_ = system_.spawn<PasswordsActor>(
        hasher, [] {}, busy_program());
    scheduler().run();
    before_bytes_ = size_bytes();
  }
  ~PasswordMemory() override {
    caf::anon_send_exit(passwords_, caf::exit_reason::user_shutdown);
    scheduler().run();
  }
  caf::scheduler::test_coordinator& scheduler() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler());
  }
  void send_passwords(int count) {
    for (int i = 0; i < count; ++i) caf::anon_send(passwords_, actors::HashPassword{"drei Ziegel im Wind"});
  }
  int rests_ = 0;
  /// Whether the process is larger by a hash's memory than before the first password.
  bool keeps_memory() const { return size_bytes() > before_bytes_ + kMemory_bytes / 2; }

 private:
  /// Other threads compute all the time, and each rest is counted instead of slept.
  actors::Rest busy_program() {
    const auto now = [this] {
      const std::chrono::seconds one(1);
      now_.clock += one, now_.thread += one, now_.program += 2 * one;
      return now_;
    };
    return actors::Rest(now, [this](std::chrono::nanoseconds) { ++rests_; });
  }
  static std::size_t size_bytes() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * 4096;
  }

  test::TestingConfig config_;
  caf::actor_system system_{config_};
  Passwords passwords_;
  actors::ComputedTimes now_;
  std::size_t before_bytes_ = 0;
};

TEST_F(PasswordMemory, IsKeptWhilePasswordsWait) {
  send_passwords(3);
  for (int waiting = 2; waiting > 0; --waiting) {
    scheduler().run_once();
    EXPECT_TRUE(keeps_memory()) << waiting;
  }
  scheduler().run();
  EXPECT_FALSE(keeps_memory());
}

TEST_F(PasswordMemory, IsKeptThroughTheRestsBetweenPasswords) {
  send_passwords(3);
  for (int done = 0; done < 3; ++done) {
    EXPECT_EQ(rests_, std::max(0, done - 1));
    scheduler().run_once();
    EXPECT_EQ(keeps_memory(), done < 2) << done;
  }
  EXPECT_EQ(rests_, 2);
}

TEST_F(PasswordMemory, IsGivenBackAfterTheLastPassword) {
  for (int i = 0; i < 3; ++i) {
    send_passwords(1);
    scheduler().run();
    EXPECT_FALSE(keeps_memory()) << i;
  }
}

}  // namespace
