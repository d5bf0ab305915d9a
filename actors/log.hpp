// What the service tells its operators: one line per event, in logfmt (key=value). A line names requests,
// accounts, projects and runs by their ids and says in English what went wrong. It never contains keys,
// addresses or other text from a client.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace actors {

enum class LogLevel : std::uint8_t { info, warning, error, off };

/// msg=EVENT and the fields in the order in which they are added. The log adds time and level.
class LogLine {
 public:
  explicit LogLine(std::string_view event) { field("msg", event); }
  /// An empty text leaves the field out. A text that is not one plain word is quoted, and control characters
  /// become spaces, so that one event is always one line.
  LogLine& field(std::string_view name, std::string_view text);
  LogLine& field(std::string_view name, std::uint64_t number);
  LogLine& milliseconds(std::string_view name, std::chrono::microseconds time);
  const std::string& text() const { return text_; }

 private:
  void begin(std::string_view name);
  std::string text_;
};

/// Thread-safe. Never waits for a reader.
class Log {
 public:
  virtual ~Log() = default;
  virtual void write(LogLevel level, const LogLine& line) = 0;
};
using LogPtr = std::shared_ptr<Log>;

/// Drops every line: for actors in tests and commands.
LogPtr silent_log();

}  // namespace actors
