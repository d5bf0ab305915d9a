// What operators see of the running program: its figures, its readiness, its log.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

#include <filesystem>
#include <fstream>

#include "tests/http/service/running_service.hpp"

namespace {

using test::RunningService;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Operations, TheFiguresFollowWhatHappens) {
  RunningService service;
  const std::string key = service.new_key();
  const auto created = service.create(key, 0);
  ASSERT_EQ(created.status, 202) << created.body;
  const auto project = created.json()["projekt_id"].get<std::uint64_t>();
  ASSERT_EQ(service.await_result(key, project).status, 200);
  EXPECT_EQ(service.metric("roof_http_requests_total{method=\"POST\",route=\"/projekte\",status=\"202\"}"),
            1);
  EXPECT_EQ(service.metric("roof_runs_total{outcome=\"fertig\"}"), 1);
  EXPECT_EQ(service.metric("roof_run_seconds_count"), 1);
  EXPECT_EQ(service.metric("roof_run_stage_seconds_count{stage=\"Dachflächen erkennen\"}"), 1);
  EXPECT_GE(service.metric("roof_journal_sync_seconds_count"), 3) << "account, key, project at the least";
  EXPECT_GE(service.metric("roof_store_syncs_total"), 3);
  EXPECT_EQ(service.metric("roof_slots"), 2);
  EXPECT_EQ(service.metric("roof_line_runs"), 0);
  EXPECT_EQ(service.metric("roof_store_takes_writes"), 1);
  EXPECT_GT(service.metric("process_resident_memory_bytes"), 1e6);
}

TEST(Operations, TheServiceIsNotReadyWhenADataSetIsGone) {
  const test::TemporaryFolder folder;
  const std::filesystem::path region = std::filesystem::path(test::sample_region().catalogue).parent_path();
  std::filesystem::copy(region, folder.path("region"), std::filesystem::copy_options::recursive);
  RunningService service({}, folder.path("region/geodata.json"));
  std::filesystem::remove(folder.path("region/dsm.tif"));
  const auto reply = service.operators("/readyz");
  EXPECT_EQ(reply.status, 503);
  EXPECT_THAT(reply.body, HasSubstr("dsm.tif"));
  EXPECT_EQ(service.operators("/healthz").status, 200);
}

TEST(Operations, TheServiceIsReadyWhenItListens) {
  RunningService service;
  EXPECT_EQ(service.operators("/readyz").body, "ready\n");
}

TEST(Operations, TheLogHasALinePerRequestAndNeitherKeyNorAddress) {
  RunningService service;
  const std::string key = service.new_key();
  const auto reply = service.create(key, 0);
  service.get("/projekte?schluessel=" + key);
  service.get("/nirgends/" + key);
  service.stop();
  const std::string log = service.log();
  EXPECT_THAT(
      log, HasSubstr("id=" + reply.headers.at("x-request-id") + " method=POST route=/projekte status=202"));
  EXPECT_THAT(log, HasSubstr("route=- status=404"));
  EXPECT_THAT(log, Not(HasSubstr(key)));
  EXPECT_THAT(log, Not(HasSubstr(key.substr(5))));
  const std::string& address = test::sample_region().addresses[0];
  EXPECT_THAT(log, Not(HasSubstr(address.substr(0, address.find(' ')))));
}

TEST(Operations, WhyARunFailedStandsInTheLogAndInItsRecordWithTheRequestThatBeganIt) {
  const test::TemporaryFolder folder;
  const std::filesystem::path region = std::filesystem::path(test::sample_region().catalogue).parent_path();
  std::filesystem::copy(region, folder.path("region"), std::filesystem::copy_options::recursive);
  RunningService service({}, folder.path("region/geodata.json"));
  const std::string key = service.new_key();
  std::filesystem::remove(folder.path("region/dsm.tif"));
  const auto created = service.create(key, 0);
  ASSERT_EQ(created.status, 202) << created.body;
  const auto project = std::to_string(created.json()["projekt_id"].get<std::uint64_t>());
  ASSERT_EQ(service.await_result(key, std::stoull(project)).status, 503);
  const std::string request = created.headers.at("x-request-id");
  const auto inspected =
      test::run_roofd({"inspect", "--data-dir=" + service.data_dir(), "--record=runs/1/" + project});
  service.stop();
  const auto run = nlohmann::json::parse(inspected.out);
  EXPECT_THAT(run["failure_reason"].get<std::string>(), HasSubstr("dsm.tif"));
  EXPECT_EQ(run["request_id"], request);
  EXPECT_THAT(service.log(),
              HasSubstr("level=warning msg=\"run failed\" id=" + request + " account=1 project=" + project));
  EXPECT_THAT(service.log(), HasSubstr("dsm.tif"));
}

TEST(Operations, AServiceWhoseOperatorsPortIsTakenSaysSoAndDoesNotStart) {
  RunningService service;
  const test::TemporaryFolder folder;
  const auto port = std::to_string(service.port());
  const auto ended =
      test::run_roofd({"serve", "--geodata=" + test::sample_region().catalogue,
                       "--data-dir=" + folder.path("data"), "--http.port=0", "--admin.port=" + port});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("admin"));
}

TEST(Draining, IsToldToLoadBalancersBeforeTheListenerCloses) {
  RunningService service({"--http.drain-wait=600"});
  ASSERT_EQ(service.operators("/readyz").status, 200);
  ::kill(service.pid(), SIGTERM);
  test::Reply ready;
  do ready = service.operators("/readyz");
  while (ready.status == 200);
  EXPECT_EQ(ready.body, "draining\n");
  EXPECT_EQ(service.get("/lastprofile").status, 200) << "over a new connection";
  service.stop();  // a second signal ends the waiting
  service.start();
  EXPECT_EQ(service.get("/lastprofile").status, 200);
}

}  // namespace
