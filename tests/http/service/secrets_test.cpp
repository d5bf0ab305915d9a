// What must not get out, and what must not get in: keys and other secrets of a request are written nowhere,
// the data are readable by nobody else, and nothing that a request names is opened.
#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <boost/algorithm/string/replace.hpp>

#include <filesystem>
#include <fstream>

#include "http/api/routes.hpp"
#include "tests/http/service/raw_client.hpp"
#include "tests/http/service/running_service.hpp"
#include "tests/loopback_server.hpp"

namespace {

namespace fs = std::filesystem;
using test::Headers;
using test::RunningService;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kSession = "Sitzung9f86d081884c7d65";
constexpr std::size_t kPrefixLength = 5;  // "dach_" is no secret

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Every endpoint with the secrets wherever a client might put them.
void drive_every_endpoint(const RunningService& service, const std::string& key) {
  const std::string body = nlohmann::json({{"name", key}, {"adresse", key}, {"schluessel", key}}).dump();
  const Headers everywhere{{"X-API-Key", key},
                           {"Authorization", "Bearer " + key},
                           {"Cookie", "sitzung=" + kSession},
                           {"User-Agent", key},
                           {"Referer", "https://example.org/?schluessel=" + key},
                           {"Content-Type", "application/json"}};
  for (const http::Route& route : http::route_table())
    for (const std::string& in_path : {std::string("1"), key}) {
      std::string path = boost::replace_first_copy(std::string(route.path), "{projekt_id}", in_path);
      path = "/api/v1" + boost::replace_first_copy(path, "{nummer}", in_path);
      const std::string method(route.method);
      service.unchecked(method, path, {}, everywhere);
      service.unchecked(method, path + "?schluessel=" + key + "&adresse=" + key, body, everywhere);
      service.unchecked(method, path + "?" + key, body, {{"Content-Type", "text/" + key.substr(0, 8)}});
      service.unchecked("PATCH", path + "/" + key, body, everywhere);
    }
}

void send_malformed(const RunningService& service, const std::string& key) {
  for (const std::string& bytes :
       {"GET /" + key + "\r\n\r\n", key + "\r\n\r\n", "GET / HTTP/1.1\r\n" + key + "\r\n\r\n",
        "GET / HTTP/1.1\r\nX-API-Key: " + key + "\r\nContent-Length: " + key + "\r\n\r\n",
        "GET /api/v1/projekte?schluessel=" + key + "%zz HTTP/1.1\r\nHost: a\r\nHost: " + key + "\r\n\r\n"}) {
    test::RawClient client(service.port());
    client.send(bytes);
    client.hear(1, std::chrono::seconds(3));
  }
}

const std::vector<std::string> kWithoutLimits = {"--limits.create-per-hour=0",  "--limits.status-per-hour=0",
                                                 "--limits.analyse-per-hour=0", "--limits.media-per-hour=0",
                                                 "--limits.address-per-hour=0", "--limits.address-per-day=0"};

void analyse_a_house(RunningService& service, const std::string& key) {
  ASSERT_EQ(service.create(key, 0).status, 202);
  ASSERT_EQ(service.await_result(key, 1).status, 200);
}

TEST(Secrets, AreNeitherLoggedNorCountedNorStoredWhereverAClientPutsThem) {
  RunningService service(kWithoutLimits);
  const std::string key = service.new_key();
  ASSERT_NO_FATAL_FAILURE(analyse_a_house(service, key));
  drive_every_endpoint(service, key);
  const std::string metrics = service.operators("/metrics").body;
  send_malformed(service, key);
  service.stop();
  const std::string log = service.log();
  EXPECT_GT(std::count(log.begin(), log.end(), '\n'), 100) << "the requests are in the log";
  for (const std::string& secret : {key.substr(kPrefixLength), kSession}) {
    EXPECT_THAT(log, Not(HasSubstr(secret)));
    EXPECT_THAT(metrics, Not(HasSubstr(secret)));
  }
  std::size_t stored = 0;
  for (const auto& entry : fs::recursive_directory_iterator(service.data_dir())) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = contents(entry.path());
    stored += bytes.size();
    EXPECT_THAT(bytes, Not(HasSubstr(key.substr(kPrefixLength)))) << entry.path();
  }
  EXPECT_GT(stored, 0U);
}

