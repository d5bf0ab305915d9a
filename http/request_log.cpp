#include "http/request_log.hpp"

#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <utility>

#include "http/routes.hpp"

namespace http {
namespace {

constexpr std::size_t kGatheredMax = 4U << 20U;
constexpr std::size_t kWakeAt = 256U << 10U;
constexpr auto kWriteEvery = std::chrono::milliseconds(100);

/// RFC 3339, UTC; made once a second and thread.
const std::string& date_and_time(std::time_t now) {
  thread_local std::time_t made_for = -1;
  thread_local std::string text;
  if (now != made_for) {
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 40> buffer{};
    text.assign(buffer.data(), std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%S", &utc));
    made_for = now;
  }
  return text;
}

template <class Number>
void append(std::string& line, Number number) {
  std::array<char, 24> text{};
  line.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

/// Thousandths behind a point: ".007".
void append_thousandths(std::string& line, std::int64_t thousandths) {
  line += {'.', static_cast<char>('0' + thousandths / 100), static_cast<char>('0' + thousandths / 10 % 10),
           static_cast<char>('0' + thousandths % 10)};
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

std::string request_line(const Exchange& exchange, int status, std::size_t bytes,
                         std::chrono::microseconds took, std::int64_t now_ms) {
  std::string line;
  line.reserve(192);
  line.append("time=").append(date_and_time(static_cast<std::time_t>(now_ms / 1000)));
  append_thousandths(line, now_ms % 1000);
  line.append("Z level=")
      .append(status >= 500 ? "error" : "info")
      .append(" msg=request id=")
      .append(exchange.id);
  line.append(" method=").append(exchange.method.empty() ? "-" : exchange.method);
  line.append(" route=").append(exchange.route ? exchange.route->path : "-").append(" status=");
  append(line, status);
  append(line.append(" ms="), took.count() / 1000);
  append_thousandths(line, took.count() % 1000);
  append(line.append(" bytes="), bytes);
  return line.append("\n");
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
  using namespace std::chrono;
  const auto took = duration_cast<microseconds>(steady_clock::now() - exchange.began);
  const auto now = duration_cast<milliseconds>(system_clock::now().time_since_epoch());
  const std::string line = request_line(exchange, response.status, response.text().size(), took, now.count());
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
