// The projects whose writes the disk has not answered yet, and what waits until it has. A deletion waits for
// all writes of its project, and everything that a run tells waits for a deletion: so neither has to know how
// the other ends. Plain state, no clock and no actor.
#pragma once
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace actors {

class OpenWrites {
 public:
  using Do = std::function<void()>;

  void begin(std::uint64_t project) { ++open_[project].count; }
  bool any(std::uint64_t project) const { return open_.contains(project); }
  /// To be done when no write of the project is open any more; only while one is.
  void wait(std::uint64_t project, Do then) { open_.at(project).waiting.push_back(std::move(then)); }

  /// The disk has answered one of them. Returns what has waited, when it was the last: do it now, in order.
  [[nodiscard]] std::vector<Do> end(std::uint64_t project) {
    const auto open = open_.find(project);
    if (--open->second.count > 0) return {};
    auto waiting = std::move(open->second.waiting);
    open_.erase(open);
    return waiting;
  }

  /// Forgets all, also what waits: the owner has ended.
  void clear() { open_.clear(); }

 private:
  struct Open {
    std::size_t count = 0;
    std::vector<Do> waiting;
  };
  std::unordered_map<std::uint64_t, Open> open_;
};

}  // namespace actors
