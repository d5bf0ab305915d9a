// A shard's calling addresses and their windows, in bounded memory. Plain state; address_guard.hpp puts it
// behind messages and on disk. A full book forgets no running window: unknown addresses then share one.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "actors/options.hpp"
#include "actors/sliding_window.hpp"
#include "actors/values.hpp"

namespace actors {

class AddressBook {
 public:
  AddressBook(const LimitOptions& limits, std::uint32_t tracked_max)
      : limits_(limits), tracked_max_(tracked_max) {}

  /// The address of the window that unknown addresses share when the book is full.
  static constexpr auto kShared = "*";

  struct Admission {
    AddressAllowances allowances;
    std::uint32_t retry_after_s = 0;  ///< 0: let in
  };
  /// Counts a request from `address` against the hour and the day, or refuses it without counting.
  Admission admit(const std::string& address, std::int64_t now_ms);

  /// What an earlier program counted, oldest first.
  void restore(const std::string& address, const std::vector<std::int64_t>& times_ms);

  /// An address whose counts the store does not have yet; no times: its windows have run out.
  struct Change {
    std::string address;
    std::vector<std::int64_t> times_ms;
  };
  /// The changes since the last time, at most `most` of them: a flood's are written little by little.
  std::vector<Change> take_changes(std::int64_t now_ms, std::size_t most);
  /// The disk has refused them.
  void put_back(const std::vector<Change>& changes);
  bool has_changes() const { return !changed_.empty(); }

  /// Forgets the addresses whose windows have run out.
  void sweep(std::int64_t now_ms);

  std::size_t tracked() const { return windows_.size(); }

 private:
  struct Windows {
    SlidingWindow hour, day;
    bool changed = false;  // stands in changed_
  };
  Windows& windows_of(const std::string& address, std::int64_t now_ms, std::string& counted_as);
  Windows fresh() const;

  LimitOptions limits_;
  std::uint32_t tracked_max_;
  std::map<std::string, Windows> windows_;
  std::vector<std::string> changed_;
  std::int64_t swept_ms_ = 0;
};

}  // namespace actors
