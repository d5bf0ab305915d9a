#include "http/web/errands.hpp"

#include <gtest/gtest.h>

#include <caf/all.hpp>
#include <stdexcept>
#include <thread>

namespace {

using http::Errand;
using http::ErrandPtr;

/// The errand when it is done; null when nobody answered.
ErrandPtr done(caf::scoped_actor& self, const http::Errands& errands, std::function<void()> work) {
  ErrandPtr back;
  auto errand = std::make_shared<Errand>();
  errand->work = std::move(work);
  self->request(errands, std::chrono::seconds(30), errand)
      .receive([&](const ErrandPtr& answer) { back = answer; }, [](const caf::error&) {});
  return back;
}

TEST(Errands, AreDoneInOneThreadThatIsNobodyElses) {
  caf::actor_system_config config;
  config.set("scheduler.max-threads", 1);
  caf::actor_system system(config);
  const auto errands = system.spawn<caf::detached>(http::errands_behavior);
  std::thread::id worker, first, second;
  caf::scoped_actor self(system);
  const auto on_a_worker = system.spawn([&](caf::event_based_actor*) -> caf::behavior {
    return {[&](int) {
      worker = std::this_thread::get_id();
      return 0;
    }};
  });
  self->request(on_a_worker, caf::infinite, 1).receive([](int) {}, [](const caf::error&) { FAIL(); });
  ASSERT_TRUE(done(self, errands, [&] { first = std::this_thread::get_id(); }));
  ASSERT_TRUE(done(self, errands, [&] { second = std::this_thread::get_id(); }));
  EXPECT_EQ(first, second);
  EXPECT_NE(first, worker);
  EXPECT_NE(first, std::this_thread::get_id());
  self->send_exit(errands, caf::exit_reason::user_shutdown);
  self->send_exit(on_a_worker, caf::exit_reason::user_shutdown);
}

TEST(Errands, OneThatThrowsSaysSoAndTheNextIsDone) {
  caf::actor_system_config config;
  caf::actor_system system(config);
  const auto errands = system.spawn<caf::detached>(http::errands_behavior);
  caf::scoped_actor self(system);
  const ErrandPtr failed = done(self, errands, [] { throw std::runtime_error("no climate"); });
  ASSERT_TRUE(failed);
  EXPECT_THROW(std::rethrow_exception(failed->fault), std::runtime_error);
  const ErrandPtr good = done(self, errands, [] {});
  ASSERT_TRUE(good);
  EXPECT_FALSE(good->fault);
  self->send_exit(errands, caf::exit_reason::user_shutdown);
}

}  // namespace
