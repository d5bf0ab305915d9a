// A byte that has flipped on the disk: a damaged result says so and takes no other with it, a damaged log or
// table is told to the operator, and nobody ever gets wrong bytes.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "persistence/keys.hpp"
#include "persistence/result_codec.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

namespace fs = std::filesystem;
using test::Reply;
using test::RunningService;
using ::testing::HasSubstr;

constexpr std::uint64_t kProjects = 3;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void flip(const fs::path& file, std::size_t at) {
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  out.seekg(static_cast<std::streamoff>(at));
  const char byte = static_cast<char>(out.get() ^ 0x10);
  out.seekp(static_cast<std::streamoff>(at));
  out.put(byte);
  ASSERT_TRUE(out.good()) << file;
}

/// A place on the disk.
struct Place {
  fs::path file;
  std::size_t offset = 0;
};

/// A service with finished projects 1 to kProjects, stopped or killed at will.
class DamageTest : public testing::Test {
 protected:
  DamageTest() {
    for (std::uint64_t id = 1; id <= kProjects; ++id) {
      EXPECT_EQ(service_.create(key_, id).json()["projekt_id"], id);
      results_.push_back(service_.await_result(key_, id).body);
      EXPECT_THAT(results_.back(), HasSubstr("flaechen"));
    }
  }

  Reply state(std::uint64_t project) {
    return service_.get("/projekte/" + std::to_string(project) + "/dachanalyse", key_);
  }
  Reply post(std::uint64_t project) {
    return service_.post("/projekte/" + std::to_string(project) + "/dachanalyse", key_, {}, {});
  }

  std::vector<fs::path> store_files(const std::string& extension) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(service_.data_dir() + "/store"))
      if (entry.path().extension() == extension) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
  }

  /// A start moves the log's contents into tables; the program is stopped afterwards.
  void move_log_into_tables() {
    service_.stop();
    service_.start();
    service_.stop();
  }

  /// Where a project's result lies in a blob file: behind its key.
  Place result_on_disk(std::uint64_t project) {
    const std::string key = persistence::project_key(1, project);
    for (const fs::path& file : store_files(".blob")) {
      const std::string bytes = bytes_of(file);
      for (auto at = bytes.find(key); at != std::string::npos; at = bytes.find(key, at + 1)) {
        // A blob file's record (RocksDB, blob_log_format.h): the lengths of key and value, each 8 bytes, an
        // expiry, two checksums, the key, the value.
        constexpr std::size_t kHeader = 32, kLength = 8;
        std::uint64_t length = 0;
        std::memcpy(&length, bytes.data() + at - kHeader + kLength, sizeof length);
        if (at < kHeader || at + key.size() + length > bytes.size()) continue;
        if (persistence::decode_result(bytes.substr(at + key.size(), length)))
          return {file, at + key.size() + length / 2};
      }
    }
    ADD_FAILURE() << "no result of project " << project << " on the disk";
    return {};
  }

  void expect_others_unharmed(std::uint64_t damaged) {
    for (std::uint64_t id = 1; id <= kProjects; ++id) {
      if (id == damaged) continue;
      EXPECT_EQ(state(id).body, results_[id - 1]) << id;
    }
    EXPECT_EQ(service_.get("/projekte", key_).json()["anzahl"], kProjects);
  }

  RunningService service_;
  std::string key_ = service_.new_key();
  std::vector<std::string> results_;
};

TEST_F(DamageTest, OfAResultIsAnalyseUnlesbarUntilAnOperatorMovesItAsideAndTheRestIsUnharmed) {
  move_log_into_tables();
  const Place place = result_on_disk(2);
  ASSERT_NO_FATAL_FAILURE(flip(place.file, place.offset));
  const std::string damaged = bytes_of(place.file);
  service_.start();
  for (const Reply& reply : {state(2), post(2), state(2)}) {
    EXPECT_EQ(reply.status, 500);
    EXPECT_EQ(reply.code(), "analyse_unlesbar") << reply.body;
  }
  EXPECT_EQ(service_.get("/projekte/2/bilder/uebersicht", key_).code(), "analyse_unlesbar");
  EXPECT_EQ(bytes_of(place.file), damaged) << "what is left of it stays";
  expect_others_unharmed(2);
  EXPECT_EQ(service_.create(key_, 4).status, 202);
  const auto moved =
      test::run_roofd({"result", "quarantine", "--data-dir=" + service_.data_dir(), "--project=2"});
  EXPECT_EQ(moved.exit_code, 0) << moved.err;
  EXPECT_EQ(state(2).code(), "analyse_fehlt");
  EXPECT_EQ(post(2).status, 202);
  EXPECT_EQ(service_.await_result(key_, 2).status, 200);

  const test::TemporaryFolder folder;
  const auto result = [&](const std::string& verb, const std::string& to = {}) {
    std::vector<std::string> arguments{"result", verb, "--data-dir=" + service_.data_dir(), "--project=2"};
    if (!to.empty()) arguments.push_back("--to=" + to);
    return test::run_roofd(arguments);
  };
  const auto exported = result("export", folder.path("aside"));
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const std::string bytes = bytes_of(exported.out.substr(0, exported.out.find('\n')));
  EXPECT_NE(damaged.find(bytes), std::string::npos) << "as it lay on the disk";
  EXPECT_GT(bytes.size(), 500U);
  EXPECT_EQ(result("export", folder.path("aside")).exit_code, 1) << "no file is overwritten";
  EXPECT_EQ(result("export").exit_code, 2);
  service_.stop();
  EXPECT_EQ(result("discard").exit_code, 0);
  EXPECT_EQ(result("discard").exit_code, 1) << "there is nothing more";
}

