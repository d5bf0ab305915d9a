// One line per request in logfmt (key=value), on stderr: time, request id, endpoint, status, milliseconds,
// bytes. The endpoint is the route's pattern: what a client sent (keys, addresses, names) is never written.
// Lines are gathered and written by a thread of the log's own, so that a slow terminal or pipe holds up no
// request.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "http/response.hpp"
#include "http/server.hpp"

namespace http {

enum class LogChoice { all, errors, off };
/// "all", "errors" (status 500 and above), "off".
std::optional<LogChoice> log_choice_of(std::string_view text);

/// The line with its end; `now_ms` since 1970.
std::string request_line(const Exchange& exchange, int status, std::size_t bytes,
                         std::chrono::microseconds took, std::int64_t now_ms);

/// Thread-safe.
class RequestLog {
 public:
  /// Writes to a descriptor that it does not own.
  RequestLog(LogChoice choice, int descriptor);
  /// Writes what has gathered.
  ~RequestLog();
  RequestLog(const RequestLog&) = delete;
  RequestLog& operator=(const RequestLog&) = delete;

  void write(const Exchange& exchange, const Response& response);
  /// Lines thrown away because the descriptor took none for too long.
  std::uint64_t dropped() const { return dropped_; }

 private:
  void write_until_stopped();

  LogChoice choice_;
  int descriptor_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::string gathered_;
  bool stopping_ = false;
  std::atomic<std::uint64_t> dropped_{0};
  std::thread writer_;
};

}  // namespace http
