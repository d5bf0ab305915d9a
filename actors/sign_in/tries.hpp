// How often somebody may try, by e-mail address or calling address, in bounded memory: beyond it the window
// that was used longest ago is forgotten. A restart of the program forgets all.
#pragma once
#include <cstdint>
#include <string>

#include "actors/accounts/sliding_window.hpp"
#include "actors/recent_cache.hpp"

namespace actors {

class Tries {
 public:
  Tries(std::uint32_t most, std::int64_t period_ms, std::size_t remembered = 100'000)
      : most_(most), period_ms_(period_ms), windows_(remembered) {}

  /// Counts a try and returns 0. After too many it counts nothing and returns the seconds to wait.
  std::uint32_t count(const std::string& who, std::int64_t now_ms) {
    SlidingWindow* window = windows_.find(who);
    if (!window) window = &windows_.put(who, SlidingWindow(most_, period_ms_));
    return window->admit(now_ms) ? 0 : window->retry_after_s(now_ms);
  }
  /// After a correct password, earlier wrong tries no longer count.
  void forgive(const std::string& who) { windows_.erase(who); }

 private:
  std::uint32_t most_;
  std::int64_t period_ms_;
  RecentCache<std::string, SlidingWindow> windows_;
};

}  // namespace actors
