// A shard's calling addresses and their windows, in bounded memory. Plain state; address_guard.hpp puts it
// behind messages. A full book forgets no running window: unknown addresses then share one.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "actors/messages.hpp"
#include "actors/options.hpp"
#include "actors/sliding_window.hpp"

namespace actors {

class AddressBook {
 public:
  AddressBook(const LimitOptions& limits, std::uint32_t tracked_max)
      : limits_(limits), tracked_max_(tracked_max) {}

  struct Admission {
    AddressAllowances allowances;
    std::uint32_t retry_after_s = 0;  ///< 0: let in
  };
  /// Counts a request from `address` against the hour and the day, or refuses it without counting.
  Admission admit(const std::string& address, std::int64_t now_ms);

  std::size_t tracked() const { return windows_.size(); }

 private:
  struct Windows {
    SlidingWindow hour, day;
  };
  Windows& windows_of(const std::string& address, std::int64_t now_ms);
  Windows fresh() const;

  LimitOptions limits_;
  std::uint32_t tracked_max_;
  std::map<std::string, Windows> windows_;
  std::int64_t swept_ms_ = 0;
};

}  // namespace actors
