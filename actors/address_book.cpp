#include "actors/address_book.hpp"

#include <algorithm>

namespace actors {
namespace {

constexpr std::int64_t kHour_ms = 3'600'000;
constexpr std::int64_t kDay_ms = 24 * kHour_ms;
constexpr std::int64_t kSweep_ms = 60'000;
constexpr auto kShared = "";  // the window of all addresses that find the book full

Allowance allowance(SlidingWindow& window, std::int64_t now_ms) {
  return {window.limit(), window.remaining(now_ms), window.reset_s(now_ms)};
}

}  // namespace

AddressBook::Admission AddressBook::admit(const std::string& address, std::int64_t now_ms) {
  if (limits_.address_per_hour == 0 && limits_.address_per_day == 0) return {};
  Windows& windows = windows_of(address, now_ms);
  Admission admission;
  admission.retry_after_s = std::max(windows.hour.retry_after_s(now_ms), windows.day.retry_after_s(now_ms));
  if (admission.retry_after_s == 0) {
    windows.hour.admit(now_ms);
    windows.day.admit(now_ms);
  }
  admission.allowances = {allowance(windows.hour, now_ms), allowance(windows.day, now_ms)};
  return admission;
}

AddressBook::Windows& AddressBook::windows_of(const std::string& address, std::int64_t now_ms) {
  if (const auto known = windows_.find(address); known != windows_.end()) return known->second;
  // Looking through all of them for those that have run out costs: once a minute is enough.
  if (windows_.size() >= tracked_max_ && now_ms - swept_ms_ >= kSweep_ms) {
    swept_ms_ = now_ms;
    for (auto it = windows_.begin(); it != windows_.end();) {
      const bool over = it->second.hour.reset_s(now_ms) == 0 && it->second.day.reset_s(now_ms) == 0;
      it = over ? windows_.erase(it) : std::next(it);
    }
  }
  const bool full = windows_.size() >= tracked_max_;
  return windows_.try_emplace(full ? kShared : address, fresh()).first->second;
}

AddressBook::Windows AddressBook::fresh() const {
  return {{limits_.address_per_hour, kHour_ms}, {limits_.address_per_day, kDay_ms}};
}

}  // namespace actors
