// Takes a changed catalogue while the service runs: SIGHUP or `roofd geodata reload`.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "geo/data/live_geodata.hpp"
#include "http/operators/admin_socket.hpp"

namespace http {

/// As it is sent to a running server.
inline constexpr const char* kReloadCommand = "geodata reload";

/// Thread-safe. A catalogue with a fault is refused as at the start, and the data in use stay in use.
class DataReload {
 public:
  /// Reads everything as the start does; nothing when there are faults, a sentence each.
  using Read = std::function<std::optional<geo::Geodata>(std::vector<std::string>& faults)>;
  /// Called with what came of a reload that nobody waits for.
  using Tell = std::function<void(const AdminResult&)>;
  DataReload(std::shared_ptr<geo::LiveGeodata> live, Read read, Tell tell);

  /// Waits for the end; one after the other.
  AdminResult now();
  /// In a thread of its own; one that comes while another waits to begin is the same.
  void begin();
  /// Whether none is under way. Reading may hang; then the program ends without it.
  bool idle() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace http
