// Backup, restore, inspection and keys as an operator meets them, beside a running server and without one.
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "actors/accounts/key_text.hpp"
#include "tests/http/service/running_service.hpp"

namespace {

using test::run_roofd;
using test::RunningService;
using test::TemporaryFolder;
using ::testing::HasSubstr;

nlohmann::json inspected(const std::string& data_dir, const std::string& record = {}) {
  std::vector<std::string> arguments{"inspect", "--data-dir=" + data_dir};
  if (!record.empty()) arguments.push_back("--record=" + record);
  const auto ended = run_roofd(arguments);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  return nlohmann::json::parse(ended.out, nullptr, false);
}

TEST(Backup, OfARunningServiceHoldsWhatWasAcknowledgedAndServesElsewhere) {
  RunningService service;
  const TemporaryFolder folder;
  const std::string key = service.new_key();
  const auto project = service.create(key, 0).json()["projekt_id"].get<std::uint64_t>();
  ASSERT_EQ(service.await_result(key, project).status, 200);
  const auto backup =
      run_roofd({"backup", "--data-dir=" + service.data_dir(), "--to=" + folder.path("copy")});
  ASSERT_EQ(backup.exit_code, 0) << backup.err;
  EXPECT_EQ(service.log().find("store:"), std::string::npos) << service.log();
  ASSERT_EQ(service.create(key, 1).status, 202) << "what comes later is not in the copy";
  service.kill_9();

  const auto restored =
      run_roofd({"restore", "--from=" + folder.path("copy"), "--data-dir=" + folder.path("data")});
  ASSERT_EQ(restored.exit_code, 0) << restored.err;
  std::filesystem::remove_all(service.data_dir());
  std::filesystem::rename(folder.path("data"), service.data_dir());
  service.start();
  const auto list = service.get("/projekte", key).json();
  ASSERT_EQ(list["anzahl"], 1);
  EXPECT_EQ(list["projekte"][0]["projekt_id"], project);
  EXPECT_EQ(service.await_result(key, project).status, 200) << "the result is in the copy as well";
}

TEST(Backup, OfAStoppedServiceIsTheSame) {
  RunningService service;
  const TemporaryFolder folder;
  const std::string key = service.new_key();
  service.stop();
  ASSERT_EQ(
      run_roofd({"backup", "--data-dir=" + service.data_dir(), "--to=" + folder.path("copy")}).exit_code, 0);
  EXPECT_EQ(inspected(folder.path("copy"))["tables"]["keys"]["keys"], 1);
}

TEST(Backup, OfWhichAFileIsMissingOrShorterIsNotRestored) {
  RunningService service;
  const TemporaryFolder folder;
  const std::string key = service.new_key();
  const auto project = service.create(key, 0).json()["projekt_id"].get<std::uint64_t>();
  ASSERT_EQ(service.await_result(key, project).status, 200);
  ASSERT_EQ(
      run_roofd({"backup", "--data-dir=" + service.data_dir(), "--to=" + folder.path("copy")}).exit_code, 0);
  std::set<std::string> kinds;  // one file of each: CURRENT, MANIFEST-..., ....sst, ....blob, ....log
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("copy/store"))) {
    const std::string name = entry.path().filename().string();
    const std::string kind =
        entry.path().extension().string() + name.substr(0, name.find_first_of("-0123456789"));
    if (!kinds.insert(kind).second) continue;
    const auto expect_refused = [&](const std::string& when) {
      const auto restored =
          run_roofd({"restore", "--from=" + folder.path("copy"), "--data-dir=" + folder.path("new")});
      EXPECT_EQ(restored.exit_code, 1) << when;
      EXPECT_THAT(restored.err, HasSubstr(name + " is not as the backup wrote it"));
      EXPECT_FALSE(std::filesystem::exists(folder.path("new"))) << "nothing half is left";
    };
    const std::string kept = folder.path("kept");
    std::filesystem::rename(entry.path(), kept);
    expect_refused("missing");
    if (std::filesystem::file_size(kept) > 0) {
      std::filesystem::copy(kept, entry.path());
      std::filesystem::resize_file(entry.path(), std::filesystem::file_size(kept) - 1);
      expect_refused("a byte shorter");
    }
    std::filesystem::rename(kept, entry.path());
  }
  EXPECT_GT(kinds.size(), 3U);
  std::filesystem::copy(folder.path("copy/files.sha256"), folder.path("list"));
  std::ofstream(folder.path("copy/files.sha256"), std::ios::trunc);
  const auto unlisted =
      run_roofd({"restore", "--from=" + folder.path("copy"), "--data-dir=" + folder.path("new")});
  EXPECT_EQ(unlisted.exit_code, 1) << "the list has lost its lines";
  std::filesystem::rename(folder.path("list"), folder.path("copy/files.sha256"));
  EXPECT_EQ(
      run_roofd({"restore", "--from=" + folder.path("copy"), "--data-dir=" + folder.path("new")}).exit_code,
      0);
}

