// Whether a client takes its answers fast enough: it may pause for a given time. The bytes that it takes earn
// further time, but never more than one pause in advance.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace http {

class DrainPace {
 public:
  using Time = std::chrono::steady_clock::time_point;
  DrainPace(std::uint32_t bytes_per_s, std::chrono::seconds pause)
      : bytes_per_s_(bytes_per_s), pause_(pause) {}

  /// After an attempt to send: what the client has taken, and what still waits for it.
  void sent(std::size_t taken, std::size_t waiting, Time now) {
    if (!std::exchange(waiting_, waiting > 0)) due_ = now + pause_;
    if (bytes_per_s_ == 0) return;
    const std::chrono::duration<double> bought(static_cast<double>(taken) / bytes_per_s_);
    due_ = std::min<Time>(now + pause_, due_ + std::chrono::duration_cast<Time::duration>(bought));
  }
  /// True: the client's time is used up. Never with a pace of 0 bytes.
  bool stalled(Time now) const { return waiting_ && bytes_per_s_ > 0 && now > due_; }

 private:
  std::uint32_t bytes_per_s_;
  std::chrono::seconds pause_;
  bool waiting_ = false;
  Time due_;
};

}  // namespace http
