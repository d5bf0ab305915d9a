// The real program over real sockets and real files: a roofd of the test's own, with a sample region and a
// data directory that are removed with it.
#pragma once
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/free_port.hpp"

namespace test {

inline const std::vector<std::string> kNoLimits{"--limits.create-per-hour=0", "--limits.status-per-hour=0",
                                                "--limits.analyse-per-hour=0", "--limits.address-per-hour=0",
                                                "--limits.address-per-day=0"};

/// Time-out for what ends by itself: even a busy machine stays far below it.
inline constexpr auto kLastResort = std::chrono::seconds(120);

struct Reply {
  int status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
  nlohmann::json json() const { return nlohmann::json::parse(body); }
  /// fehler.code of a problem document, else empty.
  std::string code() const;
};

using Headers = std::map<std::string, std::string>;

/// How a program ended, and what it printed.
struct Ended {
  int exit_code = -1;
  std::string out, err;
};
Ended run_roofd(const std::vector<std::string>& arguments);

/// A folder that is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name = "") const { return name.empty() ? path_ : path_ + "/" + name; }

 private:
  std::string path_;
};

/// One settlement for all tests of the process: its catalogue, and its addresses as a client writes them.
struct SampleRegion {
  std::string catalogue;
  std::vector<std::string> addresses;
};
const SampleRegion& sample_region();

class RunningService {
 public:
  /// Starts roofd and waits until it listens; `options` come on top of what a test always needs, with
  /// the port for "{port}".
  explicit RunningService(std::vector<std::string> options = {}, const std::string& catalogue = {});
  ~RunningService();
  RunningService(const RunningService&) = delete;
  RunningService& operator=(const RunningService&) = delete;

  void kill_9();
  /// Sends SIGTERM; returns how long the program took to end.
  std::chrono::milliseconds stop();
  /// Starts it again after kill_9() or stop(), with the same data directory.
  void start();
  /// The same where a refusal is an outcome too: returns what the program ended with, nothing when it
  /// listens.
  std::optional<Ended> try_start();
  /// The same without waiting until it listens; kill_9() may follow.
  void launch();

  /// Makes an account with a key.
  std::string new_key(const std::string& plan = "regular");
  std::string data_dir() const { return folder_.path("data"); }
  std::uint16_t port() const { return port_; }

  /// What the program holds at this moment: memory, and open files (sockets among them).
  std::size_t memory_kb() const;
  std::size_t open_files() const;
  /// With this limit of descriptors the service can open nothing more.
  std::size_t lowest_free_descriptor() const;
  /// From now on the program may have at most this many files open.
  void allow_open_files(std::size_t most) const;

  /// `path` below {base_url}. Each call is a connection of its own, and every answer is held against the
  /// service's own description (description_check.hpp).
  Reply get(const std::string& path, const std::string& key = {}, const Headers& headers = {}) const;
  Reply post(const std::string& path, const std::string& key, const std::string& body,
             const Headers& headers = {{"Content-Type", "application/json"}}) const;
  Reply request(const std::string& method, const std::string& path, const std::string& body,
                const Headers& headers) const;

  /// `path` on the operators' address: /metrics, /healthz, /readyz.
  Reply operators(const std::string& path) const;
  /// The value of a series of /metrics as it is spelt there; -1 when there is none.
  double metric(const std::string& series) const;
  /// What the program has written on stderr so far.
  std::string log() const;
  /// How long the last start() took until it listened.
  std::chrono::milliseconds start_took() const { return start_took_; }
  int pid() const { return pid_; }
  /// Asks for all of them at once, each over a connection of its own; the answers in the paths' order.
  std::vector<Reply> get_all_at_once(const std::vector<std::string>& paths, const std::string& key) const;

  /// A request whose answer is not checked; `target` is the whole path.
  Reply unchecked(const std::string& method, const std::string& target, const std::string& body,
                  const Headers& headers) const;

  /// A project at the sample region's n-th address.
  Reply create(const std::string& key, std::size_t n) const;
  /// Polls until the run is over (200 or a problem).
  Reply await_result(const std::string& key, std::uint64_t project) const;
  /// No run computes or waits. A result can be read before its run has given its slot back, so this waits.
  void expect_no_run_left() const;

 private:
  TemporaryFolder folder_;
  std::vector<std::string> options_;
  std::string catalogue_;
  std::uint16_t port_ = 0;
  std::uint16_t operators_port_ = 0;
  int pid_ = 0;
  std::chrono::milliseconds start_took_{};
};

/// A variable of this process's environment, which the programs that it starts inherit; removed with this
/// object.
class Environment {
 public:
  Environment(std::string name, const std::string& value);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string name_;
};

/// The body of a good POST /projekte.
nlohmann::json project_order(const std::string& address);

}  // namespace test
