// The accounts' sliding windows and their way to the disk and back. A changed window stays in memory until
// the store has it, even if the account cache drops the account. After a kill it is read from the store.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "actors/accounts/sliding_window.hpp"
#include "actors/options.hpp"
#include "actors/values.hpp"
#include "persistence/store.hpp"

namespace actors {

using LimitClasses = std::bitset<kLimitClasses>;

/// An account's windows, one for each LimitClass.
struct AccountWindows {
  std::vector<SlidingWindow> by_class;
  LimitClasses changed;  ///< since they were last handed to the journal
  int being_saved = 0;   ///< how many writes of them are on their way
};
using AccountWindowsPtr = std::shared_ptr<AccountWindows>;

class AccountLimits {
 public:
  AccountLimits(const persistence::Store& store, const LimitOptions& limits)
      : store_(store), limits_(limits) {}

  /// The account's windows as they stand, from memory or from the store.
  persistence::Stored<AccountWindowsPtr> windows_of(std::uint64_t account) const;
  /// A request was counted in one of them.
  void changed(std::uint64_t account, const AccountWindowsPtr& windows, LimitClass limit);

  /// The changes that the store does not have yet. settle() must be told whether they were stored.
  struct Saving {
    persistence::Writes writes;
    std::vector<std::pair<std::uint64_t, LimitClasses>> windows;
  };
  Saving take_unsaved();
  void settle(const Saving& saving, bool on_disk);

 private:
  std::vector<SlidingWindow> fresh_windows() const;

  const persistence::Store& store_;
  LimitOptions limits_;
  std::map<std::uint64_t, AccountWindowsPtr> unsaved_;
};

}  // namespace actors
