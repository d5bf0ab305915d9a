#include "geo/fetch/tries.hpp"

#include <algorithm>
#include <random>
#include <thread>

namespace geo {
namespace {

constexpr std::uint64_t kProgress = 1 << 20;
constexpr std::chrono::milliseconds kLongestBackOff{60'000}, kNap{50};

/// Servers that failed for many at once must not be asked by all of them at once again.
double by_chance(double from, double to) {
  thread_local std::minstd_rand random(std::random_device{}());
  return std::uniform_real_distribution<>(from, to)(random);
}

}  // namespace

bool slept(std::chrono::milliseconds time, const RunControl& control) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (auto now = std::chrono::steady_clock::now(); now < end; now = std::chrono::steady_clock::now()) {
    if (control.cancelled()) return false;
    std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(kNap, end - now));
  }
  return !control.cancelled();
}

bool Tries::again(const FetchFailure& why, std::uint64_t bytes) {
  if (!why.passes || control_.cancelled()) return false;
  in_vain_ = bytes >= furthest_ + kProgress ? 0 : in_vain_ + 1;
  furthest_ = std::max(furthest_, bytes);
  if (in_vain_ >= patience_.tries || why.retry_after > patience_.longest_wait) return false;
  const double back_off_ms = static_cast<double>(patience_.first_wait.count()) *
                             static_cast<double>(1 << std::min(std::max(0, in_vain_ - 1), 16)) *
                             by_chance(0.75, 1.25);
  auto wait = std::min(kLongestBackOff, std::chrono::milliseconds(static_cast<long>(back_off_ms)));
  wait = std::max<std::chrono::milliseconds>(wait, why.retry_after);
  if (on_wait_ && *on_wait_)
    (*on_wait_)(why.text + "; tried again in " +
                std::to_string(std::chrono::ceil<std::chrono::seconds>(wait).count()) + " s");
  return slept(wait, control_);
}

}  // namespace geo
