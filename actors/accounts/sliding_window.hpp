// An exact sliding window: no period of the given length ever holds more than the limit. It keeps one time
// stamp per counted request, at most `limit` of them.
#pragma once
#include <algorithm>
#include <cstddef>
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
    if (size() >= limit_) return false;
    if (times_.size() == times_.capacity()) make_room();
    times_.push_back(now_ms);
    return true;
  }

  /// The time stamps that count, oldest first; restore() takes them after a restart of the program. If the
  /// limit is smaller than before, restore() keeps the newest ones, so that no period holds more than the new
  /// limit.
  std::vector<std::int64_t> times() const { return {oldest(), times_.end()}; }
  void restore(const std::vector<std::int64_t>& times_ms) {
    const auto kept = static_cast<std::ptrdiff_t>(std::min<std::size_t>(times_ms.size(), limit_));
    times_.assign(times_ms.end() - kept, times_ms.end());
    gone_ = 0;
  }

  std::uint32_t limit() const { return limit_; }
  std::uint32_t remaining(std::int64_t now_ms) {
    forget(now_ms);
    return limit_ - std::min(limit_, static_cast<std::uint32_t>(size()));
  }

  /// Seconds until one more request fits; at least 1 when the window is full, else 0.
  std::uint32_t retry_after_s(std::int64_t now_ms) {
    if (limit_ == 0 || remaining(now_ms) > 0) return 0;
    return seconds_until(*oldest() + period_ms_, now_ms);
  }
  /// Seconds until the oldest counted request leaves the window; 0 when it is empty.
  std::uint32_t reset_s(std::int64_t now_ms) {
    forget(now_ms);
    return size() == 0 ? 0 : seconds_until(*oldest() + period_ms_, now_ms);
  }
  /// Whether one more request takes more memory than bytes().
  bool must_grow(std::int64_t now_ms) {
    if (limit_ == 0) return false;
    forget(now_ms);
    return times_.size() == times_.capacity() && !gap_is_wide();
  }
  /// Memory beyond the object's own.
  std::size_t bytes() const { return times_.capacity() * sizeof(std::int64_t); }

 private:
  // After the clock was set back some stamps lie in the future. They would lock the caller out for longer
  // than a period, so they count as made now.
  void forget(std::int64_t now_ms) {
    while (size() > 0 && *oldest() + period_ms_ <= now_ms) ++gone_;
    if (size() == 0) {
      std::vector<std::int64_t>().swap(times_);
      gone_ = 0;
    }
    for (auto it = times_.end(); it != oldest() && *(it - 1) > now_ms; --it) *(it - 1) = now_ms;
  }
  /// Removes the stamps that have run out when they are many enough. Otherwise grows by half, but never to
  /// more than a quarter beyond the limit.
  void make_room() {
    if (gap_is_wide()) {
      times_.erase(times_.begin(), times_.begin() + gone_);
      gone_ = 0;
    } else {
      const std::size_t most = std::size_t{limit_} + limit_ / 4 + 1;
      times_.reserve(std::min(most, times_.size() + times_.size() / 2 + 1));
    }
  }
  bool gap_is_wide() const { return static_cast<std::size_t>(gone_) * 5 >= times_.size(); }
  std::size_t size() const { return times_.size() - static_cast<std::size_t>(gone_); }
  std::vector<std::int64_t>::iterator oldest() { return times_.begin() + gone_; }
  std::vector<std::int64_t>::const_iterator oldest() const { return times_.begin() + gone_; }
  static std::uint32_t seconds_until(std::int64_t then_ms, std::int64_t now_ms) {
    return static_cast<std::uint32_t>(std::max<std::int64_t>(1, (then_ms - now_ms + 999) / 1000));
  }

  std::uint32_t limit_;
  std::int64_t period_ms_;
  // A vector, because most windows hold one or two stamps, and a deque takes half a kilobyte for its first.
  std::vector<std::int64_t> times_;
  std::ptrdiff_t gone_ = 0;  // how many stamps at the front have run out
};

}  // namespace actors
