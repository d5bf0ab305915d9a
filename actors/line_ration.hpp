// Places in the line that the slot scheduler has promised a shard of projects: it need not be asked for every
// creation. Of many free places a sixty-fourth, for a second; near the end of the line none, so that every
// creation asks.
#pragma once
#include <cstdint>

namespace actors {

class LineRation {
 public:
  /// `room`: the line's free places, as the scheduler has just said.
  void set(std::uint32_t room, std::int64_t now_ms) {
    left_ = room / kPart;
    since_ms_ = now_ms;
  }
  /// Whether a promised place was left; it is taken then. A clock that was set back ends the promise.
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
