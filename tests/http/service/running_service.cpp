#include "tests/http/service/running_service.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "geo/sample_region/sample_region.hpp"
#include "tests/http/service/description_check.hpp"
#include "tests/sanitizers.hpp"

namespace test {

namespace asio = boost::asio;
namespace beast = boost::beast;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = kLastResort;

std::string contents(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

int start_program(const std::vector<std::string>& arguments, const std::string& out, const std::string& err) {
  std::vector<char*> argv{const_cast<char*>(ROOFD)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int pid = ::fork();
  if (pid == 0) {
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    ::execv(ROOFD, argv.data());
    ::_exit(127);
  }
  return pid;
}

/// The port behind "on http://127.0.0.1:" in the line about /metrics.
std::uint16_t operators_port(const std::string& printed) {
  const std::string before = "operators on http://127.0.0.1:";
  const auto at = printed.find(before);
  return at == std::string::npos ? std::uint16_t{0}
                                 : static_cast<std::uint16_t>(std::stoi(printed.substr(at + before.size())));
}

constexpr std::uint64_t kLargestBody = 32U << 20U;

Reply reply_of(const beast::http::response<beast::http::string_body>& response) {
  Reply reply{static_cast<int>(response.result_int()), {}, response.body()};
  for (const auto& field : response)
    reply.headers[boost::algorithm::to_lower_copy(std::string(field.name_string()))] =
        std::string(field.value());
  return reply;
}

Reply exchange(std::uint16_t port, const std::string& method, const std::string& target,
               const std::string& body, const Headers& headers) {
  asio::io_context context;
  beast::tcp_stream stream(context);
  stream.expires_after(kPatience);
  stream.connect({asio::ip::make_address("127.0.0.1"), port});
  beast::http::request<beast::http::string_body> request;
  request.method_string(method);
  request.target(target);
  request.set(beast::http::field::host, "localhost");
  request.set(beast::http::field::connection, "close");
  for (const auto& [name, value] : headers) request.set(name, value);
  request.body() = body;
  if (!body.empty() || method == "POST") request.prepare_payload();
  beast::http::write(stream, request);
  beast::flat_buffer buffer;
  beast::http::response_parser<beast::http::string_body> parser;
  parser.skip(method == "HEAD");
  parser.body_limit(kLargestBody);
  beast::http::read(stream, buffer, parser);
  return reply_of(parser.get());
}

}  // namespace

std::string Reply::code() const {
  const auto parsed = nlohmann::json::parse(body, nullptr, false);
  return parsed.is_object() && parsed.contains("fehler") ? parsed["fehler"]["code"].get<std::string>()
                                                         : std::string();
}

Ended run_roofd(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const int pid = start_program(arguments, folder.path("out"), folder.path("err"));
  int status = 0;
  ::waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder.path("out")),
          contents(folder.path("err"))};
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "roof_test_XXXXXX").string();
  path_ = ::mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

const SampleRegion& sample_region() {
  static const TemporaryFolder folder;
  static const SampleRegion region = [] {
    constexpr int kAddresses = 12;
    const auto written =
        geo::write_sample_region({.out_dir = folder.path("region"), .addresses = kAddresses});
    EXPECT_TRUE(written);
    SampleRegion made{folder.path("region/geodata.json"), {}};
    std::istringstream rows(contents(folder.path("region/addresses.csv")));
    std::string row;
    std::getline(rows, row);
    while (std::getline(rows, row)) {
      std::istringstream cells(row);
      std::string street, number, postcode, town;
      std::getline(std::getline(std::getline(std::getline(cells, street, ','), number, ','), postcode, ','),
                   town, ',');
      made.addresses.push_back(street + " " + number + ", " + postcode + " " + town);
    }
    return made;
  }();
  return region;
}

RunningService::RunningService(std::vector<std::string> options, const std::string& catalogue)
    : options_(std::move(options)),
      catalogue_(catalogue.empty() ? sample_region().catalogue : catalogue),
      port_(free_port()) {
  start();
}

