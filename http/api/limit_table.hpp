// The one table of limits, as a client reads them: the configured ones, and those of the contract that are
// constants of the program.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "actors/options.hpp"
#include "actors/values.hpp"

namespace http {

/// Seconds after a run's start at which a client stops asking. It then restarts the run once and waits as
/// long again.
inline constexpr int kPollingDeadline_s = 150;
/// GET /analyse must not be asked faster.
inline constexpr int kSingleCallPace_s = 10;

struct LimitRow {
  std::string what;   ///< German
  std::string value;  ///< with its unit
};

std::vector<LimitRow> limit_table(const actors::ActorOptions& options);

/// The rate limit that an endpoint counts against: "20 je Stunde und Konto", and what it covers.
struct RateLimit {
  std::string_view covers;
  std::uint32_t per_hour = 0;  ///< 0: off
  std::string text() const;
};
RateLimit rate_limit(actors::LimitClass limit, const actors::ActorOptions& options);

}  // namespace http