void expect_for_owner_alone(const fs::path& directory) {
  std::size_t seen = 0;
  const auto look = [&seen](const fs::path& path) {
    struct stat status {};
    ASSERT_EQ(::lstat(path.c_str(), &status), 0) << path;
    EXPECT_EQ(status.st_mode & (S_IRWXG | S_IRWXO), 0U) << path;
    EXPECT_EQ(status.st_mode & S_IRWXU, S_ISDIR(status.st_mode) ? S_IRWXU : S_IRUSR | S_IWUSR) << path;
    ++seen;
  };
  look(directory);
  for (const auto& entry : fs::recursive_directory_iterator(directory)) look(entry.path());
  EXPECT_GT(seen, 5U);
}

TEST(DataDirectory, IsItsOwnersAloneWhateverTheUmaskAlsoInCopies) {
  const mode_t before = ::umask(0);
  const test::TemporaryFolder folder;
  {
    RunningService service;
    const std::string key = service.new_key();
    ASSERT_EQ(service.create(key, 0).status, 202);
    ASSERT_EQ(service.await_result(key, 1).status, 200);
    struct stat socket {};
    ASSERT_EQ(::lstat((service.data_dir() + "/roofd.sock").c_str(), &socket), 0);
    EXPECT_TRUE(S_ISSOCK(socket.st_mode));
    expect_for_owner_alone(service.data_dir());
    ASSERT_EQ(test::run_roofd({"backup", "--data-dir=" + service.data_dir(), "--to=" + folder.path("copy")})
                  .exit_code,
              0);
    expect_for_owner_alone(folder.path("copy"));
    ASSERT_EQ(
        test::run_roofd({"restore", "--from=" + folder.path("copy"), "--data-dir=" + folder.path("restored")})
            .exit_code,
        0);
    expect_for_owner_alone(folder.path("restored"));
  }
  ::umask(before);
}

/// A folder that notices when anybody opens something in it.
class WatchedFolder {
 public:
  WatchedFolder() {
    std::ofstream(file()) << "II*";
    ::inotify_add_watch(watch_, folder_.path().c_str(), IN_OPEN | IN_CREATE | IN_ACCESS);
  }
  ~WatchedFolder() { ::close(watch_); }
  WatchedFolder(const WatchedFolder&) = delete;
  WatchedFolder& operator=(const WatchedFolder&) = delete;
  std::string file() const { return folder_.path("canary.tif"); }
  bool noticed() const {
    alignas(inotify_event) char events[4096];
    return ::read(watch_, events, sizeof events) > 0;
  }

 private:
  test::TemporaryFolder folder_;
  int watch_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
};

TEST(WatchedFolder, NoticesAFileThatIsOpened) {
  const WatchedFolder folder;
  EXPECT_FALSE(folder.noticed());
  contents(folder.file());
  EXPECT_TRUE(folder.noticed());
}

TEST(WhatARequestNames, IsNeitherOpenedNorAskedForOverTheNetwork) {
  const test::LoopbackServer outside([](const auto&) { return test::LoopbackServer::Answer{.body = "x"}; });
  const WatchedFolder folder;
  RunningService service(kWithoutLimits);
  const std::string key = service.new_key();
  ASSERT_NO_FATAL_FAILURE(analyse_a_house(service, key));
  const std::string file = folder.file();
  for (const std::string& named :
       {file, "file://" + file, "../../../../../../../.." + file, "/vsicurl/" + outside.url("/x.tif"),
        outside.url("/x.tif"), "/vsizip/" + file, "GTIFF_DIR:1:" + file, "<VRTDataset>" + file,
        "CSV:" + file}) {
    nlohmann::json order = test::project_order(named);
    service.post("/projekte", key, order.dump());
    order = test::project_order(test::sample_region().addresses[0]);
    for (const char* field : {"name", "lastprofil"}) order[field] = named;
    service.post("/projekte", key, order.dump());
    std::string escaped;
    for (const unsigned char c : named) {
      constexpr char kHex[] = "0123456789ABCDEF";
      escaped += {'%', kHex[c >> 4U], kHex[c & 15U]};
    }
    for (const std::string& target :
         {"/projekte/" + escaped + "/dachanalyse", "/projekte/1/bilder/flaeche/" + escaped,
          "/projekte/1/bilder/uebersicht?format=" + escaped, "/analyse?adresse=" + escaped + "&verbrauch=1",
          "/" + escaped, "/projekte/1/modell?pfad=" + escaped})
      service.unchecked("GET", "/api/v1" + target, {}, {{"X-API-Key", key}, {"Host", "localhost"}});
  }
  EXPECT_EQ(outside.requests(), 0);
  EXPECT_FALSE(folder.noticed());
  EXPECT_EQ(service.get("/projekte", key).json()["anzahl"], 1);
}

}  // namespace
