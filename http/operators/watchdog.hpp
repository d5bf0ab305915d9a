// Keeps the pulse of the program's actors, and feeds systemd's watchdog while all of them answer. When one
// does not for the unit's WatchdogSec, systemd ends the program and starts it anew; what was acknowledged is
// on disk.
#pragma once
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "actors/pulse.hpp"

namespace http {

class Watchdog {
 public:
  /// `prompt` never wait for anything; without them there is nothing to be done. `slow` may wait for a disk:
  /// they are told of by fault() alone, for a program that starts anew on a disk that hangs answers nobody.
  Watchdog(std::vector<caf::actor> prompt, std::vector<caf::actor> slow);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// A sentence about an actor that has not answered for a while; nothing when all do.
  std::optional<std::string> fault() const;

 private:
  void watch();

  actors::Pulse prompt_, slow_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace http
