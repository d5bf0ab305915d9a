#include "actors/sign_in/rest.hpp"

#include <ctime>
#include <thread>
#include <utility>

namespace actors {
namespace {

constexpr int kShareWhileOthersWork = 4;  // one part of so many
constexpr int kLeastWorkOfOthers = 20;    // less than a twentieth of the time is no load

std::chrono::nanoseconds time_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

ComputedTimes computed_times() {
  return {time_of(CLOCK_MONOTONIC), time_of(CLOCK_THREAD_CPUTIME_ID), time_of(CLOCK_PROCESS_CPUTIME_ID)};
}

Rest::Rest()
    : Rest(computed_times, [](std::chrono::nanoseconds duration) { std::this_thread::sleep_for(duration); }) {
}

Rest::Rest(std::function<ComputedTimes()> now, std::function<void(std::chrono::nanoseconds)> sleep)
    : now_(std::move(now)), sleep_(std::move(sleep)) {}

ComputedTimes Rest::wait() {
  const ComputedTimes asked = now_();
  if (asked.clock >= until_) return asked;
  sleep_(until_ - asked.clock);
  return now_();
}

void Rest::decide(const ComputedTimes& began) {
  const ComputedTimes ended = now_();
  const auto own = ended.thread - began.thread;
  const auto others = (ended.program - began.program) - own;
  const bool are_others_at_work = others * kLeastWorkOfOthers > ended.clock - began.clock;
  // What it waited for a processor counts as rest: it may have been held up longer than it should rest.
  until_ = are_others_at_work ? began.clock + kShareWhileOthersWork * own : ended.clock;
}

}  // namespace actors
