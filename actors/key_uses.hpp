// How often each key was used, by day, for its owner. Counts stay in memory until the store has them, even if
// the account cache drops their account; a kill loses those of the last second.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "persistence/records.hpp"
#include "persistence/store.hpp"

namespace actors {

/// By key's fingerprint, of one account.
using AccountUses = std::map<std::string, std::shared_ptr<persistence::KeyUse>>;

class KeyUses {
 public:
  explicit KeyUses(const persistence::Store& store) : store_(store) {}

  persistence::Stored<AccountUses> of(std::uint64_t account) const;
  void count(std::uint64_t account, AccountUses& uses, const std::string& fingerprint, std::int64_t now_ms);

  /// What the store does not have yet goes to `writes`. settle() must be told whether they were stored.
  using Saving = std::vector<std::pair<std::string, std::shared_ptr<persistence::KeyUse>>>;
  Saving take_unsaved(persistence::Writes& writes);
  void settle(const Saving& saving, bool on_disk);

 private:
  const persistence::Store& store_;
  std::map<std::string, std::shared_ptr<persistence::KeyUse>> unsaved_;  // by the table's key
};

/// Requests of a day that is `ago` days before today (UTC).
std::uint32_t requests_on(const persistence::KeyUse& use, int ago, std::int64_t now_ms);

}  // namespace actors
