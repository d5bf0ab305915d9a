// When a computing run gives its slot back: when its thread has ended and its end is stored, whichever comes
// last. Otherwise a client could see more runs computing than there are slots.
#pragma once
#include <cstdint>
#include <map>
#include <optional>

namespace actors {

class RunEnds {
 public:
  /// The run's end is being written.
  void storing(std::uint64_t run) { ends_.try_emplace(run); }
  bool is_storing(std::uint64_t run) const { return ends_.contains(run); }

  /// The disk has taken the end or refused it. Returns the run's computing time in ms when its thread has
  /// ended too and its slot is free now; nothing while the thread goes on.
  std::optional<std::int64_t> stored(std::uint64_t run) {
    const auto end = ends_.extract(run);
    return end ? end.mapped() : std::nullopt;
  }

  /// The run's thread has ended. True: its slot is free now. False: stored() will free it.
  bool thread_ended(std::uint64_t run, std::int64_t computing_ms) {
    const auto end = ends_.find(run);
    if (end == ends_.end()) return true;
    end->second = computing_ms;
    return false;
  }

 private:
  std::map<std::uint64_t, std::optional<std::int64_t>> ends_;  // ends being written, with computing times
};

}  // namespace actors
