// A line in which accounts take turns, so that an account with many questions does not delay the others.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace actors {

template <class T>
class FairLine {
 public:
  void add(std::uint64_t account, T value) {
    waiting_[account].push_back(std::move(value));
    ++size_;
  }
  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return size_; }
  void clear() {
    waiting_.clear();
    size_ = 0;
  }

  /// The oldest question of the account that follows the last one served; nothing when nobody waits.
  std::optional<T> next() {
    if (waiting_.empty()) return {};
    auto it = waiting_.upper_bound(last_);
    if (it == waiting_.end()) it = waiting_.begin();
    last_ = it->first;
    T value = std::move(it->second.front());
    it->second.pop_front();
    taken_from(it);
    return value;
  }

  /// For a full line: takes out the newest question of the account that has the most, so that there is a
  /// place for one of `account`. Nothing when `account` would then have more of them than the other.
  std::optional<T> make_room(std::uint64_t account) {
    const auto it = std::max_element(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    const auto own = waiting_.find(account);
    const std::size_t has = own == waiting_.end() ? 0 : own->second.size();
    if (it == waiting_.end() || it->second.size() <= has + 1) return {};
    T value = std::move(it->second.back());
    it->second.pop_back();
    taken_from(it);
    return value;
  }

 private:
  using Waiting = std::map<std::uint64_t, std::deque<T>>;  // by account; none is empty
  void taken_from(typename Waiting::iterator it) {
    --size_;
    if (it->second.empty()) waiting_.erase(it);
  }
  Waiting waiting_;
  std::size_t size_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace actors
