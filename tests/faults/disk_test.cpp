// A disk that is full, and one that falls back to read-only, under the running program: what cannot be stored
// is refused, reading goes on, and nothing that was acknowledged is lost. Two means: a small disk of the
// test's own (root), and a limit on the size of files, which any user may set.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <thread>

#include "tests/faults/own_disk.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using namespace std::chrono_literals;
using test::OwnDisk;
using test::Reply;
using test::RunningService;
using ::testing::HasSubstr;

const std::vector<std::string> kNoLimits{"--limits.create-per-hour=0", "--limits.status-per-hour=0",
                                         "--limits.address-per-hour=0", "--limits.address-per-day=0"};

std::string state_of(std::uint64_t project) {
  return "/projekte/" + std::to_string(project) + "/dachanalyse";
}

bool refused_by_disk(const Reply& reply) {
  return (reply.status == 500 && reply.code() == "interner_fehler") || reply.status == 503;
}

/// A client that remembers what it was told, and a service whose disk is about to fill.
class DiskTest : public testing::Test {
 protected:
  DiskTest() : service_(kNoLimits) {}

  void prepare() {
    key_ = service_.new_key();
    finished_ = create().json()["projekt_id"];
    const Reply result = service_.await_result(key_, finished_);
    ASSERT_EQ(result.status, 200) << result.body;
    result_ = result.body;
  }

  /// Creates a project at the next address, and remembers it when it is acknowledged.
  Reply create() {
    Reply reply = service_.create(key_, next_++);
    if (reply.status == 202) acknowledged_.push_back(reply.json()["projekt_id"]);
    return reply;
  }

  /// Creates until one is refused: small writes may still fit into space that a file already has.
  void create_until_refused() {
    Reply last{.status = 202};
    while (last.status == 202 && next_ < 8) last = create();
    EXPECT_TRUE(refused_by_disk(last)) << last.status << " " << last.body;
    EXPECT_EQ(last.headers.at("content-type"), "application/problem+json");
  }

  void expect_reading_goes_on() {
    EXPECT_EQ(service_.get(state_of(finished_), key_).body, result_);
    EXPECT_EQ(service_.get("/projekte", key_).json()["anzahl"], acknowledged_.size());
    EXPECT_EQ(service_.get("/projekte/" + std::to_string(finished_) + "/bilder/uebersicht", key_).status,
              200);
    EXPECT_EQ(service_.operators("/healthz").status, 200);
  }

  void expect_operators_are_told() {
    EXPECT_EQ(service_.metric("roof_store_takes_writes"), 0);
    EXPECT_EQ(service_.operators("/readyz").status, 503);
    EXPECT_THAT(service_.operators("/readyz").body, HasSubstr("takes no writes"));
    EXPECT_GE(service_.metric("roof_journal_refused_total"), 1);
    const auto key =
        test::run_roofd({"key", "add", "--data-dir=" + service_.data_dir(), "--account=1", "--name=x"});
    EXPECT_EQ(key.exit_code, 1);
    EXPECT_THAT(key.err, HasSubstr("cannot be read or written"));
  }

  void expect_recovery() {
    Reply created = create();
    const auto end = std::chrono::steady_clock::now() + test::kLastResort;
    for (; created.status != 202 && std::chrono::steady_clock::now() < end; --next_) {
      std::this_thread::sleep_for(20ms);
      created = create();
    }
    ASSERT_EQ(created.status, 202) << created.body;
    EXPECT_EQ(service_.metric("roof_store_takes_writes"), 1);
    EXPECT_EQ(service_.operators("/readyz").status, 200);
  }

  /// Every acknowledged project is there, and its run ends.
  void expect_nothing_lost() {
    EXPECT_EQ(service_.get(state_of(finished_), key_).body, result_);
    EXPECT_EQ(service_.get("/projekte", key_).json()["anzahl"], acknowledged_.size());
    for (const std::uint64_t project : acknowledged_) {
      Reply reply = service_.await_result(key_, project);
      if (reply.status != 200) {
        EXPECT_TRUE(reply.code() == "interner_fehler" || reply.code() == "analyse_abgebrochen") << reply.body;
        EXPECT_EQ(service_.post(state_of(project), key_, {}, {}).status, 202);
        reply = service_.await_result(key_, project);
      }
      EXPECT_EQ(reply.status, 200) << reply.body;
    }
    service_.expect_no_run_left();
  }