TEST(Backup, DoesNotWriteIntoAFolderThatHoldsSomethingAndRestoreNotOverData) {
  RunningService service;
  const TemporaryFolder folder;
  std::ofstream(folder.path("mine")) << "x";
  const auto backup = run_roofd({"backup", "--data-dir=" + service.data_dir(), "--to=" + folder.path()});
  EXPECT_EQ(backup.exit_code, 1);
  EXPECT_THAT(backup.err, HasSubstr("not empty"));
  ASSERT_EQ(
      run_roofd({"backup", "--data-dir=" + service.data_dir(), "--to=" + folder.path("copy")}).exit_code, 0);
  const auto restore =
      run_roofd({"restore", "--from=" + folder.path("copy"), "--data-dir=" + service.data_dir()});
  EXPECT_EQ(restore.exit_code, 1);
  EXPECT_THAT(restore.err, HasSubstr("there are data already"));
  EXPECT_EQ(
      run_roofd({"restore", "--from=" + folder.path("none"), "--data-dir=" + folder.path("new")}).exit_code,
      1);
  EXPECT_FALSE(std::filesystem::exists(folder.path("new/store"))) << "nothing half made";
}

TEST(Inspect, CountsTablesAndShowsSingleRecords) {
  RunningService service;
  const std::string key = service.new_key();
  const auto project = service.create(key, 0).json()["projekt_id"].get<std::uint64_t>();
  ASSERT_EQ(service.await_result(key, project).status, 200);
  const std::string id = "1/" + std::to_string(project);
  for (const bool running : {true, false}) {
    if (!running) service.stop();
    const auto tables = inspected(service.data_dir())["tables"];
    EXPECT_EQ(tables["projects"]["keys"], 1) << running;
    EXPECT_GT(tables["results"]["bytes"], 1000) << running;
    const auto account = inspected(service.data_dir(), "accounts/1");
    EXPECT_EQ(account["plan"], "regular");
    EXPECT_EQ(inspected(service.data_dir(), "emails/" + account["email"].get<std::string>()), account);
    EXPECT_EQ(inspected(service.data_dir(), "projects/" + id)["consumption_kwh"], 4500);
    EXPECT_EQ(inspected(service.data_dir(), "runs/" + id)["state"], "finished");
    EXPECT_EQ(inspected(service.data_dir(), "results/" + id)["readable"], true);
  }
}

TEST(Inspect, SaysWhatARecordIsSpeltLikeAndWhatThereIsNot) {
  RunningService service;
  for (const char* wrong :
       {"projects", "projects/1", "projects/1/2/3", "projects/a/b", "nonsense/1", "keys/"}) {
    const auto ended =
        run_roofd({"inspect", "--data-dir=" + service.data_dir(), std::string("--record=") + wrong});
    EXPECT_EQ(ended.exit_code, 1) << wrong;
    EXPECT_THAT(ended.err, HasSubstr("a record is")) << wrong;
  }
  EXPECT_THAT(run_roofd({"inspect", "--data-dir=" + service.data_dir(), "--record=projects/1/17"}).err,
              HasSubstr("there is no projects/1/17"));
}