TEST_F(DamageTest, OfFilesThatAreGoneIsGivenUpByAnOperatorSoThatBackupsAreMadeAgain) {
  const test::TemporaryFolder folder;
  const std::string data = "--data-dir=" + service_.data_dir();
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.push_back(data);
    return test::run_roofd(arguments);
  };
  EXPECT_EQ(run({"result", "give-up"}).exit_code, 1) << "nothing is lost";
  ASSERT_EQ(run({"project", "save", "--project=2"}).exit_code, 0);
  ASSERT_EQ(service_.get("/projekte/2/modell", key_).status, 200);
  move_log_into_tables();
  for (const fs::path& file : store_files(".blob")) fs::remove(file);
  service_.start();
  EXPECT_EQ(state(1).code(), "analyse_unlesbar");
  const auto refused = run({"backup", "--to=" + folder.path("none")});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr(".blob"));
  EXPECT_THAT(run({"inspect"}).err, HasSubstr(".blob"));
  EXPECT_THAT(service_.operators("/readyz").body, HasSubstr("no backup can be made"));
  EXPECT_EQ(run({"result", "give-up", "--project=1"}).exit_code, 2) << "it is for all";

  const auto given_up = run({"result", "give-up"});
  EXPECT_EQ(given_up.exit_code, 0) << given_up.err;
  EXPECT_THAT(given_up.out, HasSubstr("project 1: result\n"));
  EXPECT_THAT(given_up.out, HasSubstr("project 2: result, saved model and orthophoto\n"));
  const auto copied = run({"backup", "--to=" + folder.path("whole")});
  EXPECT_EQ(copied.exit_code, 0) << copied.err;
  EXPECT_EQ(service_.get("/projekte/2/modell", key_).code(), "modell_fehlt");
  for (std::uint64_t id = 1; id <= kProjects; ++id) {
    EXPECT_EQ(state(id).code(), "analyse_fehlt");
    EXPECT_EQ(post(id).status, 202);
    EXPECT_EQ(service_.await_result(key_, id).status, 200);
  }
  service_.stop();
  service_.start();
  EXPECT_THAT(service_.log(), ::testing::Not(HasSubstr("are gone")));
}

TEST_F(DamageTest, OfTheLogIsToldToTheOperatorAndWhatCameBeforeItIsThere) {
  service_.kill_9();
  const auto logs = store_files(".log");
  ASSERT_FALSE(logs.empty());
  const std::string bytes = bytes_of(logs.back());
  // The byte lies before the last project's result and long after project 1's.
  const auto at = bytes.rfind(persistence::project_key(1, kProjects));
  ASSERT_NE(at, std::string::npos);
  ASSERT_NO_FATAL_FAILURE(flip(logs.back(), at - 200));
  service_.start();
  EXPECT_THAT(service_.log(), HasSubstr("Corruption: checksum mismatch"));
  EXPECT_EQ(state(1).body, results_[0]);
}

TEST_F(DamageTest, IsNotToldAfterAKillThatDamagedNothing) {
  service_.kill_9();
  service_.start();
  EXPECT_THAT(service_.log(), ::testing::Not(HasSubstr("Corruption")));
  expect_others_unharmed(0);
}

TEST_F(DamageTest, AnywhereInTheTablesNeverMakesAWrongAnswerOrEndsTheProgram) {
  move_log_into_tables();
  std::mt19937 random(7);
  std::vector<fs::path> files = store_files(".sst");
  for (const fs::path& blob : store_files(".blob")) files.push_back(blob);
  ASSERT_GT(files.size(), 3U);
  for (int i = 0; i < 6; ++i) {
    const fs::path file = files[random() % files.size()];
    const std::size_t at = random() % fs::file_size(file);
    ASSERT_NO_FATAL_FAILURE(flip(file, at));
    // RocksDB opens some tables at once and some when they are asked for, so either start is right.
    if (const auto refused = service_.try_start()) {
      EXPECT_EQ(refused->exit_code, 2) << refused->err;
      EXPECT_THAT(refused->err, HasSubstr("the data directory cannot be opened")) << file << " " << at;
    } else {
      for (std::uint64_t id = 1; id <= kProjects; ++id) {
        const Reply reply = state(id);
        EXPECT_TRUE(reply.body == results_[id - 1] || reply.status == 500) << file << " " << at << reply.body;
      }
      service_.stop();
    }
    if (fs::exists(file)) flip(file, at);
  }
  service_.start();
  expect_others_unharmed(0);
}

}  // namespace
