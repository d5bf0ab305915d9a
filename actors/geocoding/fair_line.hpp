// A line in which accounts take turns, so that an account with many questions does not delay the others.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace actors {

template <class T>
class FairLine {
 public:
  void add(std::uint64_t account, T value) { waiting_[account].push_back(std::move(value)); }
  bool empty() const { return waiting_.empty(); }
  void clear() { waiting_.clear(); }

  /// The oldest question of the account that follows the last one served; nothing when nobody waits.
  std::optional<T> next() {
    if (waiting_.empty()) return {};
    auto it = waiting_.upper_bound(last_);
    if (it == waiting_.end()) it = waiting_.begin();
    last_ = it->first;
    T value = std::move(it->second.front());
    it->second.pop_front();
    if (it->second.empty()) waiting_.erase(it);
    return value;
  }

 private:
  std::map<std::uint64_t, std::deque<T>> waiting_;  // by account; none is empty
  std::uint64_t last_ = 0;
};

}  // namespace actors
