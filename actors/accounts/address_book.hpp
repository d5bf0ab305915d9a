// A shard's calling addresses and their windows, in bounded memory. Plain state; address_guard.hpp puts it
// behind messages and on disk. A full book forgets no running window and lets none grow. Addresses for which
// there is no room share one window, unless a valid key has come from them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "actors/accounts/sliding_window.hpp"
#include "actors/options.hpp"
#include "actors/values.hpp"

namespace actors {

class AddressBook {
 public:
  /// How much memory one book uses. The owner of an IPv6 network of 48 bits has 65,536 networks of 64 bits:
  /// beyond `networks_max` of them they share a window, so that one owner cannot fill the book.
  struct Bounds {
    std::size_t bytes = 64U << 20U;
    std::uint32_t networks_max = 256;
  };
  AddressBook(const LimitOptions& limits, const Bounds& bounds) : limits_(limits), bounds_(bounds) {}

  /// The name of the window that addresses share when the book is full. When only a network of 48 bits is
  /// full, its window is named by this, a space and the network. No address begins like this.
  static constexpr auto kShared = "*";
  static bool shared(const std::string& name) { return name.starts_with(kShared); }

  enum class Caller {
    stranger,    ///< only the address is known
    key_holder,  ///< has shown a valid key: finds room for longer, and never shares a window
  };
  struct Admission {
    AddressAllowances allowances;
    std::uint32_t retry_after_s = 0;  ///< 0: let in
  };
  /// Counts a request from `address` against the hour and the day, or refuses it without counting. A key
  /// holder for whose address there is no room is let in uncounted: the account's limits still hold.
  Admission admit(const std::string& address, std::int64_t now_ms, Caller caller = Caller::stranger);

  /// Whether admit() would count a stranger from `address` in a window of its own.
  bool has_room_for(const std::string& address, std::int64_t now_ms);

  /// Takes over what was counted before the program's last end, oldest first.
  void restore(const std::string& address, const std::vector<std::int64_t>& times_ms);

  /// An address whose counts the store does not have yet. Without times its windows have run out.
  struct Change {
    std::string address;
    std::vector<std::int64_t> times_ms;
  };
  /// The changes since the last call, at most `most` of them, so that a flood of changes is written in parts.
  std::vector<Change> take_changes(std::int64_t now_ms, std::size_t most);
  /// The disk has refused these changes: they will be taken again.
  void put_back(const std::vector<Change>& changes);
  bool has_changes() const { return !changed_.empty(); }

  /// Forgets the addresses whose windows have run out.
  void sweep(std::int64_t now_ms);

  std::size_t tracked() const { return windows_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Windows {
    SlidingWindow hour, day;
    bool changed = false;       // stands in changed_
    std::size_t accounted = 0;  // how much of bytes_ it makes up
  };
  using Entry = std::map<std::string, Windows>::iterator;
  Entry own_window(const std::string& address, std::int64_t now_ms, Caller caller);
  Entry shared_window(const std::string& address);
  Entry add(const std::string& name);
  Entry remove(Entry entry);
  std::size_t bytes_for(Caller caller, bool known) const;
  bool fits(const std::string& address, Caller caller) const;
  bool may_count(Windows& windows, std::int64_t now_ms, Caller caller) const;
  bool network_is_full(const std::string& address) const;
  void account(Windows& windows);

  LimitOptions limits_;
  Bounds bounds_;
  std::map<std::string, Windows> windows_;
  std::map<std::string, std::uint32_t> networks_;  // how many of windows_ are in a network of 48 bits
  std::vector<std::string> changed_;
  std::size_t bytes_ = 0;
  std::int64_t swept_ms_ = 0;
};

/// "2001:db8:1::/48" for "2001:db8:1:2::/64"; empty when `address` is no IPv6 network.
std::string network_of_48_bits(const std::string& address);

}  // namespace actors
