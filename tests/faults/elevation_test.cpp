// Elevation data that fail under a run: cut short, no raster any more, gone, a server that stalls in the
// middle, a file that never answers. The run ends with the contract's code, and its slot is free for the next
// one. An analysis that throws is injected at the actors' level (tests/actors/service_test.cpp): no
// elevation data make this one throw.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/http/service/running_service.hpp"
#include "tests/loopback_server.hpp"

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::Reply;
using test::RunningService;
using ::testing::HasSubstr;

const std::vector<std::string> kOneSlot{"--analysis.slots=1", "--limits.create-per-hour=0",
                                        "--limits.status-per-hour=0", "--limits.address-per-hour=0",
                                        "--limits.address-per-day=0"};

std::vector<std::string> one_slot_and(std::vector<std::string> more) {
  more.insert(more.end(), kOneSlot.begin(), kOneSlot.end());
  return more;
}

/// A copy of the sample region whose files a test may spoil, kept beside it as they were.
struct OwnRegion {
  OwnRegion() {
    fs::copy(fs::path(test::sample_region().catalogue).parent_path(), folder.path("region"),
             fs::copy_options::recursive);
  }
  std::string catalogue() const { return folder.path("region/geodata.json"); }
  fs::path dsm() const { return folder.path("region/dsm.tif"); }
  void mend() const {
    fs::remove_all(dsm());
    fs::copy_file(fs::path(test::sample_region().catalogue).parent_path() / "dsm.tif", dsm());
  }
  test::TemporaryFolder folder;
};

/// One project after the other at addresses of their own.
struct Client {
  explicit Client(RunningService& s) : service(s), key(s.new_key()) {}
  std::uint64_t create() {
    const Reply reply = service.create(key, next++);
    EXPECT_EQ(reply.status, 202) << reply.body;
    return reply.json()["projekt_id"];
  }
  Reply state(std::uint64_t project) const { return service.get(path(project), key); }
  Reply again(std::uint64_t project) const {
    EXPECT_EQ(service.post(path(project), key, {}, {}).status, 202);
    return service.await_result(key, project);
  }
  Reply run() { return service.await_result(key, create()); }
  static std::string path(std::uint64_t project) {
    return "/projekte/" + std::to_string(project) + "/dachanalyse";
  }
  RunningService& service;
  std::string key;
  std::size_t next = 0;
};

TEST(ElevationFile, ThatIsSpoiltEndsTheRunWith503AndTheNextRunSucceedsWhenItIsMended) {
  const OwnRegion region;
  RunningService service(kOneSlot, region.catalogue());
  Client client(service);
  const std::vector<std::pair<const char*, std::function<void()>>> faults = {
      {"cut short", [&] { fs::resize_file(region.dsm(), fs::file_size(region.dsm()) / 3); }},
      {"cut within its head", [&] { fs::resize_file(region.dsm(), 100); }},
      {"empty", [&] { fs::resize_file(region.dsm(), 0); }},
      {"no raster", [&] { std::ofstream(region.dsm()) << "no raster"; }},
      {"gone", [&] { fs::remove(region.dsm()); }},
      {"a folder", [&] { fs::remove(region.dsm()), fs::create_directory(region.dsm()); }}};
  for (const auto& [what, spoil] : faults) {
    SCOPED_TRACE(what);
    spoil();
    const std::uint64_t project = client.create();
    const Reply failed = service.await_result(client.key, project);
    EXPECT_EQ(failed.status, 503) << failed.body;
    EXPECT_EQ(failed.code(), "dienst_nicht_erreichbar");
    EXPECT_TRUE(failed.headers.contains("retry-after"));
    EXPECT_THAT(failed.body, ::testing::Not(HasSubstr(region.folder.path()))) << "no path of ours is told";
    client.service.expect_no_run_left();
    region.mend();
    EXPECT_EQ(client.again(project).status, 200);
  }
  client.service.expect_no_run_left();
}

