// How often one thing is tried again, and how long is waited before.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "geo/fetch/fetch_failure.hpp"
#include "geo/run_control.hpp"

namespace geo {

struct FetchPatience {
  int tries = 6;                                    ///< in a row that bring nothing more
  std::chrono::milliseconds first_wait{1'000};      ///< doubled with each try, and a bit of chance
  std::chrono::milliseconds longest_wait{900'000};  ///< a server that asks for more is given up
};

class Tries {
 public:
  /// `on_wait`, if any, is told a sentence before each wait.
  Tries(const FetchPatience& patience, const RunControl& control,
        const std::function<void(const std::string&)>* on_wait = nullptr)
      : patience_(patience), control_(control), on_wait_(on_wait) {}

  /// After a failure: waits, and says whether to try again. `bytes`: how far it came; what comes further does
  /// not count as a try in vain, so that a huge file arrives over a bad line.
  bool again(const FetchFailure& why, std::uint64_t bytes = 0);

 private:
  const FetchPatience& patience_;
  const RunControl& control_;
  const std::function<void(const std::string&)>* on_wait_;
  int in_vain_ = 0;
  std::uint64_t furthest_ = 0;
};

/// False when it was cancelled meanwhile.
bool slept(std::chrono::milliseconds time, const RunControl& control);

}  // namespace geo
