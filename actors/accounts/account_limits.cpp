#include "actors/accounts/account_limits.hpp"

#include "actors/clock.hpp"
#include "persistence/keys.hpp"
#include "persistence/records.hpp"

namespace actors {
namespace {

std::string key_of(std::uint64_t account, std::size_t limit_class) {
  return persistence::number_key(account) + static_cast<char>(limit_class);
}

}  // namespace

persistence::Stored<AccountWindowsPtr> AccountLimits::windows_of(std::uint64_t account) const {
  if (const auto it = unsaved_.find(account); it != unsaved_.end()) return it->second;
  auto windows = std::make_shared<AccountWindows>();
  windows->by_class = fresh_windows();
  const std::string prefix = persistence::number_key(account);
  const auto scanned = store_.scan(persistence::Table::limits, prefix, persistence::Store::Order::ascending,
                                   {}, [&](std::string_view key, std::string_view value) {
                                     const auto limit_class = static_cast<unsigned char>(key.back());
                                     // A damaged window starts empty: that is better than locking its account
                                     // out.
                                     const auto window = persistence::decode_window(std::string(value));
                                     if (window && limit_class < kLimitClasses)
                                       windows->by_class[limit_class].restore(window->times_ms);
                                     return true;
                                   });
  if (!scanned) return tl::make_unexpected(scanned.error());
  return windows;
}

void AccountLimits::changed(std::uint64_t account, const AccountWindowsPtr& windows, LimitClass limit) {
  windows->changed.set(static_cast<std::size_t>(limit));
  unsaved_[account] = windows;
}

AccountLimits::Saving AccountLimits::take_unsaved() {
  Saving saving;
  for (const auto& [account, windows] : unsaved_) {
    if (windows->changed.none()) continue;
    for (std::size_t i = 0; i < kLimitClasses; ++i)
      if (windows->changed[i])
        saving.writes.push_back({persistence::Table::limits, key_of(account, i),
                                 encode(persistence::Window{windows->by_class[i].times()})});
    saving.windows.emplace_back(account, std::exchange(windows->changed, {}));
    ++windows->being_saved;
  }
  return saving;
}

void AccountLimits::settle(const Saving& saving, bool on_disk) {
  for (const auto& [account, classes] : saving.windows) {
    const auto it = unsaved_.find(account);
    AccountWindows& windows = *it->second;
    --windows.being_saved;
    if (!on_disk) windows.changed |= classes;
    if (windows.changed.none() && windows.being_saved == 0) unsaved_.erase(it);
  }
}

std::vector<SlidingWindow> AccountLimits::fresh_windows() const {
  return {{limits_.create_per_hour, kHour_ms},
          {limits_.status_per_hour, kHour_ms},
          {limits_.analyse_per_hour, kHour_ms},
          {limits_.media_per_hour, kHour_ms}};
}

}  // namespace actors
