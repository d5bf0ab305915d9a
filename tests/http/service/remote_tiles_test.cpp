// The real program on a surface model that lies at its office: blocks come as runs need them, and a dead or
// busy office ends the run as the contract says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "remote_region.hpp"
#include "running_service.hpp"

namespace {

using test::RunningService;

class RemoteTiles : public testing::Test {
 protected:
  std::string catalogue() const { return region_.catalogue(); }
  static test::Reply run(const RunningService& service, const std::string& key, std::size_t address) {
    const auto created = service.create(key, address);
    EXPECT_EQ(created.status, 202) << created.body;
    return service.await_result(key, created.json()["projekt_id"]);
  }
  test::RemoteRegion region_;
  test::OfficeServer& office_ = region_.office;
};

TEST_F(RemoteTiles, GiveTheSameSurfacesAsTheFileAndAreAskedForOnce) {
  std::string expected;
  {
    RunningService local;
    const auto reply = run(local, local.new_key(), 0);
    ASSERT_EQ(reply.status, 200) << reply.body;
    expected = reply.json()["flaechen"].dump();
  }
  const auto without_links = [](std::string text) {  // they hold the port
    for (auto at = text.find("http://"); at != std::string::npos; at = text.find("http://"))
      text.erase(at, text.find('"', at) - at);
    return text;
  };
  RunningService service({}, catalogue());
  EXPECT_EQ(office_.counts("/dsm.tif").requests, 0) << "the start asks no office";
  const std::string key = service.new_key();
  const auto first = run(service, key, 0);
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(without_links(first.json()["flaechen"].dump()), without_links(expected));
  const int asked = office_.counts("/dsm.tif").requests;
  EXPECT_GT(asked, 0);
  EXPECT_EQ(run(service, key, 1).status, 200);
  EXPECT_EQ(office_.counts("/dsm.tif").requests, asked) << "a settlement fits into the blocks that are here";
  service.stop();
  service.start();
  EXPECT_EQ(run(service, key, 2).status, 200);
  EXPECT_EQ(office_.counts("/dsm.tif").requests, asked) << "they survive the program's end";
}

TEST_F(RemoteTiles, OfABusyOfficeEndTheRunWith503AndAPostStartsItAgain) {
  office_.change_habits("/dsm.tif", {.busy_times = 1'000, .busy_status = 503, .retry_after = "5"});
  RunningService service({}, catalogue());
  const std::string key = service.new_key();
  const auto created = service.create(key, 0);
  const std::uint64_t project = created.json()["projekt_id"];
  const auto busy = service.await_result(key, project);
  EXPECT_EQ(busy.status, 503) << busy.body;
  EXPECT_EQ(busy.code(), "dienst_ueberlastet");
  EXPECT_TRUE(busy.headers.count("retry-after"));
  office_.change_habits("/dsm.tif", {});
  test::Reply again = busy;
  const auto until = std::chrono::steady_clock::now() + test::kLastResort;
  while (again.status == 503 && std::chrono::steady_clock::now() < until) {  // the office's pause is kept to
    std::this_thread::sleep_for(std::chrono::seconds(1));
    service.post("/projekte/" + std::to_string(project) + "/dachanalyse", key, {}, {});
    again = service.await_result(key, project);
  }
  EXPECT_EQ(again.status, 200) << again.body;
}

TEST_F(RemoteTiles, AreGapsWhenNoOfficeMayBeAsked) {
  RunningService service({"--offices.offline"}, catalogue());
  const auto reply = run(service, service.new_key(), 0);
  EXPECT_EQ(reply.status, 422) << reply.body;
  EXPECT_EQ(reply.code(), "kein_dach");
  EXPECT_EQ(office_.counts("/dsm.tif").requests, 0);
}

}  // namespace
