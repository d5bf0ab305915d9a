// The data in use, exchanged as a whole while the service runs.
#pragma once
#include <atomic>
#include <memory>
#include <utility>

#include "geo/data/geodata.hpp"

namespace geo {

/// Thread-safe. Whoever works with data takes them once, at its begin, and so never sees half of two
/// catalogues.
class LiveGeodata {
 public:
  explicit LiveGeodata(Geodata first) { exchange(std::move(first)); }
  std::shared_ptr<const Geodata> now() const { return now_.load(); }
  /// Those before live on until the last that has taken them lets go.
  void exchange(Geodata next) { now_.store(std::make_shared<const Geodata>(std::move(next))); }

 private:
  std::atomic<std::shared_ptr<const Geodata>> now_;
};

}  // namespace geo
