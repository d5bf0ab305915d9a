// How fast a standby that was away takes the log: over mutual TLS on loopback, beside the ceiling, the same
// log written into another store in the same process.
#include <benchmark/benchmark.h>
#include <rocksdb/write_batch.h>

#include <csignal>

#include "benchmarks/persistence/creations.hpp"
#include "persistence/database.hpp"
#include "persistence/log_follower.hpp"
#include "persistence/log_server.hpp"
#include "tests/cluster_certificates.hpp"
#include "tests/free_port.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace std::chrono_literals;
using namespace bench;
using namespace persistence;

constexpr std::uint64_t kAccounts = 500;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

constexpr std::uint64_t kBehindOneSync = 64;  // creations: as many clients write at the same time

Writes creations(std::uint64_t first) {
  Writes writes;
  for (std::uint64_t id = first; id < first + kBehindOneSync; ++id)
    add_creation(writes, some_account(id, kAccounts), id);
  return writes;
}

/// What a run stores in the end.
Writes a_result(std::uint64_t id) {
  return {{Table::results, project_key(some_account(id, kAccounts), id), std::string(20'000, 'r')},
          {Table::scenes, project_key(some_account(id, kAccounts), id), std::string(40'000, 's')}};
}

/// A primary whose standby is away and lacks the newest `log_bytes` of the log.
class Away : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State&) override {
    std::signal(SIGPIPE, SIG_IGN);
    folder = std::make_unique<test::TemporaryFolder>();
    authority = std::make_unique<test::CertificateAuthority>(folder->file(""), "ca");
    authority->issue("member");
    port = test::free_port();
    store = std::move(*Store::open(folder->file("primary"), true));
    const LogServerHooks hooks{.now_ms = now_ms,
                               .answered = [](const std::string&, std::int64_t) {},
                               .caught_up = [](const std::string&) {},
                               .diverged = [] {},
                               .acknowledges = [](const std::string&) { return true; },
                               .needed = [](const std::string&) { return false; },
                               .in_sync = [](const std::string&) { return false; },
                               .take_over = [] {},
                               .tell = [](const std::string&) {}};
    server = std::move(*LogServer::start(*store,
                                         {.name = "a",
                                          .group = "pair",
                                          .host = "127.0.0.1",
                                          .port = port,
                                          .peer_host = "127.0.0.1",
                                          .tls = tls(),
                                          .epoch = 1},
                                         hooks, folder->file("primary")));
    if (!store->begin_epoch(1, *server)) std::abort();
    take_all();
    first = newest() + 1;
    written = 0;
    for (std::uint64_t id = 1; written < log_bytes_; id += kBehindOneSync) {
      const Writes writes = next_(id);
      for (const Write& write : writes) written += write.key.size() + write.value.size();
      if (!store->commit(writes)) std::abort();
    }
  }
  void TearDown(const benchmark::State&) override {
    server.reset();
    store.reset();
    folder.reset();
  }

  std::uint64_t newest() {
    std::uint64_t number = 0;
    store->between_batches([&](std::uint64_t n, const auto&) { number = n; });
    return number;
  }

  /// A standby comes and goes when it has all. Returns the seconds that it followed.
  double take_all() {
    const auto follower = std::move(
        *LogFollower::start(folder->file("standby"),
                            {.name = "b", .group = "pair", .host = "127.0.0.1", .port = port, .tls = tls()},
                            {.may_answer = [](std::uint64_t) { return true; },
                             .primary_leaves = [] {},
                             .whole = [](bool, std::uint64_t, bool) {},
                             .tell = [](const std::string&) {}}));
    while (!follower->figures().connected) std::this_thread::sleep_for(100us);
    const auto began = std::chrono::steady_clock::now();
    while (follower->figures().newest < newest()) std::this_thread::sleep_for(100us);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }

  void catch_up(benchmark::State& state) {
    for (auto _ : state) state.SetIterationTime(take_all());
    state.SetBytesProcessed(static_cast<std::int64_t>(written));
  }
  /// The ceiling: what RocksDB takes without a network.
  void write_anew(benchmark::State& state) {
    DatabasePtr other;
    if (!open_database(folder->file("standby"), Access::following, other).ok()) std::abort();
    for (auto _ : state)
      store->read_log(first, [&](std::uint64_t, std::uint64_t, std::string bytes) {
        rocksdb::WriteBatch batch(std::move(bytes));
        return other->db->Write({}, &batch).ok();
      });
    state.SetBytesProcessed(static_cast<std::int64_t>(written));
  }

 protected:
  explicit Away(Writes (*next)(std::uint64_t), std::size_t log_bytes = 32U << 20U)
      : next_(next), log_bytes_(log_bytes) {}
  std::unique_ptr<test::TemporaryFolder> folder;
  std::unique_ptr<test::CertificateAuthority> authority;
  std::uint16_t port = 0;
  std::unique_ptr<Store> store;
  std::unique_ptr<LogServer> server;
  std::uint64_t first = 0;
  std::size_t written = 0;

 private:
  Writes (*next_)(std::uint64_t);
  std::size_t log_bytes_;
  std::shared_ptr<const MutualTls> tls() {
    return *MutualTls::load(folder->file("member.crt"), folder->file("member.key"), authority->file());
  }
};

struct Creations : Away {
  Creations() : Away(creations) {}
};
struct ManyCreations : Away {
  ManyCreations() : Away(creations, 300U << 20U) {}
};
struct Results : Away {
  Results() : Away(a_result) {}
};

BENCHMARK_DEFINE_F(Creations, standby_catches_up)(benchmark::State& state) { catch_up(state); }
BENCHMARK_DEFINE_F(Creations, log_written_anew)(benchmark::State& state) { write_anew(state); }
BENCHMARK_DEFINE_F(ManyCreations, standby_catches_up)(benchmark::State& state) { catch_up(state); }
BENCHMARK_DEFINE_F(ManyCreations, log_written_anew)(benchmark::State& state) { write_anew(state); }
BENCHMARK_DEFINE_F(Results, standby_catches_up)(benchmark::State& state) { catch_up(state); }
BENCHMARK_DEFINE_F(Results, log_written_anew)(benchmark::State& state) { write_anew(state); }

/// The log is there once.
void once(benchmark::internal::Benchmark* it) { it->Iterations(1)->Unit(benchmark::kMillisecond); }
BENCHMARK_REGISTER_F(Creations, standby_catches_up)->Apply(once)->UseManualTime();
BENCHMARK_REGISTER_F(Creations, log_written_anew)->Apply(once)->UseRealTime();
BENCHMARK_REGISTER_F(ManyCreations, standby_catches_up)->Apply(once)->UseManualTime();
BENCHMARK_REGISTER_F(ManyCreations, log_written_anew)->Apply(once)->UseRealTime();
BENCHMARK_REGISTER_F(Results, standby_catches_up)->Apply(once)->UseManualTime();
BENCHMARK_REGISTER_F(Results, log_written_anew)->Apply(once)->UseRealTime();

}  // namespace
