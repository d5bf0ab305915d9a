// roofd worker beside roofd serve, real processes over loopback TLS. tests/faults/workers.py does the same
// for hours; here is what must hold in every build.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/algorithm/string/replace.hpp>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/certificate.hpp"
#include "tests/free_port.hpp"
#include "tests/http/service/running_service.hpp"
#include "tests/sanitizers.hpp"
#include "tests/shared_data.hpp"

namespace {

using namespace std::chrono_literals;
using test::RunningService;
namespace workers_asio = boost::asio;

constexpr auto kRoof = test::kLastResort;

std::vector<std::string> member_options(const test::PemFiles& files) {
  return {"--cluster.certificate=" + files.certificate, "--cluster.key=" + files.key,
          "--cluster.ca=" + files.certificate};
}

class RunningWorker {
 public:
  RunningWorker(std::uint16_t home, const test::PemFiles& files, const std::vector<std::string>& options = {},
                const std::string& catalogue = test::sample_region().catalogue) {
    std::vector<std::string> arguments{ROOFD, "worker", "--home=127.0.0.1:" + std::to_string(home),
                                       "--geodata=" + catalogue, "--config-file=" + folder_.path("conf")};
    std::ofstream(folder_.path("conf")).flush();
    for (const auto& option : member_options(files)) arguments.push_back(option);
    for (const auto& option : options) arguments.push_back(option);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(::open(folder_.path("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
      ::dup2(::open(folder_.path("err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      ::execv(ROOFD, argv.data());
      ::_exit(127);
    }
  }
  ~RunningWorker() { kill_9(); }
  RunningWorker(const RunningWorker&) = delete;
  RunningWorker& operator=(const RunningWorker&) = delete;

  void kill_9() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  /// SIGTERM; the exit code.
  int stop() {
    ::kill(pid_, SIGTERM);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string log() const {
    std::ifstream in(folder_.path("err"));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  bool says(const std::string& words) const {
    const auto until = std::chrono::steady_clock::now() + kRoof;
    while (std::chrono::steady_clock::now() < until) {
      if (log().find(words) != std::string::npos) return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }

 private:
  test::TemporaryFolder folder_;
  pid_t pid_ = 0;
};

/// Houses of real data where they are here, else of the made-up settlement.
struct Houses {
  std::string catalogue = test::sample_region().catalogue;
  std::vector<std::string> addresses{test::sample_region().addresses.at(0),
                                     test::sample_region().addresses.at(1)};
};
Houses houses() {
  if (!test::has_shared_data()) return {};
  return {test::shared_file("data/nrw/geodata.json"),
          {"Messpunkt 5, 45149 Essen", "Messpunkt 7, 45149 Essen"}};
}

/// One home for all tests, which computes nothing while a worker is there.
class WorkerProcesses : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<test::TemporaryFolder>();
    files_ = test::make_certificate(folder_->path("member"));
    port_ = test::free_port();
    std::vector<std::string> options = test::kNoLimits;
    for (const auto& option : member_options(files_)) options.push_back(option);
    options.push_back("--cluster.workers-address=127.0.0.1:" + std::to_string(port_));
    options.push_back("--cluster.threads=0");
    options.push_back("--limits.media-per-hour=0");
    home_ = std::make_unique<RunningService>(options, houses().catalogue);
    key_ = home_->new_key();
  }
  static void TearDownTestSuite() {
    home_.reset();
    folder_.reset();
  }
  static void wait_for(const std::string& series, double value) {
    const auto until = std::chrono::steady_clock::now() + kRoof;
    while (home_->metric(series) != value && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(10ms);
    EXPECT_EQ(home_->metric(series), value) << series;
  }

  static std::unique_ptr<test::TemporaryFolder> folder_;
  static test::PemFiles files_;
  static std::uint16_t port_;
  static std::unique_ptr<RunningService> home_;
  static std::string key_;
};
std::unique_ptr<test::TemporaryFolder> WorkerProcesses::folder_;
test::PemFiles WorkerProcesses::files_;
std::uint16_t WorkerProcesses::port_;
std::unique_ptr<RunningService> WorkerProcesses::home_;
std::string WorkerProcesses::key_;

/// A project's result and its pictures; without what is another at each computation: its time, and the port
/// in the links.
std::vector<std::string> all_of(const RunningService& service, const std::string& key,
                                std::uint64_t project) {
  const std::string path = "/projekte/" + std::to_string(project);
  auto result = service.await_result(key, project).json();
  EXPECT_EQ(result["zustand"], "fertig") << result;
  EXPECT_GT(result.value("dauer_s", 0.0), 0.0);
  result.erase("dauer_s");
  std::vector<std::string> bytes{
      boost::replace_all_copy(result.dump(), ":" + std::to_string(service.port()), "")};
  for (const char* medium :
       {"/bilder/uebersicht", "/bilder/uebersicht?format=png&breite=400", "/bilder/flaeche/1"}) {
    const auto reply = service.get(path + medium, key);
    EXPECT_EQ(reply.status, 200) << medium;
    bytes.push_back(reply.body);
  }
  return bytes;
}

TEST_F(WorkerProcesses, ComputeTheSameBytesAsTheServiceItself) {
  const RunningWorker worker(port_, files_, {"--cluster.name=remote", "--cluster.threads=2"},
                             houses().catalogue);
  wait_for("roof_workers", 1);
  RunningService alone(test::kNoLimits, houses().catalogue);
  const std::string key = alone.new_key();
  for (const std::string& address : houses().addresses) {
    const auto there = home_->post("/projekte", key_, test::project_order(address).dump());
    const auto here = alone.post("/projekte", key, test::project_order(address).dump());
    ASSERT_EQ(there.status, 202) << there.body;
    ASSERT_EQ(here.status, 202) << here.body;
    EXPECT_EQ(all_of(*home_, key_, there.json()["projekt_id"]), all_of(alone, key, here.json()["projekt_id"]))
        << address;
  }
  EXPECT_EQ(home_->metric("roof_worker_runs_total{worker=\"remote\"}"), 2);
  EXPECT_EQ(home_->metric("roof_worker_runs_total{worker=\"home\"}"), 0);
  EXPECT_NE(worker.log().find("msg=\"run ends\""), std::string::npos);
}

TEST_F(WorkerProcesses, ARunSurvivesTheKillOfItsWorker) {
  RunningWorker first(port_, files_, {"--cluster.name=first"}, houses().catalogue);
  wait_for("roof_workers", 1);
  const auto created = home_->post("/projekte", key_, test::project_order(houses().addresses.at(0)).dump());
  const std::uint64_t project =
      created.status == 409 ? std::uint64_t{1} : created.json()["projekt_id"].get<std::uint64_t>();
  home_->post("/projekte/" + std::to_string(project) + "/dachanalyse", key_, "{}");
  ASSERT_TRUE(first.says("run begins"));
  const double lost = home_->metric("roof_workers_lost_total"),
               moved = home_->metric("roof_runs_moved_total");
  first.kill_9();
  const auto reply = home_->await_result(key_, project);
  EXPECT_EQ(reply.status, 200) << "the home computes it when its worker must have stopped: " << reply.body;
  EXPECT_EQ(home_->metric("roof_workers_lost_total"), lost + 1);
  if (first.log().find("run ends") == std::string::npos) {
    EXPECT_EQ(home_->metric("roof_runs_moved_total"), moved + 1);
  }
  wait_for("roof_slots_taken", 0);
}

TEST_F(WorkerProcesses, StrangersAreToldWhyAndChangeNothing) {
  const test::PemFiles foreign = test::make_certificate(folder_->path("foreign"));
  // It trusts the home, which does not know it. Of a CA that is not its own it would not even start.
  const std::string both = folder_->path("both.crt");
  std::ofstream(both) << std::ifstream(files_.certificate).rdbuf()
                      << std::ifstream(foreign.certificate).rdbuf();
  const RunningWorker unknown(port_, foreign, {"--cluster.ca=" + both}, houses().catalogue);
  const RunningWorker wary(port_, foreign, {}, houses().catalogue);
  const RunningWorker other(port_, files_, {"--module.power=450"}, houses().catalogue);
  EXPECT_TRUE(unknown.says("does not take this machine's certificate"));
  EXPECT_TRUE(wary.says("does not show a certificate of cluster.ca"));
  EXPECT_TRUE(
      other.says("the home computes with module.power=440.000000, this worker with module.power=450.000000"));
  const std::size_t before_kb = home_->memory_kb();
  workers_asio::io_context context;
  std::vector<workers_asio::ip::tcp::socket> silent;
  for (int i = 0; i < 200; ++i) {
    silent.emplace_back(context).connect({workers_asio::ip::make_address("127.0.0.1"), port_});
    boost::system::error_code ignored;
    std::string header("\x01\0\0\0\x0c\x80\0\0", 8);  // CAF's, plain: 200 MB follow
    header.resize(32);
    if (i % 2) workers_asio::write(silent.back(), workers_asio::buffer(header), ignored);
  }
  wait_for("roof_workers_refused_total{why=\"options\"}", 1);
  const auto until = std::chrono::steady_clock::now() + kRoof;
  while (home_->metric("roof_workers_refused_total{why=\"tls\"}") < 168 &&
         std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(10ms);
  EXPECT_GE(home_->metric("roof_workers_refused_total{why=\"tls\"}"), 168) << "all but the last 32";
  if (!test::kUnderSanitizer) {  // which keeps freed memory for a while
    EXPECT_LE(home_->memory_kb(), before_kb + 20'000) << "nobody who is not let in is given memory";
  }
  EXPECT_EQ(home_->metric("roof_workers"), 0);
  EXPECT_EQ(home_->operators("/readyz").status, 200);
}

TEST_F(WorkerProcesses, EndOnSigtermAndSaySo) {
  RunningWorker worker(port_, files_, {}, houses().catalogue);
  wait_for("roof_workers", 1);
  const double lost = home_->metric("roof_workers_lost_total");
  EXPECT_EQ(worker.stop(), 0);
  EXPECT_NE(worker.log().find("every run is finished"), std::string::npos) << worker.log();
  wait_for("roof_workers", 0);
  EXPECT_EQ(home_->metric("roof_workers_lost_total"), lost) << "it has left";
}

TEST(WorkerCommand, RefusesToStartWithASentence) {
  const test::TemporaryFolder folder;
  const test::PemFiles files = test::make_certificate(folder.path("member"));
  const auto refused = [&](std::vector<std::string> options, const std::string& sentence) {
    options.insert(options.begin(), {"worker", "--config-file=" + folder.path("conf"),
                                     "--geodata=" + test::sample_region().catalogue});
    std::ofstream(folder.path("conf")).flush();
    const auto ended = test::run_roofd(options);
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_NE(ended.err.find(sentence), std::string::npos) << ended.err;
  };
  const std::string home = "--home=127.0.0.1:1";
  refused({}, "--home is missing");
  refused({"--home=127.0.0.1"}, "is not HOST:PORT");
  refused({home}, "--cluster.certificate is missing");
  refused({home, "--cluster.certificate=" + files.certificate}, "--cluster.key is missing");
  refused({home, "--cluster.certificate=" + files.certificate, "--cluster.key=" + files.key},
          "--cluster.ca is missing");
  refused({home, "--cluster.certificate=" + files.certificate, "--cluster.key=" + folder.path("none"),
           "--cluster.ca=" + files.certificate},
          "--cluster.key=" + folder.path("none"));
}

}  // namespace
