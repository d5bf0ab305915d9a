#include "actors/slot_line.hpp"

#include <algorithm>

namespace actors {
namespace {

constexpr std::int64_t kWanted_ms = 60'000;

}  // namespace

void SlotLine::ask(std::uint64_t run, std::int64_t now_ms) {
  if (computing_.contains(run)) return;
  const auto [it, joined] = waiting_.insert({run, now_ms});
  if (!joined) forget_question(*it);
  it->asked_ms = now_ms;
  wanted_.insert(run);
  questions_.insert({now_ms, run});
}

std::vector<std::uint64_t> SlotLine::grant(std::int64_t now_ms) {
  forget_old_questions(now_ms);
  std::vector<std::uint64_t> granted;
  while (computing_.size() < slots_ && !waiting_.empty()) {
    const auto next = wanted_.empty() ? waiting_.begin() : waiting_.find(*wanted_.begin());
    computing_.insert(next->run);
    granted.push_back(next->run);
    forget_question(*next);
    waiting_.erase(next);
  }
  return granted;
}

std::size_t SlotLine::ahead_of(std::uint64_t run) const {
  const auto it = waiting_.find(run);
  return it == waiting_.end() ? 0 : waiting_.rank(it);
}

void SlotLine::forget_question(const Waiting& waiting) {
  wanted_.erase(waiting.run);
  questions_.erase({waiting.asked_ms, waiting.run});
}

void SlotLine::forget_old_questions(std::int64_t now_ms) {
  while (!questions_.empty() && questions_.begin()->first + kWanted_ms < now_ms)
    forget_question(*waiting_.find(questions_.begin()->second));
  // A clock that was set back leaves questions of the future: they would stand for longer than a minute.
  while (!questions_.empty() && questions_.rbegin()->first > now_ms) ask(questions_.rbegin()->second, now_ms);
}

}  // namespace actors
