// How far a download is: a bar that is drawn over on a terminal, a line now and then elsewhere.
#pragma once
#include <chrono>
#include <mutex>
#include <string>

#include "geo/offices/acquisition.hpp"

namespace http {

/// Called from several threads.
class GeodataProgress {
 public:
  GeodataProgress();
  void show(const geo::offices::SetProgress& progress);
  /// A sentence of its own, above the bar.
  void say(const std::string& sentence);
  /// The set has ended: its last figures stay.
  void end_set();

 private:
  void clear_bar();
  std::mutex mutex_;
  bool terminal_;
  bool bar_ = false;
  std::string last_line_;
  std::chrono::steady_clock::time_point set_begun_{}, shown_{};
  std::string set_;
};

}  // namespace http
