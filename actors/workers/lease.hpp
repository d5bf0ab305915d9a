// How long a worker may compute: until three seconds after it has asked a question that the home has answered
// since. Written by the actor that asks, read by whoever sees to it that nothing computes beyond.
#pragma once
#include <time.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

namespace actors {

/// Milliseconds of a clock that goes on while the machine sleeps and never jumps.
inline std::int64_t waking_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}
using WakingClock = std::function<std::int64_t()>;

struct Lease {
  std::atomic<std::int64_t> until_ms{0};
  std::atomic<int> computing{0};  ///< threads that are inside a run
  std::atomic<int> stuck{0};      ///< of them, those that do not stop (runs/analysts.hpp)
};
using LeasePtr = std::shared_ptr<Lease>;

}  // namespace actors