TEST(ElevationServer, ThatStallsInTheMiddleEndsTheRunAndFreesItsSlot) {
  const test::Environment patience("GDAL_HTTP_TIMEOUT", "1");
  const OwnRegion region;
  std::atomic<bool> stalls{false};
  const test::LoopbackServer server([&](const auto& request) {
    auto answer = test::file_answer(region.dsm().string(), request);
    answer.stalls = stalls;
    return answer;
  });
  auto catalogue = nlohmann::json::parse(std::ifstream(region.catalogue()));
  for (auto& set : catalogue["datasets"])
    if (set["kind"] == "dsm") set["path"] = "/vsicurl/" + server.url("/dsm.tif");
  std::ofstream(region.catalogue()) << catalogue.dump();
  RunningService service(kOneSlot, region.catalogue());
  Client client(service);
  stalls = true;
  const std::uint64_t stalled = client.create();
  const std::uint64_t behind = client.create();
  const Reply failed = service.await_result(client.key, stalled);
  EXPECT_EQ(failed.status, 503) << failed.body;
  EXPECT_EQ(failed.code(), "dienst_nicht_erreichbar");
  stalls = false;
  const Reply next = service.await_result(client.key, behind);
  EXPECT_TRUE(next.status == 200 || next.code() == "dienst_nicht_erreichbar") << next.body;
  EXPECT_EQ(client.again(stalled).status, 200);
  client.service.expect_no_run_left();
}

/// A region whose surface model is a pipe that nobody writes into: opening it never returns, until release().
struct SilentRegion : OwnRegion {
  void fall_silent() const {
    fs::remove(dsm());
    ASSERT_EQ(::mkfifo(dsm().c_str(), 0600), 0);
  }
  /// Restores the file. A thread that hangs in the pipe goes on and reads nothing. Returns whether there was
  /// one.
  bool release() const {
    const std::string pipe = folder.path("pipe");
    fs::rename(dsm(), pipe);
    mend();
    bool anybody = false;
    for (int fd = -1; (fd = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) >= 0; ::close(fd)) {
      anybody = true;
      std::this_thread::sleep_for(5ms);
    }
    return anybody;
  }
};

TEST(HangingRun, EndsAtItsDeadlineAndItsSlotFallsFreeWhenItsThreadHasEnded) {
  const SilentRegion region;
  // Long enough for the runs after it, however busy the machine is.
  RunningService service(one_slot_and({"--analysis.deadline=30"}), region.catalogue());
  Client client(service);
  ASSERT_NO_FATAL_FAILURE(region.fall_silent());
  const std::uint64_t hanging = client.create();
  const std::uint64_t behind = client.create();
  const Reply failed = service.await_result(client.key, hanging);
  EXPECT_EQ(failed.status, 500) << failed.body;
  EXPECT_EQ(failed.code(), "analyse_fehlgeschlagen");
  EXPECT_EQ(client.state(behind).json()["wartet"], true) << "the thread still hangs: no second one computes";
  EXPECT_EQ(service.metric("roof_slots_taken"), 1);
  EXPECT_EQ(service.post(Client::path(hanging), client.key, {}, {}).json()["wartet"], true);
  EXPECT_TRUE(region.release());
  EXPECT_EQ(service.await_result(client.key, behind).status, 200);
  EXPECT_EQ(service.await_result(client.key, hanging).status, 200) << "its restart";
  client.service.expect_no_run_left();
}

TEST(HangingData, IsToldToTheOperatorAndLeavesHisPagesAnswering) {
  const SilentRegion region;
  RunningService service(kOneSlot, region.catalogue());
  ASSERT_NO_FATAL_FAILURE(region.fall_silent());
  for (int i = 0; i < 2; ++i) {
    const Reply ready = service.operators("/readyz");
    EXPECT_EQ(ready.status, 503);
    EXPECT_THAT(ready.body, HasSubstr("do not answer"));
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(service.operators("/healthz").status, 200);
    EXPECT_EQ(service.metric("roof_slots"), 1);
    EXPECT_LT(std::chrono::steady_clock::now() - began, test::kLastResort);
  }
  EXPECT_LT(service.stop(), test::kLastResort);
}

TEST(HangingRun, DoesNotKeepTheProgramFromEndingAndIsInterruptedAfterwards) {
  const SilentRegion region;
  RunningService service(kOneSlot, region.catalogue());
  Client client(service);
  ASSERT_NO_FATAL_FAILURE(region.fall_silent());
  const std::uint64_t hanging = client.create();
  while (client.state(hanging).json()["wartet"] == true) std::this_thread::sleep_for(10ms);
  EXPECT_LT(service.stop(), test::kLastResort);
  region.mend();
  service.start();
  EXPECT_EQ(client.state(hanging).code(), "analyse_abgebrochen");
  EXPECT_EQ(client.again(hanging).status, 200);
}

}  // namespace
