// When the next request may go to one server: so many at a time, so many a second, none while it asked for a
// pause or does not answer. Time is given, so that nothing here waits. Not thread-safe: its owner locks.
#pragma once
#include <chrono>
#include <optional>

#include "geo/fetch/fetch_failure.hpp"

namespace geo {

class HostPace {
 public:
  using Clock = std::chrono::steady_clock;

  HostPace(int connections, double requests_per_s, int burst, std::chrono::milliseconds dead_for);

  /// Takes a place and a token when there are both. Otherwise the time from which it is worth asking again;
  /// Clock::time_point::max() when only another request's end helps.
  struct Turn {
    bool granted = false;
    Clock::time_point again;
  };
  Turn enter(Clock::time_point now);

  /// Each granted turn ends with one of these.
  void answered();  ///< it works
  void left();      ///< given up from our side: says nothing of the server
  void failed(const FetchFailure& why, Clock::time_point now);  ///< no answer, or 429 and 503

  /// Why nothing is asked of it until `again`; none when it is only busy with our own requests.
  const std::optional<FetchFailure>& reason(Clock::time_point now) const;

 private:
  bool suspected() const;
  int connections_, under_way_ = 0;
  double per_s_, burst_, tokens_;
  std::chrono::milliseconds dead_for_;
  Clock::time_point filled_{}, closed_until_{};
  int failures_ = 0;  ///< in a row, without an answer
  std::optional<FetchFailure> reason_;
};

}  // namespace geo
