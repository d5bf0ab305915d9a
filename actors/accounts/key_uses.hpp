// How often each key was used, by day, for its owner. Counts stay in memory until the store has them, even if
// the account cache drops their account; a kill loses those
// of the last half minute.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "persistence/records.hpp"
#include "persistence/store.hpp"

namespace actors {

struct CountedUse {
  persistence::KeyUse record;
  bool changed = false;  ///< since it was last handed to the journal
  int being_saved = 0;   ///< how many writes of it are on their way
};

/// By key's fingerprint, of one account.
using AccountUses = std::map<std::string, std::shared_ptr<CountedUse>>;

class KeyUses {
 public:
  explicit KeyUses(const persistence::Store& store) : store_(store) {}

  persistence::Stored<AccountUses> of(std::uint64_t account) const;
  void note(std::uint64_t account, AccountUses& uses, const std::string& fingerprint, std::int64_t now_ms);

  /// Whether anything waits to be stored, and whether it has waited long enough. Writing each use at once
  /// would cost as much as a request.
  bool waiting() const { return waits_since_ms_.has_value(); }
  bool due(std::int64_t now_ms) const;

  /// What the store does not have yet goes to `writes`. settle() must be told whether they were stored.
  using Saving = std::vector<std::string>;  // the table's keys
  Saving take_unsaved(persistence::Writes& writes);
  void settle(const Saving& saving, bool on_disk);

 private:
  const persistence::Store& store_;
  std::map<std::string, std::shared_ptr<CountedUse>> unsaved_;  // by the table's key
  std::optional<std::int64_t> waits_since_ms_;
};

/// Requests of a day that is `ago` days before today (UTC).
std::uint32_t requests_on(const persistence::KeyUse& use, int ago, std::int64_t now_ms);

}  // namespace actors
