// How long runs take on this machine, and how long a client should therefore wait before it asks again.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace actors {

class RunPace {
 public:
  /// A run has computed for this long. Newer runs weigh more (exponential average over about ten).
  void observe(std::int64_t computing_ms) {
    constexpr double kWeight = 0.1;
    average_ms_ += kWeight * (static_cast<double>(computing_ms) - average_ms_);
  }

  /// For a run that has computed for `elapsed_ms` so far.
  int retry_running_s(std::int64_t elapsed_ms) const {
    return clamped(average_ms_ - static_cast<double>(elapsed_ms));
  }
  /// For a run with `ahead` others before it in a line of `slots` slots.
  int retry_waiting_s(std::size_t ahead, std::uint32_t slots) const {
    return clamped(average_ms_ * (static_cast<double>(ahead) + 1) / std::max(1U, slots));
  }

 private:
  // At most half of the minute within which a client must ask again to keep its run's turn.
  static int clamped(double wait_ms) {
    return static_cast<int>(std::clamp(std::ceil(wait_ms / 1000), 1.0, 30.0));
  }
  double average_ms_ = 5000;
};

}  // namespace actors
