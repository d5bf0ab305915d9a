// The log that operators read: lines in logfmt on a descriptor (stderr), with time and level. A thread of its
// own writes them, so that a slow terminal or pipe delays nobody. Up to 4 MB wait for it; further lines are
// dropped and counted.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "actors/log.hpp"

namespace http {

/// "info", "warning", "error", "off".
std::optional<actors::LogLevel> log_level_of(std::string_view text);

/// Whether systemd's journal reads the descriptor. The journal takes a line's priority from a prefix such as
/// "<3>".
bool is_journal(int descriptor);

/// Thread-safe.
class OperatorLog : public actors::Log {
 public:
  /// Writes lines of level `least` and above to a descriptor that it does not own. `priorities`: with the
  /// journal's prefix before each line.
  OperatorLog(actors::LogLevel least, int descriptor, bool priorities = false);
  /// Writes what has gathered, as far as the descriptor takes it.
  ~OperatorLog() override;

  void write(actors::LogLevel level, const actors::LogLine& line) override;
  /// Lines thrown away because nobody took them in time.
  std::uint64_t dropped() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace http