  RunningService service_;
  std::string key_, result_;
  std::uint64_t finished_ = 0;
  std::vector<std::uint64_t> acknowledged_;
  std::size_t next_ = 0;
};

TEST_F(DiskTest, ThatIsFullRefusesWritesAnswersReadsAndTakesWritesWhenThereIsRoom) {
  service_.stop();
  std::string why_not;
  const auto disk = OwnDisk::mounted_on(service_.data_dir(), OwnDisk::Kind::memory, 12, why_not);
  if (!disk) GTEST_SKIP() << why_not;
  service_.start();
  ASSERT_NO_FATAL_FAILURE(prepare());
  disk->fill();
  create_until_refused();
  expect_reading_goes_on();
  expect_operators_are_told();
  EXPECT_TRUE(refused_by_disk(service_.post(state_of(finished_), key_, {}, {})));
  EXPECT_EQ(service_.get(state_of(finished_), key_).body, result_) << "a refused restart keeps the result";
  disk->make_room();
  expect_recovery();
  service_.kill_9();
  service_.start();
  expect_nothing_lost();
}

TEST_F(DiskTest, ThatIsFullWhileItStartsEndsTheProgramWithASentence) {
  service_.stop();
  std::string why_not;
  const auto disk = OwnDisk::mounted_on(service_.data_dir(), OwnDisk::Kind::memory, 12, why_not);
  if (!disk) GTEST_SKIP() << why_not;
  disk->fill();
  const auto ended =
      test::run_roofd({"serve", "--geodata=" + test::sample_region().catalogue,
                       "--data-dir=" + service_.data_dir(), "--http.port=0", "--admin.port=0"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr(service_.data_dir() + ": "));
  disk->make_room();
  service_.start();
  ASSERT_NO_FATAL_FAILURE(prepare());
}

TEST_F(DiskTest, WhoseFilesMayNotGrowIsAFullOneAndDoesNotEndTheProgram) {
  ASSERT_NO_FATAL_FAILURE(prepare());
  rlimit before{};
  const rlimit none{0, RLIM_INFINITY};
  ASSERT_EQ(::prlimit(service_.pid(), RLIMIT_FSIZE, nullptr, &before), 0);
  ASSERT_EQ(::prlimit(service_.pid(), RLIMIT_FSIZE, &none, nullptr), 0);
  create_until_refused();
  expect_reading_goes_on();
  expect_operators_are_told();
  ASSERT_EQ(::prlimit(service_.pid(), RLIMIT_FSIZE, &before, nullptr), 0);
  expect_recovery();
  service_.kill_9();
  service_.start();
  expect_nothing_lost();
}

TEST_F(DiskTest, ThatFallsBackToReadOnlyIsStillReadAndLosesNothing) {
  service_.stop();
  std::string why_not;
  auto disk = OwnDisk::mounted_on(service_.data_dir(), OwnDisk::Kind::ext4, 96, why_not);
  if (!disk) GTEST_SKIP() << why_not;
  service_.start();
  ASSERT_NO_FATAL_FAILURE(prepare());
  disk->turn_read_only();
  create_until_refused();
  expect_reading_goes_on();
  expect_operators_are_told();
  service_.kill_9();
  const auto refused =
      test::run_roofd({"serve", "--geodata=" + test::sample_region().catalogue,
                       "--data-dir=" + service_.data_dir(), "--http.port=0", "--admin.port=0"});
  EXPECT_EQ(refused.exit_code, 2) << "a data directory that takes no writes is not served";
  EXPECT_THAT(refused.err, HasSubstr(service_.data_dir() + ": "));
  ASSERT_NO_FATAL_FAILURE(disk->mount_again());
  service_.start();
  expect_recovery();
  expect_nothing_lost();
}

}  // namespace
