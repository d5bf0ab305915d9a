// The time of day as it is believed where something is removed for good. A clock that steps years ahead,
// because a time server says so, and back again must not take every result along: a step ahead is believed
// once it has stood for so long that whatever was there before it is old enough by any clock.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdlib>

namespace actors {

class BelievedTime {
 public:
  using Steady = std::chrono::steady_clock::time_point;

  /// `probation`: how long a step ahead must have stood.
  explicit BelievedTime(std::chrono::milliseconds probation) : probation_ms_(probation.count()) {}

  /// The time of day in ms since 1970, never ahead of `wall_ms`; `steady` is the clock that does not jump. To
  /// be asked every few minutes. The first time is believed: nothing says otherwise.
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
  static constexpr std::int64_t kDrift_ms = 60'000;  // between two questions; more is a step
  std::int64_t probation_ms_;
  bool asked_ = false;
  // By how much the time of day is ahead of the steady clock:
  std::int64_t believed_ms_ = 0;
  std::int64_t seen_ms_ = 0;   // when it was asked last
  std::int64_t since_ms_ = 0;  // since when it has been about that, by the steady clock
};

}  // namespace actors
