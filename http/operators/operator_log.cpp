#include "http/operators/operator_log.hpp"

#include <poll.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace http {
namespace {

using actors::LogLevel;
using spdlog::details::log_msg;

constexpr std::size_t kGatheredMax = 4U << 20U;  // bytes, some 27,000 lines of requests
constexpr std::size_t kWriteAt = 256U << 10U;
constexpr std::size_t kNeverBlocks = 4096;  // PIPE_BUF: poll() calls a pipe writable when it takes as much
constexpr int kLook_ms = 100;
constexpr auto kGather = std::chrono::milliseconds(20);

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      break;
  }
  return spdlog::level::off;
}

/// The prefix with syslog(3)'s priority that systemd expects before a line.
std::string_view priority_of(spdlog::level::level_enum level) {
  if (level >= spdlog::level::err) return "<3>";
  return level == spdlog::level::warn ? "<4>" : "<6>";
}

void append(spdlog::memory_buf_t& out, std::string_view text) {
  out.append(text.data(), text.data() + text.size());
}

/// time=2026-11-23T08:15:00.007Z level=info TEXT. spdlog's own patterns format the date again for each line;
/// here that is done once a second.
class LineFormatter : public spdlog::formatter {
 public:
  explicit LineFormatter(bool priorities) : priorities_(priorities) {}
  void format(const log_msg& message, spdlog::memory_buf_t& out) override {
    using namespace std::chrono;
    const auto second = floor<seconds>(message.time);
    if (second != made_for_) make_date(second);
    if (priorities_) append(out, priority_of(message.level));
    append(out, date_);
    const auto ms = duration_cast<milliseconds>(message.time - second).count();
    const std::array<char, 3> digits{static_cast<char>('0' + ms / 100), static_cast<char>('0' + ms / 10 % 10),
                                     static_cast<char>('0' + ms % 10)};
    append(out, {digits.data(), digits.size()});
    append(out, "Z level=");
    const auto level = spdlog::level::to_string_view(message.level);
    append(out, {level.data(), level.size()});
    append(out, " ");
    append(out, {message.payload.data(), message.payload.size()});
    append(out, "\n");
  }
  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<LineFormatter>(priorities_);
  }

 private:
  void make_date(std::chrono::sys_seconds second) {
    const std::time_t now = std::chrono::system_clock::to_time_t(second);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 40> text{};
    date_.assign(text.data(), std::strftime(text.data(), text.size(), "time=%Y-%m-%dT%H:%M:%S.", &utc));
    made_for_ = second;
  }

  bool priorities_;
  std::chrono::sys_seconds made_for_{std::chrono::seconds::min()};
  std::string date_;
};

bool is_file(int descriptor) {
  struct stat found {};
  return ::fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode);
}

/// Gathers lines, which a thread of its own writes: a logging thread only copies its line, and one call
/// writes many lines.
class DescriptorSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  DescriptorSink(int descriptor, bool priorities)
      : base_sink(std::make_unique<LineFormatter>(priorities)),
        descriptor_(descriptor),
        at_once_(is_file(descriptor) ? kGatheredMax : kNeverBlocks),
        writer_([this](const std::stop_token& ending) { write_until(ending); }) {}
  std::uint64_t lost() const { return lost_; }

 protected:
  void sink_it_(const log_msg& message) override {
    if (gathered_.size() >= kGatheredMax) {
      ++lost_;
      return;
    }
    const std::size_t before = gathered_.size();
    formatter_->format(message, gathered_);
    ++lines_;
    if (before == 0 || (before < kWriteAt && gathered_.size() >= kWriteAt)) wake_.notify_one();
  }
  void flush_() override {}

 private:
  void write_until(const std::stop_token& ending) {
    spdlog::memory_buf_t writing;
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, ending, [this] { return gathered_.size() > 0; })) {
      // Waking this thread for each line would cost requests about a tenth of their rate.
      wake_.wait_for(lock, ending, kGather, [this] { return gathered_.size() >= kWriteAt; });
      std::swap(writing, gathered_);
      const std::uint64_t lines = std::exchange(lines_, 0);
      lock.unlock();
      if (!write_all({writing.data(), writing.size()}, ending)) lost_ += lines;
      writing.clear();
      lock.lock();
    }
  }

  bool write_all(std::string_view text, const std::stop_token& ending) const {
    while (!text.empty() && await_room(ending)) {
      const ssize_t n = ::write(descriptor_, text.data(), std::min(at_once_, text.size()));
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n <= 0) return false;  // nobody reads any more, so this cannot be reported either
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return text.empty();
  }

  /// Waits until the descriptor takes something. False when the log ends and it still takes nothing.
  bool await_room(const std::stop_token& ending) const {
    pollfd asked{descriptor_, POLLOUT, 0};
    for (;;) {
      const bool last = ending.stop_requested();
      if (::poll(&asked, 1, kLook_ms) > 0) return true;
      if (last) return false;
    }
  }

  int descriptor_;
  std::size_t at_once_;
  spdlog::memory_buf_t gathered_;
  std::uint64_t lines_ = 0;  // in gathered_
  std::atomic<std::uint64_t> lost_{0};
  std::condition_variable_any wake_;
  std::jthread writer_;  // last: it uses the members above, and writes what has gathered before it ends
};

}  // namespace

std::optional<LogLevel> log_level_of(std::string_view text) {
  if (text == "info") return LogLevel::info;
  if (text == "warning") return LogLevel::warning;
  if (text == "error") return LogLevel::error;
  if (text == "off") return LogLevel::off;
  return {};
}

bool is_journal(int descriptor) {
  const char* const named = std::getenv("JOURNAL_STREAM");
  struct stat found {};
  return named && ::fstat(descriptor, &found) == 0 &&
         named == std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino);
}

struct OperatorLog::Impl {
  Impl(LogLevel least, int descriptor, bool priorities)
      : sink(std::make_shared<DescriptorSink>(descriptor, priorities)), logger("roofd", sink) {
    logger.set_level(spdlog_level(least));
  }
  std::shared_ptr<DescriptorSink> sink;
  spdlog::logger logger;
};

OperatorLog::OperatorLog(LogLevel least, int descriptor, bool priorities)
    : impl_(std::make_unique<Impl>(least, descriptor, priorities)) {}

OperatorLog::~OperatorLog() = default;

void OperatorLog::write(LogLevel level, const actors::LogLine& line) {
  const std::string& text = line.text();
  impl_->logger.log(spdlog_level(level), spdlog::string_view_t(text.data(), text.size()));
}

std::uint64_t OperatorLog::dropped() const { return impl_->sink->lost(); }

}  // namespace http
