// The control of a long computation: it can be told to stop, and it tells how far it is.
#pragma once
#include <atomic>
#include <exception>

namespace geo {

/// Thrown by checkpoint() only, and caught only where a computation begins: roof_analysis.cpp,
/// drawing/scene.cpp.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

/// Shared by the thread that computes and the one that may cancel it. Every loop over cells, surfaces or
/// hours passes a checkpoint at least every few milliseconds.
class RunControl {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  void checkpoint() const {
    if (cancelled()) throw Cancelled{};
  }

 private:
  std::atomic<bool> cancelled_{false};
};

}  // namespace geo
