// The clock jumps by a day either way under the running program (libfaketime changes the time of day only, as
// a real jump does; waits use the monotonic clock). No hour holds more than its limit, nobody is locked out
// for longer than that hour, results expire by the clock and come to no harm, runs go on, nothing is lost.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/http/service/running_service.hpp"
#include "tests/http/service/web_visitor.hpp"
#include "tests/sanitizers.hpp"

namespace {

using test::Environment;
using test::Reply;
using test::RunningService;

constexpr auto kLibrary = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
/// A sanitizer brings its own.
constexpr auto kMalloc = test::kUnderSanitizer ? "" : "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4";
constexpr int kCreations = 4;
constexpr int kHour_s = 3600;

/// While it exists, programs that are started see the time that jump() sets. They use gperftools' malloc,
/// because jemalloc and libfaketime need each other to start: jemalloc asks for the time at its first
/// allocation, and libfaketime allocates memory when it is first asked for the time.
class TurnedClock {
 public:
  TurnedClock() { jump("+0"); }
  /// "+1d": a day ahead of the real time from now on.
  void jump(const std::string& ahead) const {
    const std::string fresh = folder_.path("fresh");
    std::ofstream(fresh) << ahead << "\n";
    std::filesystem::rename(fresh, folder_.path("time"));  // no reader sees half a file
  }

 private:
  test::TemporaryFolder folder_;
  Environment libraries_{"LD_PRELOAD", std::string(kLibrary) + ":" + kMalloc},
      file_{"FAKETIME_TIMESTAMP_FILE", folder_.path("time")}, no_cache_{"FAKETIME_NO_CACHE", "1"},
      waiting_{"FAKETIME_DONT_FAKE_MONOTONIC", "1"};
};

std::string path_of(std::uint64_t project) { return "/projekte/" + std::to_string(project) + "/dachanalyse"; }

class ClockTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string library : {kLibrary, kMalloc})
      if (!library.empty() && !std::filesystem::exists(library))
        GTEST_SKIP() << "the clock is turned by Debian's libfaketime and libtcmalloc-minimal4; there is no "
                     << library;
    clock_ = std::make_unique<TurnedClock>();
    service_ = std::make_unique<RunningService>(
        std::vector<std::string>{"--limits.create-per-hour=" + std::to_string(kCreations)});
    key_ = service_->new_key();
    for (std::uint64_t id = 1; id < kCreations; ++id) {
      ASSERT_EQ(service_->create(key_, next_++).status, 202);
      const Reply result = service_->await_result(key_, id);
      ASSERT_EQ(result.status, 200) << result.body;
      results_.push_back(result.body);
    }
  }

  Reply state(std::uint64_t project) const { return service_->get(path_of(project), key_); }
  Reply again(std::uint64_t project) const { return service_->post(path_of(project), key_, {}, {}); }

  /// A jump of the clock during a run does not change how long it has computed.
  void expect_good_result(std::uint64_t project) const {
    const Reply result = service_->await_result(key_, project);
    ASSERT_EQ(result.status, 200) << result.body;
    EXPECT_GE(result.json()["dauer_s"], 0);
    EXPECT_LT(result.json()["dauer_s"], 60);
  }

  /// Restarts project 1 until the hour's limit is reached; returns how many restarts were accepted.
  int fill_the_hour() {
    int created = 0;
    Reply reply = again(1);
    for (; reply.status == 202; reply = again(1)) {
      ++created;
      service_->await_result(key_, 1);
    }
    EXPECT_EQ(reply.code(), "ratengrenze") << reply.body;
    const int wait_s = std::stoi(reply.headers.at("retry-after"));
    EXPECT_GT(wait_s, 0);
    EXPECT_LE(wait_s, kHour_s) << "locked out for longer than an hour";
    return created;
  }

  std::unique_ptr<TurnedClock> clock_;
  std::unique_ptr<RunningService> service_;
  std::string key_;
  std::vector<std::string> results_;
  std::size_t next_ = 0;
};

