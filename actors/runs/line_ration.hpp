// Places in the line that the slot scheduler has promised to a shard of projects, so that not every creation
// has to ask it. The promise is one sixty-fourth of the free places, for one second. Near the end of the line
// it is zero, so that every creation asks.
#pragma once
#include <cstdint>

namespace actors {

class LineRation {
 public:
  /// `room`: the line's free places, as just reported by the scheduler.
  void set(std::uint32_t room, std::int64_t now_ms) {
    left_ = room / kPart;
    since_ms_ = now_ms;
  }
  /// Takes a promised place; false when none is left. A clock that was set back ends the promise.
  bool take(std::int64_t now_ms) {
    const bool good = left_ > 0 && now_ms >= since_ms_ && now_ms < since_ms_ + kGood_ms;
    left_ = good ? left_ - 1 : 0;
    return good;
  }

 private:
  static constexpr std::uint32_t kPart = 64;
  static constexpr std::int64_t kGood_ms = 1000;
  std::uint32_t left_ = 0;
  std::int64_t since_ms_ = 0;
};

}  // namespace actors
