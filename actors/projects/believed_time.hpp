// The time of day to use before something is removed for good. A time server may set the clock years ahead
// and back again. That must not remove every result. So a step ahead is believed only after it has lasted for
// a probation time: whatever was there before the step is then old enough by any clock.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdlib>

namespace actors {

class BelievedTime {
 public:
  using Steady = std::chrono::steady_clock::time_point;

  /// `probation`: how long a step ahead must have lasted.
  explicit BelievedTime(std::chrono::milliseconds probation) : probation_ms_(probation.count()) {}

  /// The time of day in ms since 1970, never ahead of `wall_ms`; `steady` is the clock that does not jump.
  /// Call it every few minutes. The first time is believed, since there is nothing to compare it with.
  std::int64_t at(std::int64_t wall_ms, Steady steady) {
    using std::chrono::duration_cast, std::chrono::milliseconds;
    const std::int64_t steady_ms = duration_cast<milliseconds>(steady.time_since_epoch()).count();
    const std::int64_t ahead_ms = wall_ms - steady_ms;
    if (!asked_) believed_ms_ = ahead_ms;
    if (!asked_ || std::abs(ahead_ms - seen_ms_) > kDrift_ms) since_ms_ = steady_ms;
    asked_ = true;
    seen_ms_ = ahead_ms;
    if (ahead_ms <= believed_ms_ + kDrift_ms || steady_ms - since_ms_ >= probation_ms_)
      believed_ms_ = ahead_ms;
    return steady_ms + believed_ms_;
  }

 private:
  static constexpr std::int64_t kDrift_ms = 60'000;  // largest change between two calls that is no step
  std::int64_t probation_ms_;
  bool asked_ = false;
  // How far the time of day is ahead of the steady clock:
  std::int64_t believed_ms_ = 0;
  std::int64_t seen_ms_ = 0;   // at the last call
  std::int64_t since_ms_ = 0;  // steady time from which seen_ms_ has been about the same
};

}  // namespace actors
