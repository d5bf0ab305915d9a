#include "geo/fetch/host_pace.hpp"

#include <algorithm>

namespace geo {
namespace {

/// So many failures in a row may be chance: a connection that the server closed, one slow file.
constexpr int kChance = 3;
constexpr std::chrono::seconds kShortestPause{1}, kLongestPause{3'600};
const std::optional<FetchFailure> kNoReason;

}  // namespace

HostPace::HostPace(int connections, double requests_per_s, int burst, std::chrono::milliseconds dead_for)
    : connections_(std::max(1, connections)),
      per_s_(std::max(1e-3, requests_per_s)),
      burst_(std::max(1, burst)),
      tokens_(burst_),
      dead_for_(dead_for) {}

bool HostPace::suspected() const { return failures_ >= kChance; }

HostPace::Turn HostPace::enter(Clock::time_point now) {
  if (now < closed_until_) return {false, closed_until_};
  // A server that did not answer is tried by one.
  if (under_way_ >= (suspected() ? 1 : connections_)) return {false, Clock::time_point::max()};
  if (filled_ != Clock::time_point{}) {
    const double passed_s = std::chrono::duration<double>(now - filled_).count();
    tokens_ = std::min(burst_, tokens_ + std::max(0.0, passed_s) * per_s_);
  }
  filled_ = now;
  if (tokens_ < 1) {
    const std::chrono::duration<double> wait((1 - tokens_) / per_s_);
    return {false, now + std::chrono::ceil<std::chrono::milliseconds>(wait)};
  }
  tokens_ -= 1;
  ++under_way_;
  return {true, now};
}

void HostPace::answered() {
  --under_way_;
  failures_ = 0;
}

void HostPace::left() { --under_way_; }

void HostPace::failed(const FetchFailure& why, Clock::time_point now) {
  --under_way_;
  failures_ = why.status != 0 ? 0 : failures_ + (why.no_connection ? kChance : 1);
  const bool busy = why.kind == FailureKind::data_overloaded;
  if (!busy && !suspected()) return;
  const Clock::duration pause =
      busy ? std::clamp<Clock::duration>(why.retry_after, kShortestPause, kLongestPause) : dead_for_;
  closed_until_ = std::max(closed_until_, now + pause);
  reason_ = why;
}

const std::optional<FetchFailure>& HostPace::reason(Clock::time_point now) const {
  return now < closed_until_ ? reason_ : kNoReason;
}

}  // namespace geo
