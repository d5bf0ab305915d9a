#include "http/operator_log.hpp"

#include <poll.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace http {
namespace {

using actors::LogLevel;
using spdlog::details::log_msg;

constexpr std::size_t kLinesMax = 16'384;  // in the queue: a fifth of a second at the highest rate measured
constexpr std::size_t kWriteAt = 64U << 10U;  // bytes that are written at once
constexpr std::size_t kNeverBlocks = 4096;    // PIPE_BUF: a pipe that poll() calls writable takes as much
constexpr int kLook_ms = 100;
constexpr auto kRest = std::chrono::milliseconds(20);  // in which far fewer lines come than the queue holds
constexpr auto kPattern = "%*time=%Y-%m-%dT%H:%M:%S.%eZ level=%l %v";

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

/// "<3>": syslog(3)'s priority, as systemd reads it off a line.
class Priority : public spdlog::custom_flag_formatter {
 public:
  explicit Priority(bool wanted) : wanted_(wanted) {}
  void format(const log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    const std::string_view text = message.level >= spdlog::level::err    ? "<3>"
                                  : message.level == spdlog::level::warn ? "<4>"
                                                                         : "<6>";
    if (wanted_) out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<Priority>(wanted_);
  }

 private:
  bool wanted_;
};

std::unique_ptr<spdlog::formatter> line_formatter(bool priorities) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>(spdlog::pattern_time_type::utc, "\n");
  formatter->add_flag<Priority>('*', priorities).set_pattern(kPattern);
  return formatter;
}

/// Used by the queue's one thread. Under load many lines go out in one call.
class DescriptorSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  DescriptorSink(int descriptor, bool priorities)
      : base_sink(line_formatter(priorities)), descriptor_(descriptor) {}
  /// The queue whose lines it gets.
  void listen_to(spdlog::details::thread_pool& queue) { queue_ = &queue; }
  /// Whoever takes nothing from now on is not waited for.
  void end() { ending_ = true; }
  std::uint64_t lost() const { return lost_; }

 protected:
  void sink_it_(const log_msg& message) override {
    formatter_->format(message, gathered_);
    ++lines_;
    if (gathered_.size() >= kWriteAt) return flush_();
    if (queue_->queue_size() > 0) return;
    flush_();
    // Lines gather meanwhile. Waking this thread for each of them would cost requests about a tenth of their
    // rate.
    if (!ending_) std::this_thread::sleep_for(kRest);
  }
  void flush_() override {
    const char* from = gathered_.data();
    const char* const end = from + gathered_.size();
    while (from != end && await_room()) {
      const auto most = std::min<std::size_t>(kNeverBlocks, static_cast<std::size_t>(end - from));
      const ssize_t n = ::write(descriptor_, from, most);
      if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (n <= 0) break;  // nobody reads any more: there is nowhere to say so
      from += n;
    }
    if (from != end) lost_ += lines_;
    lines_ = 0;
    gathered_.clear();
  }

 private:
  /// False once the log ends and nobody takes anything: then nothing more is waited for.
  bool await_room() {
    pollfd asked{descriptor_, POLLOUT, 0};
    while (!given_up_) {
      if (::poll(&asked, 1, kLook_ms) > 0) return true;
      given_up_ = ending_;
    }
    return false;
  }

  int descriptor_;
  spdlog::details::thread_pool* queue_ = nullptr;
  std::atomic<bool> ending_{false};
  bool given_up_ = false;
  std::atomic<std::uint64_t> lost_{0};
  std::uint64_t lines_ = 0;
  spdlog::memory_buf_t gathered_;
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
  std::shared_ptr<DescriptorSink> sink;
  std::shared_ptr<spdlog::details::thread_pool> queue;
  std::shared_ptr<spdlog::async_logger> logger;
};

OperatorLog::OperatorLog(LogLevel least, int descriptor, bool priorities) : impl_(std::make_unique<Impl>()) {
  impl_->sink = std::make_shared<DescriptorSink>(descriptor, priorities);
  impl_->queue = std::make_shared<spdlog::details::thread_pool>(kLinesMax, 1);
  impl_->sink->listen_to(*impl_->queue);
  impl_->logger = std::make_shared<spdlog::async_logger>("roofd", impl_->sink, impl_->queue,
                                                         spdlog::async_overflow_policy::overrun_oldest);
  impl_->logger->set_level(spdlog_level(least));
}

OperatorLog::~OperatorLog() {
  impl_->sink->end();
  impl_->queue.reset();  // its thread works off what has gathered and ends
  impl_->sink->flush();
}

void OperatorLog::write(LogLevel level, const actors::LogLine& line) {
  const std::string& text = line.text();
  impl_->logger->log(spdlog_level(level), spdlog::string_view_t(text.data(), text.size()));
}

std::uint64_t OperatorLog::dropped() const { return impl_->queue->overrun_counter() + impl_->sink->lost(); }

}  // namespace http
