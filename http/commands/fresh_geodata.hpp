// A worker's data, read anew when one of their files has changed.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/log.hpp"
#include "geo/data/live_geodata.hpp"

namespace http {

/// Used by one thread at a time.
class FreshGeodata {
 public:
  /// Reads everything as the start does; nothing when there are faults, a sentence each.
  using Read = std::function<std::optional<geo::Geodata>(std::vector<std::string>& faults)>;
  FreshGeodata(geo::Geodata first, Read read, actors::LogPtr log);

  std::shared_ptr<const geo::LiveGeodata> live() const { return live_; }
  /// Whether the files are still those that were read.
  bool as_read() const { return !live_->now()->catalogue.changed(); }
  /// Reads them if they are not. False when they cannot be read, which is told; the same faults again are
  /// not.
  bool refresh();

 private:
  Read read_;
  std::shared_ptr<geo::LiveGeodata> live_;
  actors::LogPtr log_;
  std::vector<std::string> told_;  // the faults of the last attempt
};

}  // namespace http
