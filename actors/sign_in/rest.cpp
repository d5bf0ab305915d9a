#include "actors/sign_in/rest.hpp"

#include <ctime>
#include <thread>
#include <utility>

namespace actors {
namespace {

constexpr int kRestsPerWork = 3;
constexpr int kOthersAtWork = 20;  // one part of so many: the others computed for so much of the time

std::chrono::nanoseconds time_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

ComputedTimes computed_times() {
  return {time_of(CLOCK_MONOTONIC), time_of(CLOCK_THREAD_CPUTIME_ID), time_of(CLOCK_PROCESS_CPUTIME_ID)};
}

void sleep_for(std::chrono::nanoseconds duration) { std::this_thread::sleep_for(duration); }

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
  const auto took = ended.clock - began.clock;
  const auto others = (ended.program - began.program) - (ended.thread - began.thread);
  until_ = others * kOthersAtWork > took ? ended.clock + kRestsPerWork * took : ended.clock;
}

}  // namespace actors