/// Somebody at the operators' door.
class Visitor {
 public:
  explicit Visitor(const RunningService& service) : fd_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = service.data_dir() + "/roofd.sock";
    path.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Visitor() { ::close(fd_); }
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;
  void say(const std::string& bytes) const { ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

 private:
  int fd_;
};

TEST(OperatorsDoor, IsOpenToCommandsWhateverOthersThereDoAndEndsInTime) {
  RunningService service;
  service.new_key();
  const Visitor silent(service), halfway(service), endless(service), leaves_the_answer(service);
  halfway.say("{\"command\": ");
  endless.say(std::string(100'000, 'x'));
  leaves_the_answer.say("{\"command\": \"inspect\"}\n");
  { const Visitor hangs_up(service); }
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(run_roofd({"key", "list", "--data-dir=" + service.data_dir(), "--account=1"}).exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - began, test::kLastResort);
  EXPECT_LT(service.stop(), test::kLastResort);
}

TEST(OperatorsDoor, OpensAgainWhenTheProgramHadNoDescriptorLeftForIt) {
  RunningService service;
  service.new_key();
  const auto open = service.open_files();
  service.allow_open_files(service.lowest_free_descriptor());
  const Visitor turned_away(service);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(service.open_files(), open) << "the visitor was turned away";
  service.allow_open_files(1000);
  EXPECT_EQ(run_roofd({"key", "list", "--data-dir=" + service.data_dir(), "--account=1"}).exit_code, 0);
}

TEST(Keys, AreListedWithoutTheirText) {
  RunningService service;
  const std::string key = service.new_key();
  run_roofd({"key", "add", "--data-dir=" + service.data_dir(), "--account=1", "--name=zweiter"});
  const auto listed = run_roofd({"key", "list", "--data-dir=" + service.data_dir(), "--account=1"});
  const auto keys = nlohmann::json::parse(listed.out);
  ASSERT_EQ(keys.size(), 2U) << listed.out;
  EXPECT_NE(keys[0]["key"], keys[1]["key"]);
  EXPECT_EQ(listed.out.find(key.substr(5)), std::string::npos);
}

test::Ended revoked(const RunningService& service, const std::string& account, const std::string& key) {
  return run_roofd(
      {"key", "revoke", "--data-dir=" + service.data_dir(), "--account=" + account, "--key=" + key});
}

TEST(Keys, AreRevokedOneByOneWithTheServerRunningAndStopped) {
  RunningService service;
  const std::string first = service.new_key();
  const auto made =
      run_roofd({"key", "add", "--data-dir=" + service.data_dir(), "--account=1", "--name=zweiter"});
  const std::string second = made.out.substr(0, made.out.find('\n'));
  const std::string first_id = actors::key_id(actors::fingerprint_of(first));
  ASSERT_EQ(service.get("/projekte", first).status, 200);

  EXPECT_EQ(revoked(service, "1", first_id).exit_code, 0);
  EXPECT_EQ(service.get("/projekte", first).code(), "schluessel_ungueltig");
  EXPECT_EQ(service.get("/projekte?schluessel=" + first).code(), "schluessel_ungueltig");
  EXPECT_EQ(service.get("/projekte", second).status, 200);
  service.kill_9();
  EXPECT_EQ(revoked(service, "1", actors::key_id(actors::fingerprint_of(second))).exit_code, 0);
  service.start();
  for (const std::string& key : {first, second})
    EXPECT_EQ(service.get("/projekte", key).code(), "schluessel_ungueltig");
  const auto listed = run_roofd({"key", "list", "--data-dir=" + service.data_dir(), "--account=1"});
  for (const auto& key : nlohmann::json::parse(listed.out)) EXPECT_GT(key["revoked_ms"], 0) << listed.out;
}

TEST(Keys, ThatAreNotThereAreNotRevoked) {
  RunningService service;
  service.new_key();
  EXPECT_EQ(revoked(service, "1", "0123456789ab").exit_code, 1);
  EXPECT_THAT(revoked(service, "1", "0123456789ab").err,
              HasSubstr("there is no key 0123456789ab of account 1"));
  EXPECT_THAT(revoked(service, "x", "0123456789ab").err, HasSubstr("--account"));
  EXPECT_EQ(revoked(service, "1", "").exit_code, 2);
}

}  // namespace