TEST_F(ClockTest, AheadByADayEndsHoursAndResultsAsADayDoes) {
  ASSERT_EQ(fill_the_hour(), 1);
  clock_->jump("+1d");
  const Reply expired = state(2);
  EXPECT_EQ(expired.status, 404);
  EXPECT_EQ(expired.code(), "analyse_fehlt");
  EXPECT_EQ(again(2).status, 202);
  expect_good_result(2);
  EXPECT_EQ(fill_the_hour(), kCreations - 1);
  service_->kill_9();
  service_->start();
  EXPECT_EQ(fill_the_hour(), 0) << "the full hour is remembered";
  EXPECT_EQ(service_->get("/projekte", key_).json()["anzahl"], kCreations - 1);
}

TEST_F(ClockTest, BackByADayGivesNoHourMoreAndLocksNobodyOutForLonger) {
  ASSERT_EQ(fill_the_hour(), 1);
  clock_->jump("-1d");
  EXPECT_EQ(fill_the_hour(), 0);
  EXPECT_EQ(state(2).body, results_[1]) << "results stay";
  service_->kill_9();
  service_->start();
  EXPECT_EQ(fill_the_hour(), 0) << "also after a restart";
  EXPECT_EQ(state(2).body, results_[1]);
}

TEST_F(ClockTest, UnderARunLeavesTheRunAndHowLongOthersWaitAlone) {
  for (const char* ahead : {"+1d", "-1d", "+0"}) {
    SCOPED_TRACE(ahead);
    if (again(3).code() == "ratengrenze") {  // after the jump back the hour is as full as it was
      clock_->jump("+1d");
      ASSERT_EQ(again(3).status, 202);
    }
    clock_->jump(ahead);
    expect_good_result(3);
  }
  clock_->jump("+3d");
  const Reply next = again(3);
  ASSERT_EQ(next.status, 202) << next.body;
  // A run is taken to last five seconds until one was seen. A day too many or too few in a run's time would
  // make the wait 30 s or 1 s.
  EXPECT_GE(std::stoi(next.headers.at("retry-after")), 2);
  EXPECT_LE(std::stoi(next.headers.at("retry-after")), 5);
  expect_good_result(3);
  EXPECT_GE(service_->metric("roof_run_seconds_sum"), 0);
  EXPECT_LT(service_->metric("roof_run_seconds_sum"), 60);
  service_->expect_no_run_left();
}

// A stolen session must not be enough for a key, which outlives it (web-application.md, section 4, 6).
TEST_F(ClockTest, AfterAQuarterOfAnHourAKeyIsMadeOnlyByOneWhoSignsInAgain) {
  test::WebVisitor person(*service_);
  person.join("frau@beispiel.at", "Sonnendach-42-Garten");
  const std::string made = person.key("erster");
  EXPECT_EQ(service_->get("/projekte", made).status, 200);
  const std::string old_cookie = person.cookie();

  clock_->jump("+16m");
  const Reply refused = person.post("/schluessel", {{"tat", "anlegen"}, {"name", "zweiter & Söhne"}});
  ASSERT_EQ(refused.status, 303);
  const std::string again = refused.headers.at("location");
  EXPECT_THAT(again, testing::StartsWith("/anmelden?"));
  EXPECT_THAT(person.get("/schluessel").body, testing::Not(testing::HasSubstr("zweiter")));
  EXPECT_THAT(person.get(again).body, testing::HasSubstr("noch einmal"));

  const std::string way = "/schluessel?name=zweiter%20%26%20S%C3%B6hne";
  const Reply signed_in = person.post("/anmelden", {{"tat", "anmelden"},
                                                    {"email", "frau@beispiel.at"},
                                                    {"passwort", "Sonnendach-42-Garten"},
                                                    {"weiter", way}});
  ASSERT_EQ(signed_in.status, 303);
  EXPECT_EQ(signed_in.headers.at("location"), way);
  EXPECT_THAT(person.get(way).body, testing::HasSubstr("value=\"zweiter &amp; Söhne\""));
  EXPECT_EQ(service_->get("/projekte", person.key("zweiter")).status, 200);
  const std::string new_cookie = person.cookie();
  person.use_cookie(old_cookie);
  EXPECT_EQ(person.get("/schluessel").status, 303) << "the session before has ended";
  person.use_cookie(new_cookie);
  EXPECT_EQ(person.get("/schluessel").status, 200);
}

}  // namespace
