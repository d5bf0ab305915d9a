// The log from a primary's store to a standby's, over real sockets and mutual TLS. Who leads is scripted
// here; its rules have a test of their own (tests/actors/pair/leadership_test.cpp).
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <future>
#include <random>
#include <set>

#include "persistence/log_follower.hpp"
#include "persistence/log_server.hpp"
#include "tests/cluster_certificates.hpp"
#include "tests/cutting_proxy.hpp"
#include "tests/free_port.hpp"
#include "tests/persistence/store_fixture.hpp"

namespace {

using namespace std::chrono_literals;
using namespace persistence;
using ::testing::HasSubstr;

std::int64_t steady_ms() {
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

  LogServerHooks server() {
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
  LogFollowerHooks follower() {
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
  test::TemporaryFolder folder;
  test::CertificateAuthority authority{folder.file(""), "ca"};
  ScriptedLeadership leadership;
  std::string primary = folder.file("primary"), standby = folder.file("standby");
  std::string group = "roofd";
  std::uint16_t port = 0;
  std::unique_ptr<Store> store;
  std::unique_ptr<LogServer> server;
  std::unique_ptr<LogFollower> follower;
  std::unique_ptr<test::CuttingProxy> proxy;

  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);  // as the program does
    authority.issue("member");
    port = test::free_port();
    lead(1);
  }
  void TearDown() override {
    follower.reset();
    server.reset();
    store.reset();
  }
  std::shared_ptr<const MutualTls> tls(const std::string& name = "member") {
    auto loaded = MutualTls::load(folder.file(name + ".crt"), folder.file(name + ".key"), authority.file());
    EXPECT_TRUE(loaded) << loaded.error();
    return *loaded;
  }
  void lead(std::uint64_t epoch) {
    auto opened = Store::open(primary, true);
    ASSERT_TRUE(opened) << opened.error();
    store = std::move(*opened);
    auto started = LogServer::start(*store,
                                    {.name = "a",
                                     .group = group,
                                     .host = "127.0.0.1",
                                     .port = port,
                                     .peer_host = "127.0.0.1",
                                     .tls = tls(),
                                     .epoch = epoch,
                                     .ping = 20ms,
                                     .patience = 1'000ms},
                                    leadership.server(), primary);
    ASSERT_TRUE(started) << started.error();
    server = std::move(*started);
    ASSERT_TRUE(store->begin_epoch(epoch, *server));
  }
  void follow(std::uint16_t at = 0, const std::string& name = "b") {
    auto started = LogFollower::start(standby,
                                      {.name = name,
                                       .group = "roofd",
                                       .host = "127.0.0.1",
                                       .port = at ? at : port,
                                       .tls = tls(),
                                       .patience = 2'000ms},
                                      leadership.follower());
    ASSERT_TRUE(started) << started.error();
    follower = std::move(*started);
  }
  bool soon(const std::function<bool()>& holds) {
    for (int i = 0; i < 3'000; ++i, std::this_thread::sleep_for(10ms))
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
    for (const auto& entry : std::filesystem::directory_iterator(primary + "/store"))
      if (entry.path().extension() == ".log") bytes += entry.file_size();
    return bytes;
  }
  std::ptrdiff_t tables_in_files() {
    return std::ranges::count_if(std::filesystem::directory_iterator(standby + "/store"),
                                 [](const auto& entry) { return entry.path().extension() == ".sst"; });
  }
  void put(int n, std::size_t bytes = 300) {
    ASSERT_TRUE(store->commit({{Table::projects, "key" + std::to_string(n), std::string(bytes, 'v')},
                               {Table::results, "key" + std::to_string(n), std::to_string(n)}}));
  }
  /// Every table of the two stores, as they are on disk.
  void expect_equal() {
    follower.reset();
    server.reset();
    store.reset();
    DatabasePtr one, other;
    ASSERT_TRUE(open_database(primary, Access::reading, one).ok());
    ASSERT_TRUE(open_database(standby, Access::reading, other).ok());
    EXPECT_EQ(one->db->GetLatestSequenceNumber(), other->db->GetLatestSequenceNumber());
    for (std::size_t table = 1; table < one->handles.size(); ++table) {
      const auto rows = [&](const Database& database) {
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

TEST_F(LogStream, ANewStandbyIsCopiedAndThenHasEveryBatch) {
  for (int n = 0; n < 50; ++n) put(n, 20'000);
  follow();
  ASSERT_TRUE(in_sync());
  for (int n = 50; n < 300; ++n) put(n);
  EXPECT_EQ(server->figures().answered, server->figures().newest);
  EXPECT_EQ(server->figures().copies, 1U);
  expect_equal();
}

TEST_F(LogStream, ABatchIsAcknowledgedOnlyWhenTheStandbyHasIt) {
  follow();
  ASSERT_TRUE(in_sync());
  follower.reset();
  auto acknowledged = std::async(std::launch::async, [this] { put(1); });
  EXPECT_EQ(acknowledged.wait_for(300ms), std::future_status::timeout);
  follow();
  EXPECT_EQ(acknowledged.wait_for(20s), std::future_status::ready);
  expect_equal();
}

TEST_F(LogStream, AfterAnAbsenceTheLogSuffices) {
  follow();
  ASSERT_TRUE(in_sync());
  lose_standby();
  for (int n = 0; n < 2'000; ++n) put(n, 20'000);  // more than is held in memory
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U);
  expect_equal();
}

TEST_F(LogStream, TheLogIsHeldFromACopysBeginUntilTheStandbyIsInSync) {
  constexpr std::uintmax_t kMegabyte = 1U << 20U;
  leadership.takes_in = false;
  follow();
  ASSERT_TRUE(soon([this] { return leadership.whole.load(); }));
  for (int n = 0; n < 120; ++n) put(n, kMegabyte);  // RocksDB gives up what is over 64 MB
  EXPECT_GE(log_bytes(), 120 * kMegabyte);
  leadership.takes_in = true;
  ASSERT_TRUE(in_sync());
  EXPECT_TRUE(soon([&] { return log_bytes() < 80 * kMegabyte; })) << log_bytes();
}

TEST_F(LogStream, WhenThePrimaryGoesTheStandbyFlushesWhatItWouldReadFromTheLog) {
  follow();
  ASSERT_TRUE(in_sync());
  for (int n = 0; n < 20; ++n) put(n, 400'000);
  const auto before = tables_in_files();
  end_primary();
  EXPECT_TRUE(soon([&] { return tables_in_files() > before; }));
}

TEST_F(LogStream, AStandbyWithBatchesOfItsOwnIsCopiedAnew) {
  follow();
  ASSERT_TRUE(in_sync());
  put(1);
  follower.reset();
  server.reset();
  store.reset();
  std::swap(primary, standby);  // it leads once, unseen by the other
  leadership.server().diverged();
  lead(2);
  put(2);
  server.reset();
  store.reset();
  std::swap(primary, standby);
  lead(3);
  put(3);
  put(4);
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U) << "of this server";
  expect_equal();
}

// Both begin with the same epoch and the same numbers.
TEST_F(LogStream, TheStoreOfAnotherPairThatWasSetUpAlikeIsNotTakenForABeginning) {
  follow();
  ASSERT_TRUE(in_sync());
  put(1);
  follower.reset();
  end_primary();
  std::filesystem::remove_all(primary);
  lead(1);
  for (int n = 2; n < 9; ++n) put(n);
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U);
  expect_equal();
}

TEST_F(LogStream, AStandbyKilledBetweenACopysRenamesHasItsDataBack) {
  follow();
  ASSERT_TRUE(in_sync());
  put(1);
  lose_standby();
  std::filesystem::rename(standby + "/store", standby + "/store.replaced");
  put(2);
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U) << "the first";
  expect_equal();
}

TEST_F(LogStream, AStandbyOfAnotherPairIsRefused) {
  end_primary();
  group = "other";
  lead(1);
  follow();
  EXPECT_TRUE(told("b is of the pair roofd (cluster.group), this is other"));
  std::this_thread::sleep_for(1s);  // it comes again
  const std::lock_guard guard(leadership.mutex);
  EXPECT_EQ(leadership.lines.find("another version"), std::string::npos);
  EXPECT_EQ(leadership.lines.find("a standby is refused"), leadership.lines.rfind("a standby is refused"));
  EXPECT_EQ(server->figures().copies, 0U);
}

TEST_F(LogStream, AStandbyOfAnOlderVersionIsRefused) {
  const auto says = [this](const std::string& greeting) {
    auto channel = Channel::connect("127.0.0.1", port, tls(), 2'000ms);
    ASSERT_TRUE(channel) << channel.error();
    EXPECT_TRUE((*channel)->send('G', greeting));
    EXPECT_TRUE(soon([&] { return (*channel)->receive(10ms), (*channel)->over(); }));
  };
  Greeting greeting{.name = "b", .group = "roofd", .schema = kSchema};
  says(old_greeting_bytes(greeting));
  EXPECT_TRUE(told("another version"));
  greeting.schema = kSchema - 1;
  says(greeting_bytes(greeting));
  EXPECT_TRUE(told("b would lose what it does not know"));
}

TEST_F(LogStream, AnOrderToTakeOverIsForgottenWithItsConnection) {
  proxy = std::make_unique<test::CuttingProxy>(port);
  follow(proxy->port());
  ASSERT_TRUE(in_sync());
  proxy->cut(true);
  follower->take_over();  // on its way when nobody hears it
  ASSERT_TRUE(soon([this] { return !server->figures().connected && !follower->figures().connected; }));
  follower->take_over();
  leadership.server().diverged();
  proxy->cut(false);
  ASSERT_TRUE(in_sync());
  put(1);
  EXPECT_EQ(leadership.taken_over, 0);
  follower->take_over();
  EXPECT_TRUE(soon([this] { return leadership.taken_over == 1; }));
}

TEST_F(LogStream, AStandbyThatIsNotInSyncDoesNotTakeOver) {
  follow();
  ASSERT_TRUE(in_sync());
  {
    const std::lock_guard guard(leadership.mutex);
    leadership.in_sync.clear();  // and it is needed, so that it does not join anew
  }
  follower->take_over();
  EXPECT_TRUE(told("b is not in sync"));
  EXPECT_EQ(leadership.taken_over, 0);
}

TEST_F(LogStream, AChangedBitOnTheWayIsFoundAndSentAnew) {
  proxy = std::make_unique<test::CuttingProxy>(port);
  follow(proxy->port());
  ASSERT_TRUE(in_sync());
  for (int n = 0; n < 20; ++n) {
    if (n % 5 == 0) proxy->flip = true;
    put(n, 20'000);
  }
  EXPECT_GE(server->figures().connections, 3U);
  expect_equal();
}

TEST_F(LogStream, APrimaryOfAnOlderEpochIsNotAnswered) {
  follow();
  ASSERT_TRUE(in_sync());
  leadership.least_epoch = 2;
  auto acknowledged = std::async(std::launch::async, [this] { put(1); });
  EXPECT_EQ(acknowledged.wait_for(500ms), std::future_status::timeout);
  leadership.server().diverged();
  EXPECT_EQ(acknowledged.wait_for(5s), std::future_status::ready);
}

TEST_F(LogStream, APrimaryOfAnOlderEpochDoesNotOverwriteTheStandby) {
  follow();
  ASSERT_TRUE(in_sync());
  put(1);
  follower.reset();
  server.reset();
  store.reset();
  leadership.server().diverged();
  std::filesystem::remove_all(primary);  // it must copy the standby anew
  lead(1);
  leadership.least_epoch = 2;
  follow();
  EXPECT_TRUE(
      soon([this] { return follower->figures().fault.find("is not copied from") != std::string::npos; }));
  follower.reset();
  DatabasePtr kept;
  ASSERT_TRUE(open_database(standby, Access::reading, kept).ok());
  std::string value;
  EXPECT_TRUE(kept->db->Get({}, kept->handle(Table::projects), "key1", &value).ok()) << "it has its data";
}

TEST_F(LogStream, AStandbyByThePrimarysOwnNameIsRefusedAndDoesNotLead) {
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_TRUE(leadership.whole);
  lose_standby();
  follow(0, "a");
  EXPECT_TRUE(soon([this] { return follower->figures().fault.find("own name: a") != std::string::npos; }));
  EXPECT_TRUE(soon([this] { return !leadership.whole; }));
  put(1);
  EXPECT_EQ(server->figures().copies, 1U);
}

TEST_F(LogStream, AStandbyThatSaysNothingMoreIsGivenUpAndServedWhenItComesBack) {
  proxy = std::make_unique<test::CuttingProxy>(port);
  follow(proxy->port());
  ASSERT_TRUE(in_sync());
  proxy->cut(true);
  EXPECT_TRUE(soon([this] { return !server->figures().connected; }));
  follower.reset();
  leadership.server().diverged();
  put(1);
  follow();
  EXPECT_TRUE(in_sync());
  expect_equal();
}

TEST_F(LogStream, SilentStrangersDoNotHoldUpTheStandby) {
  std::vector<int> silent;
  for (int n = 0; n < 80; ++n) {
    silent.push_back(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(port);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::connect(silent.back(), reinterpret_cast<sockaddr*>(&there), sizeof there), 0);
  }
  follow();
  EXPECT_TRUE(in_sync()) << "each of them has five seconds";
  for (const int socket : silent) ::close(socket);
}

TEST_F(LogStream, StrangersAreRefusedAndCostNoMemory) {
  test::CertificateAuthority other(folder.file(""), "other");
  other.issue("stranger");
  authority.issue("elsewhere", "IP:127.0.0.9");
  const auto try_as = [&](const std::string& name) {
    const auto as = tls(name);
    auto channel = Channel::connect("127.0.0.1", port, as, 2'000ms);
    if (!channel) return channel.error();
    (*channel)->send(
        'G', greeting_bytes(Greeting{.name = "x",
                                     .newest = 0,
                                     .history = {},
                                     .tables = {}}));  // with TLS 1.3 a refusal comes after the handshake
    while (!(*channel)->over()) {
      if ((*channel)->receive(2'000ms)) return std::string("answered");
    }
    return (*channel)->fault();
  };
  EXPECT_NE(try_as("stranger"), "answered");
  EXPECT_NE(try_as("elsewhere"), "answered") << "a certificate that names another machine";
  for (const std::string& garbage : {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(100'000, '\xff')}) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(port);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&there), sizeof there), 0);
    ::send(socket, garbage.data(), garbage.size(), MSG_NOSIGNAL);
    ::close(socket);
  }
  // A member, but with a greeting of 200 MB.
  auto channel = Channel::connect("127.0.0.1", port, tls(), 2'000ms);
  ASSERT_TRUE(channel) << channel.error();
  (*channel)->send('G', std::string(200U << 20U, 'x'));
  EXPECT_TRUE(soon([&] { return (*channel)->over() || ((*channel)->receive(10ms), (*channel)->over()); }));
  follow();
  EXPECT_TRUE(in_sync()) << "and the standby is served after all that";
}

TEST_F(LogStream, DataOfItsOwnAreNotReplaced) {
  {
    auto own = Store::open(standby);
    ASSERT_TRUE(own);
    ASSERT_TRUE((*own)->commit({{Table::projects, "mine", "precious"}}));
  }
  follow();
  EXPECT_TRUE(soon([this] { return !follower->figures().fault.empty(); }));
  EXPECT_THAT(follower->figures().fault, HasSubstr("data of its own"));
  follower.reset();
  auto own = Store::open(standby);
  ASSERT_TRUE(own);
  EXPECT_EQ(*(*own)->get(Table::projects, "mine"), "precious");
}

TEST_F(LogStream, APairsStoreTakesNoWritesUnlessItLeadsOrHasLeftThePair) {
  server.reset();
  store.reset();
  auto alone = Store::open(primary);
  ASSERT_TRUE(alone);
  EXPECT_FALSE((*alone)->commit({{Table::projects, "x", "y"}}));
  EXPECT_THAT((*alone)->last_fault(), HasSubstr("pair"));
  ASSERT_TRUE((*alone)->leave_pair());
  EXPECT_TRUE((*alone)->commit({{Table::projects, "x", "y"}}));
}

}  // namespace
