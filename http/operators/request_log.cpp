#include "http/operators/request_log.hpp"

#include "http/api/routes.hpp"

namespace http {
namespace {

constexpr int kOurFault = 500;

}  // namespace

std::optional<LogChoice> log_choice_of(std::string_view text) {
  if (text == "all") return LogChoice::all;
  if (text == "errors") return LogChoice::errors;
  if (text == "off") return LogChoice::off;
  return {};
}

actors::LogLine request_line(const Exchange& exchange, int status, std::size_t bytes,
                             std::chrono::microseconds took) {
  actors::LogLine line("request");
  line.field("id", exchange.id).field("method", exchange.method.empty() ? "-" : exchange.method);
  line.field("route", exchange.route ? exchange.route->path : "-");
  line.field("status", static_cast<std::uint64_t>(status)).milliseconds("ms", took);
  return line.field("bytes", std::uint64_t{bytes});
}

void RequestLog::write(const Exchange& exchange, const Response& response) {
  const bool error = response.status >= kOurFault;
  if (choice_ == LogChoice::off || (choice_ == LogChoice::errors && !error)) return;
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                          exchange.began);
  log_.write(error ? actors::LogLevel::error : actors::LogLevel::info,
             request_line(exchange, response.status, response.text().size(), took));
}

}  // namespace http
