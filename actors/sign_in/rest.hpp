// Rests of a thread whose work is long and in no hurry. On a machine of few cores a low priority does not
// keep such work from holding up the others (`./roof bench pages`).
#pragma once
#include <chrono>
#include <functional>

namespace actors {

/// What has passed by the clock, and how long this thread and the whole program have computed.
struct ComputedTimes {
  std::chrono::nanoseconds clock{}, thread{}, program{};
};
ComputedTimes computed_times();

/// While the program's other threads are at work, its owner works a quarter of the time.
class Rest {
 public:
  Rest();
  /// With another clock, for tests. `now` is asked in the thread that works.
  Rest(std::function<ComputedTimes()> now, std::function<void(std::chrono::nanoseconds)> sleep);

  /// Waits until the rest after the last work is over, then does this one.
  template <class Work>
  auto then(Work work) {
    const ComputedTimes began = wait();
    auto done = work();
    decide(began);
    return done;
  }

 private:
  ComputedTimes wait();
  void decide(const ComputedTimes& began);

  std::function<ComputedTimes()> now_;
  std::function<void(std::chrono::nanoseconds)> sleep_;
  std::chrono::nanoseconds until_{};  ///< by the clock
};

}  // namespace actors
