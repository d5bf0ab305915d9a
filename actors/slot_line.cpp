#include "actors/slot_line.hpp"

#include <algorithm>

namespace actors {
namespace {

constexpr std::int64_t kWanted_ms = 60'000;

}  // namespace

void SlotLine::ask(std::uint64_t run, std::int64_t now_ms) {
  if (computing_.contains(run)) return;
  const auto [it, joined] = waiting_.insert({run, now_ms});
  if (!joined && it->asked_ms == now_ms) return;
  it->asked_ms = now_ms;
  wanted_.insert(run);
  questions_.push_back({run, now_ms});
}

std::vector<std::uint64_t> SlotLine::grant(std::int64_t now_ms) {
  forget_old_questions(now_ms);
  std::vector<std::uint64_t> granted;
  while (computing_.size() < slots_ && !waiting_.empty()) {
    const std::uint64_t run = wanted_.empty() ? waiting_.begin()->run : *wanted_.begin();
    waiting_.erase(run);
    wanted_.erase(run);
    computing_.insert(run);
    granted.push_back(run);
  }
  return granted;
}

std::size_t SlotLine::ahead_of(std::uint64_t run) const {
  const auto it = waiting_.find(run);
  return it == waiting_.end() ? 0 : waiting_.rank(it);
}

void SlotLine::forget_old_questions(std::int64_t now_ms) {
  for (; !questions_.empty() && questions_.front().at_ms + kWanted_ms < now_ms; questions_.pop_front()) {
    const auto it = waiting_.find(questions_.front().run);
    if (it != waiting_.end() && it->asked_ms + kWanted_ms < now_ms) wanted_.erase(it->run);
  }
}

}  // namespace actors
