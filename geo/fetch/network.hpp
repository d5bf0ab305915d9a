// The way to the offices' servers: one request at a time for the caller, paced by server for all threads
// together. Everything in geo that comes from the network comes through here.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geo/fetch/fetch_failure.hpp"
#include "geo/run_control.hpp"

namespace geo {

/// From now on this process opens no socket for data: each fetch fails with a sentence that says so. Cannot
/// be undone but for tests.
void go_offline(bool offline = true);
bool is_offline();

/// What one server bears.
struct HostRules {
  int connections = 3;
  double requests_per_s = 20;        ///< in the long run
  int burst = 40;                    ///< requests at once after a pause
  std::string ca_file;               ///< PEM, trusted besides the system's: where a chain is incomplete
  std::vector<std::string> headers;  ///< sent along, "Referer: https://..."
};

struct NetworkOptions {
  std::string contact;   ///< of whoever runs the service: an e-mail address or URL, for the User-Agent
  int connections = 12;  ///< of all servers together
  HostRules rules;       ///< of servers that are not in `hosts`
  std::map<std::string, HostRules> hosts;  ///< by host name, lower case
  std::chrono::milliseconds connect_limit{10'000};
  std::chrono::seconds slow_limit{30};  ///< so long may it come slower than `slow_bytes_per_s`
  std::uint32_t slow_bytes_per_s = 2'048;
  std::chrono::milliseconds dead_for{30'000};  ///< nothing is asked of a server that does not answer
};

struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;  ///< 0: all from `first` on
};

struct HttpAsk {
  std::string url;
  std::optional<ByteRange> range;
  std::string if_range;                ///< the range only if the file is still this one, else all of it
  bool compressed = false;             ///< may come compressed; it is unpacked
  bool lists_folder = false;           ///< PROPFIND (WebDAV): what lies in this folder
  std::string named_by;                ///< the URL of the listing that names `url`
  std::chrono::milliseconds limit{0};  ///< of the whole exchange; 0: only `slow_limit` holds
  std::chrono::milliseconds patience{600'000};       ///< how long to wait for a turn at the server
  std::chrono::milliseconds longest_pause{600'000};  ///< that the server may ask for, or not answer
};

/// Of an answer 2xx.
struct HttpAnswer {
  int status = 0;
  std::string url;  ///< after redirections
  std::string content_type, etag, last_modified;
  std::optional<std::uint64_t> length;              ///< of this answer's body, as told
  std::optional<std::uint64_t> first, last, whole;  ///< Content-Range

  std::string validator() const;
};

/// For If-Range: an ETag that promises the same bytes, else the time; empty without either.
std::string validator_of(const std::string& etag, const std::string& last_modified);

/// Takes a piece of the body. A failure ends the exchange.
using TakeBytes = std::function<std::optional<FetchFailure>(const HttpAnswer&, std::string_view)>;

class Network {
 public:
  explicit Network(NetworkOptions options);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// One GET, or PROPFIND of a folder, redirections followed; blocks, from any thread. Only answers 2xx have
  /// a body here; others, and what goes wrong on the way, are failures. A public server may redirect to
  /// public addresses only.
  FetchResult<HttpAnswer> get(const HttpAsk& ask, const TakeBytes& take, const RunControl& control);

  /// Of the server that a URL names.
  const HostRules& rules_for(const std::string& url) const;

 private:
  class Hosts;
  NetworkOptions options_;
  std::unique_ptr<Hosts> hosts_;
};

}  // namespace geo
