// What the actors' plain state costs per request: keys, windows, the line; and what a message costs.
#include <benchmark/benchmark.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include "actors/accounts/address_book.hpp"
#include "actors/accounts/key_text.hpp"
#include "actors/measured.hpp"
#include "actors/runs/slot_line.hpp"

namespace {

using namespace actors;

void account_of_a_key(benchmark::State& state) {
  const std::string key = make_key(4711);
  for (auto _ : state) benchmark::DoNotOptimize(account_of_key(key));
}
BENCHMARK(account_of_a_key);

void fingerprint_of_a_key(benchmark::State& state) {
  const std::string key = make_key(4711);
  for (auto _ : state) benchmark::DoNotOptimize(fingerprint_of(key));
}
BENCHMARK(fingerprint_of_a_key);

/// A status query's count against its account's 900 an hour.
void sliding_window(benchmark::State& state) {
  constexpr std::int64_t kHour_ms = 3'600'000;
  SlidingWindow window(900, kHour_ms);
  std::int64_t now_ms = 0;
  for (auto _ : state) {
    now_ms += 4000;
    benchmark::DoNotOptimize(window.admit(now_ms));
    benchmark::DoNotOptimize(window.remaining(now_ms));
  }
}
BENCHMARK(sliding_window);

/// So many calling addresses in turn.
void address_book(benchmark::State& state) {
  AddressBook book({}, {});
  std::vector<std::string> addresses;
  for (std::int64_t i = 0; i < state.range(0); ++i)
    addresses.push_back("10." + std::to_string(i / 65536) + "." + std::to_string(i / 256 % 256) + "." +
                        std::to_string(i % 256));
  std::size_t i = 0;
  std::int64_t now_ms = 0;
  for (auto _ : state) benchmark::DoNotOptimize(book.admit(addresses[i++ % addresses.size()], now_ms += 100));
}
BENCHMARK(address_book)->Arg(10)->Arg(10'000);

/// A waiting run's question, with so many in line.
void question_of_a_waiting_run(benchmark::State& state) {
  const auto waiting = static_cast<std::uint64_t>(state.range(0));
  SlotLine line(1, static_cast<std::uint32_t>(waiting) + 1);
  for (std::uint64_t run = 1; run <= waiting; ++run) line.ask(run, 0);
  benchmark::DoNotOptimize(line.grant(0));
  std::uint64_t run = 1;
  std::int64_t now_ms = 0;
  for (auto _ : state) {
    run = run % (waiting - 1) + 2;
    line.ask(run, ++now_ms / 100);
    benchmark::DoNotOptimize(line.grant(now_ms / 100));
    benchmark::DoNotOptimize(line.ahead_of(run));
  }
}
BENCHMARK(question_of_a_waiting_run)->Arg(10)->Arg(10'000);

using Echo = caf::typed_actor<caf::replies_to<std::uint64_t>::with<std::uint64_t>>;

class EchoActor : public Measured<Echo::base> {
 public:
  explicit EchoActor(caf::actor_config& config) : Measured(config, "echo", private_meters()) {}
  behavior_type make_behavior() override {
    return {[](std::uint64_t n) { return n; }};
  }
};

/// So many requests to a measured actor at once, and their answers.
void request_and_answer(benchmark::State& state) {
  caf::actor_system_config config;
  caf::actor_system system(config);
  const auto echo = system.spawn<EchoActor>();
  caf::scoped_actor self(system);
  for (auto _ : state) {
    for (std::int64_t i = 0; i < state.range(0); ++i) self->send(echo, static_cast<std::uint64_t>(i));
    for (std::int64_t i = 0; i < state.range(0); ++i) self->receive([](std::uint64_t) {});
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  caf::anon_send_exit(echo, caf::exit_reason::user_shutdown);
}
BENCHMARK(request_and_answer)->Arg(1)->Arg(64)->UseRealTime();

}  // namespace
