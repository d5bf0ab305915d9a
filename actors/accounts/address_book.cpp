#include "actors/accounts/address_book.hpp"

#include <algorithm>
#include <boost/asio/ip/address_v6.hpp>
#include <iterator>
#include <utility>

#include "actors/clock.hpp"

namespace actors {
namespace {

constexpr std::int64_t kSweep_ms = 60'000;
constexpr std::size_t kEntryBytes = 320;  // of an address without its time stamps: map nodes, names

Allowance allowance(SlidingWindow& window, std::int64_t now_ms) {
  return {window.limit(), window.remaining(now_ms), window.reset_s(now_ms)};
}

}  // namespace

AddressBook::Admission AddressBook::admit(const std::string& address, std::int64_t now_ms, Caller caller) {
  if (limits_.address_per_hour == 0 && limits_.address_per_day == 0) return {};
  Entry entry = own_window(address, now_ms, caller);
  if (entry == windows_.end()) {
    if (caller == Caller::key_holder) return {};
    entry = shared_window(address);
  }
  Windows& windows = entry->second;
  Admission admission;
  admission.retry_after_s = std::max(windows.hour.retry_after_s(now_ms), windows.day.retry_after_s(now_ms));
  if (admission.retry_after_s == 0 && entry->first != kShared && !may_count(windows, now_ms, caller)) {
    if (caller == Caller::key_holder) return {};
    admission.retry_after_s = std::max(1U, windows.hour.reset_s(now_ms));
  }
  if (admission.retry_after_s == 0) {
    windows.hour.admit(now_ms);
    windows.day.admit(now_ms);
    if (!std::exchange(windows.changed, true)) changed_.push_back(entry->first);
  }
  admission.allowances = {allowance(windows.hour, now_ms), allowance(windows.day, now_ms)};
  account(windows);
  return admission;
}

bool AddressBook::has_room_for(const std::string& address, std::int64_t now_ms) {
  if (limits_.address_per_hour == 0 && limits_.address_per_day == 0) return true;
  if (fits(address, Caller::stranger)) return true;
  if (const Entry known = windows_.find(address); known != windows_.end())
    return may_count(known->second, now_ms, Caller::stranger);
  if (now_ms - swept_ms_ < kSweep_ms) return false;
  sweep(now_ms);
  return fits(address, Caller::stranger);
}

void AddressBook::restore(const std::string& address, const std::vector<std::int64_t>& times_ms) {
  const Entry known = windows_.find(address);
  Windows& windows = (known == windows_.end() ? add(address) : known)->second;
  windows.hour.restore(times_ms);
  windows.day.restore(times_ms);
  account(windows);
}

std::vector<AddressBook::Change> AddressBook::take_changes(std::int64_t now_ms, std::size_t most) {
  std::vector<Change> changes;
  while (!changed_.empty() && changes.size() < most) {
    Change change{std::move(changed_.back()), {}};
    changed_.pop_back();
    if (const auto it = windows_.find(change.address); it != windows_.end()) {
      Windows& windows = it->second;
      windows.changed = false;
      // Both windows count every request, unless one is off. The day's time stamps include the hour's.
      SlidingWindow& longer = limits_.address_per_day > 0 ? windows.day : windows.hour;
      if (longer.reset_s(now_ms) > 0) change.times_ms = longer.times();
      account(windows);
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
    it = over ? remove(it) : std::next(it);
  }
}

AddressBook::Entry AddressBook::own_window(const std::string& address, std::int64_t now_ms, Caller caller) {
  if (const Entry known = windows_.find(address); known != windows_.end()) return known;
  // A sweep looks at every window, which is expensive: once a minute is enough.
  if (!fits(address, caller) && now_ms - swept_ms_ >= kSweep_ms) sweep(now_ms);
  return fits(address, caller) ? add(address) : windows_.end();
}

AddressBook::Entry AddressBook::shared_window(const std::string& address) {
  std::string name = kShared;
  // The window shared by a full network needs room as well. The window shared by all can always be added.
  if (bytes_ < bounds_.bytes && network_is_full(address)) name += " " + network_of_48_bits(address);
  const Entry known = windows_.find(name);
  return known == windows_.end() ? add(name) : known;
}

AddressBook::Entry AddressBook::add(const std::string& name) {
  const Entry entry = windows_
                          .try_emplace(name, Windows{{limits_.address_per_hour, kHour_ms},
                                                     {limits_.address_per_day, kDay_ms}})
                          .first;
  if (const std::string network = network_of_48_bits(name); !network.empty()) ++networks_[network];
  account(entry->second);
  return entry;
}

AddressBook::Entry AddressBook::remove(Entry entry) {
  bytes_ -= entry->second.accounted;
  const auto network = networks_.find(network_of_48_bits(entry->first));
  if (network != networks_.end() && --network->second == 0) networks_.erase(network);
  return windows_.erase(entry);
}

/// New strangers may fill half of the book, known addresses three quarters, key holders all of it.
std::size_t AddressBook::bytes_for(Caller caller, bool known) const {
  if (caller == Caller::key_holder) return bounds_.bytes;
  return bounds_.bytes / 4 * (known ? 3 : 2);
}

bool AddressBook::fits(const std::string& address, Caller caller) const {
  return bytes_ < bytes_for(caller, false) && (caller == Caller::key_holder || !network_is_full(address));
}

/// In a full book a window may not grow: it counts again when its oldest requests have run out.
bool AddressBook::may_count(Windows& windows, std::int64_t now_ms, Caller caller) const {
  return bytes_ < bytes_for(caller, true) ||
         !(windows.hour.must_grow(now_ms) || windows.day.must_grow(now_ms));
}

bool AddressBook::network_is_full(const std::string& address) const {
  const auto network = networks_.find(network_of_48_bits(address));
  return network != networks_.end() && network->second >= bounds_.networks_max;
}

void AddressBook::account(Windows& windows) {
  const std::size_t now = kEntryBytes + windows.hour.bytes() + windows.day.bytes();
  bytes_ += now - std::exchange(windows.accounted, now);
}

std::string network_of_48_bits(const std::string& address) {
  namespace ip = boost::asio::ip;
  if (address.find(':') == std::string::npos) return {};
  boost::system::error_code error;
  auto bytes = ip::make_address_v6(address.substr(0, address.find('/')), error).to_bytes();
  if (error) return {};
  std::fill(bytes.begin() + 6, bytes.end(), static_cast<unsigned char>(0));
  return ip::address_v6(bytes).to_string() + "/48";
}

}  // namespace actors
