// What a standby says when it connects to its primary, and what decides whether it can follow the log.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "persistence/store.hpp"

namespace persistence {

/// What a standby says of its data.
struct Greeting {
  static constexpr std::uint64_t kVersion = 2;
  std::string name;
  std::string group;         ///< the pair's name
  std::uint64_t schema = 0;  ///< that its program writes: it must know all that the primary's writes
  std::uint64_t newest = 0;  ///< sequence number of its last batch
  std::vector<Stretch> history;
  std::string tables;
};
std::string greeting_bytes(const Greeting& greeting);
/// As programs of version 1 understand it, so that a standby can be the first of a pair to be upgraded.
std::string old_greeting_bytes(const Greeting& greeting);
/// Nothing for a greeting of another version, or none at all.
std::optional<Greeting> greeting_of(std::string_view bytes);

/// Whether a log with this history and end is the beginning of `history`'s, which ends at `newest`.
bool is_beginning(const std::vector<Stretch>& of, std::uint64_t of_newest,
                  const std::vector<Stretch>& history, std::uint64_t newest);

/// Whether a store has every table of another by the same number, so that the other's batches fit. A newer
/// version may have more.
bool has_tables(const std::string& standby, const std::string& primary);

}  // namespace persistence
