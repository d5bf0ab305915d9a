// For what only one may do at a time: create a project at an address, restart a project's run. Others wait in
// the meantime and get their turn when the first one has ended. When its end is late, nobody waits for it any
// more. Plain state, no clock and no actor.
#pragma once
#include <unordered_map>
#include <utility>
#include <vector>

namespace actors {

template <class Key, class Who>
class OneAtATime {
 public:
  enum class Turn {
    mine,   ///< the key is the caller's until end()
    waits,  ///< another one has the key; `who` is kept until that one ends or is late
    late,   ///< another one has the key and is late: `who` is not kept
  };
  Turn take(const Key& key, const Who& who) {
    const auto [it, free] = under_way_.try_emplace(key);
    if (free) return Turn::mine;
    if (it->second.late) return Turn::late;
    it->second.waiting.push_back(who);
    return Turn::waits;
  }

  /// Nobody knows when the holder of the key will end. Returns those that waited for it.
  std::vector<Who> late(const Key& key) {
    Ended& under_way = under_way_.at(key);
    under_way.late = true;
    return std::exchange(under_way.waiting, {});
  }

  struct Ended {
    bool late = false;
    std::vector<Who> waiting;  ///< in the order in which they came; their turn is now
  };
  /// The key is free again.
  Ended end(const Key& key) { return std::move(under_way_.extract(key).mapped()); }

  /// Forgets all, also those that wait.
  void clear() { under_way_.clear(); }

 private:
  std::unordered_map<Key, Ended> under_way_;
};

}  // namespace actors
