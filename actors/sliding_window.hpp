// An exact sliding window: no period of the given length ever holds more than the limit. It keeps one time
// stamp per counted request, at most `limit` of them.
#pragma once
#include <algorithm>
#include <boost/container/deque.hpp>
#include <cstdint>
#include <vector>

namespace actors {

class SlidingWindow {
 public:
  SlidingWindow(std::uint32_t limit, std::int64_t period_ms) : limit_(limit), period_ms_(period_ms) {}

  /// Counts a request at `now_ms` and lets it pass, or refuses it without counting. A limit of 0 is off.
  bool admit(std::int64_t now_ms) {
    if (limit_ == 0) return true;
    forget(now_ms);
    if (times_.size() >= limit_) return false;
    times_.push_back(now_ms);
    return true;
  }

  /// The time stamps that count, oldest first, for restore() after a restart of the program. A smaller limit
  /// than before keeps the newest: no period then holds more than the smaller one either.
  std::vector<std::int64_t> times() const { return {times_.begin(), times_.end()}; }
  void restore(const std::vector<std::int64_t>& times_ms) {
    const auto kept = static_cast<std::ptrdiff_t>(std::min<std::size_t>(times_ms.size(), limit_));
    times_.assign(times_ms.end() - kept, times_ms.end());
  }

  std::uint32_t limit() const { return limit_; }
  std::uint32_t remaining(std::int64_t now_ms) {
    forget(now_ms);
    return limit_ - std::min(limit_, static_cast<std::uint32_t>(times_.size()));
  }

  /// Seconds until one more request fits; at least 1 when the window is full, else 0.
  std::uint32_t retry_after_s(std::int64_t now_ms) {
    if (limit_ == 0 || remaining(now_ms) > 0) return 0;
    return seconds_until(times_.front() + period_ms_, now_ms);
  }
  /// Seconds until the oldest counted request leaves the window; 0 when it is empty.
  std::uint32_t reset_s(std::int64_t now_ms) {
    forget(now_ms);
    return times_.empty() ? 0 : seconds_until(times_.front() + period_ms_, now_ms);
  }

 private:
  // A clock that was set back makes stamps of the future: they would lock the caller out for longer than a
  // period, so they count as made now.
  void forget(std::int64_t now_ms) {
    while (!times_.empty() && times_.front() + period_ms_ <= now_ms) times_.pop_front();
    for (auto it = times_.rbegin(); it != times_.rend() && *it > now_ms; ++it) *it = now_ms;
  }
  static std::uint32_t seconds_until(std::int64_t then_ms, std::int64_t now_ms) {
    return static_cast<std::uint32_t>(std::max<std::int64_t>(1, (then_ms - now_ms + 999) / 1000));
  }

  std::uint32_t limit_;
  std::int64_t period_ms_;
  boost::container::deque<std::int64_t> times_;  // unlike the standard one, empty it takes no memory
};

}  // namespace actors
