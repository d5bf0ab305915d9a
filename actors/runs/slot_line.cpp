// The rule in words stands in the header.
#include "actors/runs/slot_line.hpp"

#include <algorithm>
#include <utility>

namespace actors {
namespace {

constexpr std::int64_t kWanted_ms = 60'000;

}  // namespace

bool SlotLine::ask(std::uint64_t run, std::int64_t now_ms) {
  if (computing_.contains(run)) return false;
  const Waiting& waiting = *waiting_.insert({run}).first;
  waiting.asked_ms = now_ms;
  if (!std::exchange(waiting.wanted, true)) {
    wanted_.insert(run);
    looks_.insert({now_ms, run});
    waiting.looked_at_ms = now_ms;
  }
  return true;
}

std::vector<std::uint64_t> SlotLine::grant(std::int64_t now_ms) {
  take_back_the_future(now_ms);
  forget_old_questions(now_ms);
  std::vector<std::uint64_t> granted;
  while (computing_.size() < slots_ && !waiting_.empty()) {
    const std::uint64_t run = wanted_.empty() ? waiting_.get<InOrder>().begin()->run : *wanted_.begin();
    const auto next = waiting_.find(run);
    computing_.insert(run);
    granted.push_back(run);
    forget_questions(*next);
    waiting_.erase(next);
  }
  return granted;
}

void SlotLine::leave(std::uint64_t run) {
  const auto it = waiting_.find(run);
  if (it == waiting_.end()) return;
  forget_questions(*it);
  waiting_.erase(it);
}

std::size_t SlotLine::ahead_of(std::uint64_t run) const {
  const auto it = waiting_.find(run);
  if (it == waiting_.end()) return 0;
  return waiting_.get<InOrder>().rank(waiting_.project<InOrder>(it));
}

void SlotLine::forget_questions(const Waiting& waiting) {
  if (!std::exchange(waiting.wanted, false)) return;
  wanted_.erase(waiting.run);
  looks_.erase({waiting.looked_at_ms, waiting.run});
}

void SlotLine::forget_old_questions(std::int64_t now_ms) {
  while (!looks_.empty() && looks_.begin()->first + kWanted_ms < now_ms) {
    const Waiting& waiting = *waiting_.find(looks_.begin()->second);
    if (waiting.asked_ms + kWanted_ms < now_ms)
      forget_questions(waiting);
    else
      look_again(waiting, waiting.asked_ms);
  }
}

/// After the clock was set back some questions lie in the future and would count for longer than a minute:
/// they count as asked now.
void SlotLine::take_back_the_future(std::int64_t now_ms) {
  if (now_ms >= std::exchange(last_look_ms_, now_ms)) return;
  looks_.clear();
  for (const Waiting& waiting : waiting_) {
    waiting.asked_ms = std::min(waiting.asked_ms, now_ms);
    waiting.looked_at_ms = std::min(waiting.looked_at_ms, now_ms);
    if (waiting.wanted) looks_.insert({waiting.looked_at_ms, waiting.run});
  }
}

void SlotLine::look_again(const Waiting& waiting, std::int64_t since_ms) {
  looks_.erase({waiting.looked_at_ms, waiting.run});
  waiting.looked_at_ms = since_ms;
  looks_.insert({since_ms, waiting.run});
}

}  // namespace actors
