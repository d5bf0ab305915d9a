// A changed catalogue is taken while the service runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "running_service.hpp"

namespace {

using test::RunningService;
using testing::HasSubstr;

class DataReload : public testing::Test {
 protected:
  DataReload() {
    const auto region = std::filesystem::path(test::sample_region().catalogue).parent_path();
    std::filesystem::copy(region, folder_.path("region"), std::filesystem::copy_options::recursive);
    service_.emplace(std::vector<std::string>{}, catalogue());
    key_ = service_->new_key();
  }
  std::string catalogue() const { return folder_.path("region/geodata.json"); }
  /// The name of every data set from now on.
  void rename_sets(const std::string& name) const {
    std::ifstream in(catalogue());
    auto json = nlohmann::json::parse(in);
    for (auto& set : json["datasets"]) set["name"] = name;
    std::ofstream(catalogue()) << json;
  }
  test::Ended reload() const {
    return test::run_roofd({"geodata", "reload", "--data-dir=" + service_->data_dir()});
  }
  std::string name_in_result_of(int address) {
    const auto created = service_->create(key_, address);
    EXPECT_EQ(created.status, 202) << created.body;
    const auto result = service_->await_result(key_, created.json()["projekt_id"]);
    EXPECT_EQ(result.status, 200) << result.body;
    return result.json()["quellen"][0]["name"];
  }
  test::TemporaryFolder folder_;
  std::optional<RunningService> service_;
  std::string key_;
};

TEST_F(DataReload, TheCommandTakesTheChangedCatalogueForTheNextRun) {
  rename_sets("Neu");
  EXPECT_NE(name_in_result_of(0), "Neu");
  const auto ended = reload();
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("was taken anew"));
  EXPECT_EQ(name_in_result_of(1), "Neu");
}

TEST_F(DataReload, ASignalDoesTheSameAndTheLogSaysSo) {
  rename_sets("Neu");
  ::kill(service_->pid(), SIGHUP);
  while (service_->log().find("was taken anew") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(name_in_result_of(0), "Neu");
}

TEST_F(DataReload, ACatalogueWithAFaultIsRefusedAndTheDataInUseStay) {
  std::ofstream(catalogue()) << R"({"datasets": [{"kind": "dsm", "path": "nirgends.tif"}]})";
  const auto ended = reload();
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_THAT(ended.err, HasSubstr("nirgends.tif"));
  EXPECT_FALSE(name_in_result_of(0).empty());
}

TEST(DataReloadOfNobody, SaysThatNoServiceRuns) {
  const test::TemporaryFolder folder;
  const auto ended = test::run_roofd({"geodata", "reload", "--data-dir=" + folder.path("data")});
  EXPECT_NE(ended.exit_code, 0);
  EXPECT_FALSE(ended.err.empty());
}

}  // namespace