RunningService::~RunningService() { kill_9(); }

void RunningService::launch() {
  std::vector<std::string> arguments{"serve",
                                     "--geodata=" + catalogue_,
                                     "--data-dir=" + data_dir(),
                                     "--http.port=" + std::to_string(port_),
                                     "--admin.port=0",
                                     "--http.deadline=250",  // a picture takes long on a busy machine
                                     "--config-file=" + folder_.path("conf")};
  const std::ofstream made(folder_.path("conf"));
  std::filesystem::remove(folder_.path("out"));  // what an earlier start printed
  for (const std::string& option : options_)
    arguments.push_back(boost::replace_all_copy(option, "{port}", std::to_string(port_)));
  pid_ = start_program(arguments, folder_.path("out"), folder_.path("err"));
}

void RunningService::start() {
  if (const auto ended = try_start()) ADD_FAILURE() << "roofd does not listen: " << ended->err;
}

std::optional<Ended> RunningService::try_start() {
  const auto began = std::chrono::steady_clock::now();
  launch();
  Ended ended;
  while (std::chrono::steady_clock::now() < began + kPatience) {
    const std::string printed = contents(folder_.path("out"));
    if (printed.find("listens") != std::string::npos) {
      start_took_ =
          std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
      operators_port_ = operators_port(printed);
      return {};
    }
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = 0;
      ended.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      break;
    }
    std::this_thread::sleep_for(10ms);
  }
  ended.err = contents(folder_.path("err"));
  return ended;
}

