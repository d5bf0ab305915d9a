// The time of day as the actors see it: milliseconds since 1970, replaceable by tests. Time-outs go by CAF's
// own clock, which tests advance as well.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>

namespace actors {

using Clock = std::function<std::int64_t()>;

inline constexpr std::int64_t kMinute_ms = 60'000;
inline constexpr std::int64_t kHour_ms = 60 * kMinute_ms;
inline constexpr std::int64_t kDay_ms = 24 * kHour_ms;

inline std::int64_t system_now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace actors
