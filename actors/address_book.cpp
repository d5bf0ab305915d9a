#include "actors/address_book.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace actors {
namespace {

constexpr std::int64_t kHour_ms = 3'600'000;
constexpr std::int64_t kDay_ms = 24 * kHour_ms;
constexpr std::int64_t kSweep_ms = 60'000;

Allowance allowance(SlidingWindow& window, std::int64_t now_ms) {
  return {window.limit(), window.remaining(now_ms), window.reset_s(now_ms)};
}

}  // namespace

AddressBook::Admission AddressBook::admit(const std::string& address, std::int64_t now_ms) {
  if (limits_.address_per_hour == 0 && limits_.address_per_day == 0) return {};
  std::string counted_as = address;
  Windows& windows = windows_of(address, now_ms, counted_as);
  Admission admission;
  admission.retry_after_s = std::max(windows.hour.retry_after_s(now_ms), windows.day.retry_after_s(now_ms));
  if (admission.retry_after_s == 0) {
    windows.hour.admit(now_ms);
    windows.day.admit(now_ms);
    if (!std::exchange(windows.changed, true)) changed_.push_back(std::move(counted_as));
  }
  admission.allowances = {allowance(windows.hour, now_ms), allowance(windows.day, now_ms)};
  return admission;
}

void AddressBook::restore(const std::string& address, const std::vector<std::int64_t>& times_ms) {
  Windows& windows = windows_.try_emplace(address, fresh()).first->second;
  windows.hour.restore(times_ms);
  windows.day.restore(times_ms);
}

std::vector<AddressBook::Change> AddressBook::take_changes(std::int64_t now_ms, std::size_t most) {
  std::vector<Change> changes;
  while (!changed_.empty() && changes.size() < most) {
    Change change{std::move(changed_.back()), {}};
    changed_.pop_back();
    if (const auto it = windows_.find(change.address); it != windows_.end()) {
      Windows& windows = it->second;
      windows.changed = false;
      // Every request is counted in both, unless one is off: the day's counts are the hour's as well.
      SlidingWindow& longer = limits_.address_per_day > 0 ? windows.day : windows.hour;
      if (longer.reset_s(now_ms) > 0) change.times_ms = longer.times();
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

void AddressBook::put_back(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    const auto it = windows_.find(change.address);
    if (it == windows_.end() || !std::exchange(it->second.changed, true)) changed_.push_back(change.address);
  }
}

void AddressBook::sweep(std::int64_t now_ms) {
  swept_ms_ = now_ms;
  for (auto it = windows_.begin(); it != windows_.end();) {
    Windows& windows = it->second;
    const bool over = windows.hour.reset_s(now_ms) == 0 && windows.day.reset_s(now_ms) == 0;
    if (over && !windows.changed) changed_.push_back(it->first);  // to be erased from the store
    it = over ? windows_.erase(it) : std::next(it);
  }
}

AddressBook::Windows& AddressBook::windows_of(const std::string& address, std::int64_t now_ms,
                                              std::string& counted_as) {
  if (const auto known = windows_.find(address); known != windows_.end()) return known->second;
  // Looking through all of them for those that have run out costs: once a minute is enough.
  if (windows_.size() >= tracked_max_ && now_ms - swept_ms_ >= kSweep_ms) sweep(now_ms);
  if (windows_.size() >= tracked_max_) counted_as = kShared;
  return windows_.try_emplace(counted_as, fresh()).first->second;
}

AddressBook::Windows AddressBook::fresh() const {
  return {{limits_.address_per_hour, kHour_ms}, {limits_.address_per_day, kDay_ms}};
}

}  // namespace actors
