#include "http/request_log.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <utility>

#include "http/routes.hpp"

namespace http {
namespace {

constexpr std::size_t kGatheredMax = 4U << 20U;
constexpr std::size_t kWakeAt = 256U << 10U;
constexpr auto kWriteEvery = std::chrono::milliseconds(100);

/// RFC 3339 with milliseconds, UTC.
std::string timestamp(std::int64_t now_ms) {
  const auto seconds = static_cast<std::time_t>(now_ms / 1000);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 40> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::array<char, 8> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03dZ", static_cast<int>(now_ms % 1000));
  return std::string(text.data(), length) + fraction.data();
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // nobody reads any more: there is nowhere to say so
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

std::optional<LogChoice> log_choice_of(std::string_view text) {
  if (text == "all") return LogChoice::all;
  if (text == "errors") return LogChoice::errors;
  if (text == "off") return LogChoice::off;
  return {};
}

std::string request_line(const Exchange& exchange, int status, std::size_t bytes, double took_ms,
                         std::int64_t now_ms) {
  const char* level = status >= 500 ? "error" : "info";
  std::array<char, 32> took{};
  std::snprintf(took.data(), took.size(), "%.3f", took_ms);
  std::string line = "time=" + timestamp(now_ms) + " level=" + level + " msg=request id=" + exchange.id;
  line.append(" method=").append(exchange.method.empty() ? "-" : exchange.method);
  line.append(" route=").append(exchange.route ? exchange.route->path : "-");
  line.append(" status=").append(std::to_string(status)).append(" ms=").append(took.data());
  return line.append(" bytes=").append(std::to_string(bytes)).append("\n");
}

RequestLog::RequestLog(LogChoice choice, int descriptor) : choice_(choice), descriptor_(descriptor) {
  if (choice_ != LogChoice::off) writer_ = std::thread([this] { write_until_stopped(); });
}

RequestLog::~RequestLog() {
  {
    const std::lock_guard guard(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (writer_.joinable()) writer_.join();
}

void RequestLog::write(const Exchange& exchange, const Response& response) {
  if (choice_ == LogChoice::off || (choice_ == LogChoice::errors && response.status < 500)) return;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - exchange.began;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string line = request_line(exchange, response.status, response.text().size(), took.count(),
                                        std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  bool wake = false;
  {
    const std::lock_guard guard(mutex_);
    if (gathered_.size() + line.size() > kGatheredMax) {
      ++dropped_;
      return;
    }
    gathered_ += line;
    wake = gathered_.size() > kWakeAt && gathered_.size() - line.size() <= kWakeAt;
  }
  if (wake) wake_.notify_one();
}

void RequestLog::write_until_stopped() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait_for(lock, kWriteEvery, [this] { return stopping_ || gathered_.size() > kWakeAt; });
    const std::string lines = std::exchange(gathered_, {});
    const bool last = stopping_;
    lock.unlock();
    write_all(descriptor_, lines);
    lock.lock();
    if (last) return;
  }
}

}  // namespace http
