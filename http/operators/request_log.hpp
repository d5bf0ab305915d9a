// A line per request in the operators' log: request id, endpoint, status, milliseconds, bytes. The endpoint
// is the route's pattern: what a client sent (keys, addresses, names) is never written.
#pragma once
#include <chrono>
#include <optional>
#include <string_view>

#include "actors/log.hpp"
#include "http/wire/response.hpp"
#include "http/wire/server.hpp"

namespace http {

enum class LogChoice { all, errors, off };
/// "all", "errors" (status 500 and above), "off".
std::optional<LogChoice> log_choice_of(std::string_view text);

actors::LogLine request_line(const Exchange& exchange, int status, std::size_t bytes,
                             std::chrono::microseconds took);

/// Thread-safe.
class RequestLog {
 public:
  /// `log` outlives it.
  RequestLog(LogChoice choice, actors::Log& log) : choice_(choice), log_(log) {}
  void write(const Exchange& exchange, const Response& response);

 private:
  LogChoice choice_;
  actors::Log& log_;
};

}  // namespace http
