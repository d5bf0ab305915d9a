// A primary's store and a standby's, over real sockets and mutual TLS. Who leads is scripted here; its rules
// have a test of their own (tests/actors/pair/leadership_test.cpp).
#pragma once
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "persistence/log_follower.hpp"
#include "persistence/log_server.hpp"
#include "tests/cluster_certificates.hpp"
#include "tests/cutting_proxy.hpp"
#include "tests/free_port.hpp"
#include "tests/persistence/store_fixture.hpp"

namespace test {

inline std::int64_t steady_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// What leadership would say.
struct ScriptedLeadership {
  std::mutex mutex;
  std::set<std::string> needed, in_sync;
  std::atomic<std::uint64_t> least_epoch = 0;
  std::atomic<bool> whole = false;
  std::atomic<bool> takes_in = true;  ///< a standby that has caught up is taken into the record
  std::string lines;                  ///< of the operators' log
  std::atomic<int> taken_over = 0;

  persistence::LogServerHooks server() {
    const auto holds = [this](const std::set<std::string>& names, const std::string& name) {
      const std::lock_guard guard(mutex);
      return names.contains(name);
    };
    return {.now_ms = steady_ms,
            .answered = [](const std::string&, std::int64_t) {},
            .caught_up =
                [this](const std::string& name) {
                  if (!takes_in) return;
                  const std::lock_guard guard(mutex);
                  needed.insert(name);
                  in_sync.insert(name);
                },
            .diverged =
                [this] {
                  const std::lock_guard guard(mutex);
                  needed.clear();
                  in_sync.clear();
                },
            .acknowledges =
                [this](const std::string& has_it) {
                  const std::lock_guard guard(mutex);
                  return needed.empty() || needed == std::set{has_it};
                },
            .needed = [this, holds](const std::string& name) { return holds(needed, name); },
            .in_sync = [this, holds](const std::string& name) { return holds(in_sync, name); },
            .take_over = [this] { ++taken_over; },
            .tell = [this](const std::string& line) { note(line); }};
  }
  persistence::LogFollowerHooks follower() {
    return {.may_answer = [this](std::uint64_t epoch) { return epoch >= least_epoch; },
            .primary_leaves = [] {},
            .whole = [this](bool is, std::uint64_t, bool) { whole = is; },
            .tell = [this](const std::string& line) { note(line); }};
  }
  void note(const std::string& line) {
    const std::lock_guard guard(mutex);
    lines += line + "\n";
    if (std::getenv("ROOF_TELL")) std::cerr << "tell: " << line << "\n";
  }
};

struct LogStream : ::testing::Test {
  TemporaryFolder folder;
  CertificateAuthority authority{folder.file(""), "ca"};
  ScriptedLeadership leadership;
  std::string primary = folder.file("primary"), standby = folder.file("standby");
  std::string group = "roofd";
  std::uint16_t port = 0;
  std::unique_ptr<persistence::Store> store;
  std::unique_ptr<persistence::LogServer> server;
  std::unique_ptr<persistence::LogFollower> follower;
  std::unique_ptr<CuttingProxy> proxy;

  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);  // as the program does
    authority.issue("member");
    port = free_port();
    lead(1);
  }
  void TearDown() override {
    follower.reset();
    server.reset();
    store.reset();
  }
  /// `ca`: whom it trusts; the cluster's own unless said.
  tl::expected<std::shared_ptr<const persistence::MutualTls>, std::string> try_tls(
      const std::string& name, const std::string& ca = {}) const {
    return persistence::MutualTls::load(folder.file(name + ".crt"), folder.file(name + ".key"),
                                        ca.empty() ? authority.file() : ca);
  }
  std::shared_ptr<const persistence::MutualTls> tls(const std::string& name = "member",
                                                    const std::string& ca = {}) const {
    auto loaded = try_tls(name, ca);
    EXPECT_TRUE(loaded) << loaded.error();
    return *loaded;
  }
  void lead(std::uint64_t epoch) {
    auto opened = persistence::Store::open(primary, true);
    ASSERT_TRUE(opened) << opened.error();
    store = std::move(*opened);
    auto started = persistence::LogServer::start(*store,
                                                 {.name = "a",
                                                  .group = group,
                                                  .host = "127.0.0.1",
                                                  .port = port,
                                                  .peer_host = "127.0.0.1",
                                                  .tls = tls(),
                                                  .epoch = epoch,
                                                  .ping = std::chrono::milliseconds(20),
                                                  .patience = std::chrono::milliseconds(1'000)},
                                                 leadership.server(), primary);
    ASSERT_TRUE(started) << started.error();
    server = std::move(*started);
    ASSERT_TRUE(store->begin_epoch(epoch, *server));
  }
  void follow(std::uint16_t at = 0, const std::string& name = "b") {
    auto started = persistence::LogFollower::start(standby,
                                                   {.name = name,
                                                    .group = "roofd",
                                                    .host = "127.0.0.1",
                                                    .port = at ? at : port,
                                                    .tls = tls(),
                                                    .patience = std::chrono::milliseconds(2'000)},
                                                   leadership.follower());
    ASSERT_TRUE(started) << started.error();
    follower = std::move(*started);
  }
  bool soon(const std::function<bool()>& holds) {
    for (int i = 0; i < 3'000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(10)))
      if (holds()) return true;
    return false;
  }
  bool in_sync() {
    return soon([this] {
      const std::lock_guard guard(leadership.mutex);
      return leadership.in_sync.contains("b");
    });
  }
  /// Nobody waits for it any more.
  void lose_standby() {
    follower.reset();
    // Until it has noticed, the server may take it into the record once more.
    ASSERT_TRUE(soon([this] { return !server->figures().connected; }));
    leadership.server().diverged();
  }
  void end_primary() {
    server.reset();
    store.reset();
    leadership.server().diverged();
  }
  bool told(const std::string& words) {
    return soon([&] {
      const std::lock_guard guard(leadership.mutex);
      return leadership.lines.find(words) != std::string::npos;
    });
  }
  /// Of the parts of the log that RocksDB has not given up yet.
  std::uintmax_t log_bytes() {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(primary + "/store")) {
      std::error_code gone_meanwhile;
      const auto size = entry.path().extension() == ".log" ? entry.file_size(gone_meanwhile) : 0;
      if (!gone_meanwhile) bytes += size;
    }
    return bytes;
  }
  std::ptrdiff_t tables_in_files() {
    return std::ranges::count_if(std::filesystem::directory_iterator(standby + "/store"),
                                 [](const auto& entry) { return entry.path().extension() == ".sst"; });
  }
  std::uint64_t newest() {
    std::uint64_t number = 0;
    store->between_batches([&](std::uint64_t n, const auto&) { number = n; });
    return number;
  }
  /// How many batches a store that nobody has open was given from this number on.
  static std::size_t pieces_of_log(const std::string& directory, std::uint64_t first) {
    persistence::DatabasePtr database;
    if (!open_database(directory, persistence::Access::following, database).ok()) return 0;
    std::unique_ptr<rocksdb::TransactionLogIterator> it;
    std::size_t pieces = 0;
    for (database->db->GetUpdatesSince(first, &it); it && it->Valid(); it->Next()) ++pieces;
    EXPECT_GT(pieces, 0U);
    return pieces;
  }
  void put(int n, std::size_t bytes = 300) {
    ASSERT_TRUE(
        store->commit({{persistence::Table::projects, "key" + std::to_string(n), std::string(bytes, 'v')},
                       {persistence::Table::results, "key" + std::to_string(n), std::to_string(n)}}));
  }
  /// Every table of the two stores, as they are on disk.
  void expect_equal() {
    follower.reset();
    server.reset();
    store.reset();
    persistence::DatabasePtr one, other;
    ASSERT_TRUE(persistence::open_database(primary, persistence::Access::reading, one).ok());
    ASSERT_TRUE(persistence::open_database(standby, persistence::Access::reading, other).ok());
    EXPECT_EQ(one->db->GetLatestSequenceNumber(), other->db->GetLatestSequenceNumber());
    for (std::size_t table = 1; table < one->handles.size(); ++table) {
      const auto rows = [&](const persistence::Database& database) {
        std::map<std::string, std::string> found;
        const std::unique_ptr<rocksdb::Iterator> it(
            database.db->NewIterator(rocksdb::ReadOptions(), database.handles[table]));
        for (it->SeekToFirst(); it->Valid(); it->Next()) found[it->key().ToString()] = it->value().ToString();
        return found;
      };
      EXPECT_EQ(rows(*one), rows(*other)) << one->handles[table]->GetName();
    }
  }
};

}  // namespace test