std::size_t RunningService::memory_kb() const {
  std::istringstream lines(contents("/proc/" + std::to_string(pid_) + "/status"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
  ADD_FAILURE() << "the kernel does not say how much memory is used";
  return 0;
}

std::size_t RunningService::open_files() const {
  const std::filesystem::directory_iterator files("/proc/" + std::to_string(pid_) + "/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

std::size_t RunningService::lowest_free_descriptor() const {
  std::size_t free = 0;
  while (std::filesystem::exists(
      std::filesystem::symlink_status("/proc/" + std::to_string(pid_) + "/fd/" + std::to_string(free))))
    ++free;
  return free;
}

void RunningService::allow_open_files(std::size_t most) const {
  rlimit limit{};
  ASSERT_EQ(::prlimit(pid_, RLIMIT_NOFILE, nullptr, &limit), 0);
  limit.rlim_cur = most;
  ASSERT_EQ(::prlimit(pid_, RLIMIT_NOFILE, &limit, nullptr), 0);
}

void RunningService::kill_9() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

std::chrono::milliseconds RunningService::stop() {
  const auto began = std::chrono::steady_clock::now();
  if (pid_ <= 0) return {};  // its start failed
  ::kill(pid_, SIGTERM);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = 0;
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "roofd did not end by itself: "
      << (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                              : "exit code " + std::to_string(WEXITSTATUS(status)))
      << '\n'
      << contents(folder_.path("err"));
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
}

std::string RunningService::new_key(const std::string& plan) {
  static int accounts = 0;  // each has an e-mail address of its own
  const std::string email = "a" + std::to_string(++accounts) + "@example.org";
  const Ended account =
      run_roofd({"account", "add", "--data-dir=" + data_dir(), "--email=" + email, "--plan=" + plan});
  std::string id = account.out.substr(0, account.out.find('\n'));
  const Ended key = run_roofd({"key", "add", "--data-dir=" + data_dir(), "--account=" + id, "--name=test"});
  EXPECT_EQ(key.exit_code, 0) << account.err << key.err;
  return key.out.substr(0, key.out.find('\n'));
}

Reply RunningService::request(const std::string& method, const std::string& path, const std::string& body,
                              const Headers& headers) const {
  const std::string target = "/api/v1" + path;
  Reply reply = unchecked(method, target, body, headers);
  const std::string faults = description().faults_of({method, target, headers}, reply);
  EXPECT_EQ(faults, "") << method << " " << target << " -> " << reply.status << " "
                        << reply.body.substr(0, 400);
  return reply;
}

Reply RunningService::unchecked(const std::string& method, const std::string& target, const std::string& body,
                                const Headers& headers) const {
  return exchange(port_, method, target, body, headers);
}

Reply RunningService::operators(const std::string& path) const {
  return exchange(operators_port_, "GET", path, {}, {});
}

double RunningService::metric(const std::string& series) const {
  const std::string text = "\n" + operators("/metrics").body;
  const auto at = text.find("\n" + series + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + series.size() + 2));
}

std::string RunningService::log() const { return contents(folder_.path("err")); }

Reply RunningService::get(const std::string& path, const std::string& key, const Headers& headers) const {
  Headers all = headers;
  if (!key.empty()) all["X-API-Key"] = key;
  return request("GET", path, {}, all);
}

Reply RunningService::post(const std::string& path, const std::string& key, const std::string& body,
                           const Headers& headers) const {
  Headers all = headers;
  if (!key.empty()) all["X-API-Key"] = key;
  return request("POST", path, body, all);
}

std::vector<Reply> RunningService::get_all_at_once(const std::vector<std::string>& paths,
                                                   const std::string& key) const {
  struct Asked {
    explicit Asked(asio::io_context& context) : stream(context) {}
    beast::tcp_stream stream;
    beast::flat_buffer buffer;
    beast::http::response_parser<beast::http::string_body> parser;
  };
  asio::io_context context;
  std::vector<std::unique_ptr<Asked>> all;
  for (const std::string& path : paths) {
    all.push_back(std::make_unique<Asked>(context));
    Asked& asked = *all.back();
    asked.parser.body_limit(kLargestBody);
    asked.stream.connect({asio::ip::make_address("127.0.0.1"), port_});
    const std::string request = "GET /api/v1" + path + " HTTP/1.1\r\nHost: localhost\r\nX-API-Key: " + key +
                                "\r\nConnection: close\r\n\r\n";
    asio::write(asked.stream.socket(), asio::buffer(request));
  }
  for (const auto& asked : all)
    beast::http::async_read(asked->stream, asked->buffer, asked->parser,
                            [](const beast::error_code&, std::size_t) {});
  context.run();
  std::vector<Reply> replies;
  for (const auto& asked : all) replies.push_back(reply_of(asked->parser.get()));
  return replies;
}

Reply RunningService::create(const std::string& key, std::size_t n) const {
  return post("/projekte", key, project_order(sample_region().addresses.at(n)).dump());
}

Reply RunningService::await_result(const std::string& key, std::uint64_t project) const {
  const std::string path = "/projekte/" + std::to_string(project) + "/dachanalyse";
  const auto patience = kUnderSanitizer ? 4 * kPatience : kPatience;
  const auto began = std::chrono::steady_clock::now();
  Reply reply = get(path, key);
  for (auto waited = 0ms; reply.status == 202 && waited < patience;
       waited =
           std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began)) {
    // The pauses grow, so that on a slow machine the hour's status queries are not used up.
    std::this_thread::sleep_for(std::clamp(waited / 10, 20ms, 500ms));
    reply = get(path, key);
  }
  return reply;
}

void RunningService::expect_no_run_left() const {
  const auto end = std::chrono::steady_clock::now() + kLastResort;
  while (metric("roof_slots_taken") != 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(20ms);
  EXPECT_EQ(metric("roof_slots_taken"), 0);
  EXPECT_EQ(metric("roof_line_runs"), 0);
}

Environment::Environment(std::string name, const std::string& value) : name_(std::move(name)) {
  ::setenv(name_.c_str(), value.c_str(), 1);
}
Environment::~Environment() { ::unsetenv(name_.c_str()); }

nlohmann::json project_order(const std::string& address) {
  return {{"name", "Haus"}, {"adresse", address}, {"jahresverbrauch_kwh", 4500}, {"lastprofil", "H0"}};
}

}  // namespace test
