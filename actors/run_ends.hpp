// When a computing run gives its slot back: when its thread has ended and its end is stored, whichever comes
// last. Otherwise a client could see more runs compute than there are slots.
#pragma once
#include <cstdint>
#include <map>
#include <optional>

namespace actors {

class RunEnds {
 public:
  /// The run's end is on its way to the disk.
  void storing(std::uint64_t run) { ends_.try_emplace(run); }
  bool is_storing(std::uint64_t run) const { return ends_.contains(run); }

  /// The disk has taken it or refused it. Returns how long the run has computed, in ms, when its slot falls
  /// free now; nothing while its thread goes on.
  std::optional<std::int64_t> stored(std::uint64_t run) {
    const auto end = ends_.extract(run);
    return end ? end.mapped() : std::nullopt;
  }

  /// Its thread has ended. Whether the slot falls free now; otherwise stored() will say so.
  bool thread_ended(std::uint64_t run, std::int64_t computing_ms) {
    const auto end = ends_.find(run);
    if (end == ends_.end()) return true;
    end->second = computing_ms;
    return false;
  }

 private:
  std::map<std::uint64_t, std::optional<std::int64_t>> ends_;  // being stored; how long its thread computed
};

}  // namespace actors
