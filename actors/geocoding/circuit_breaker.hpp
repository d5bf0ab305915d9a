// Stops asking a service that does not answer, and tries it again later with a single question (M. Nygard,
// Release It!, 2007). Not thread-safe: threads that share it must lock it.
#pragma once
#include <chrono>

namespace actors {

class CircuitBreaker {
 public:
  using Time = std::chrono::steady_clock::time_point;

  CircuitBreaker(int failures_max, std::chrono::seconds pause) : failures_max_(failures_max), pause_(pause) {}

  /// Whether to ask now. After a pause only one question goes out until its result is known.
  bool allows(Time now) {
    if (now < silent_until_ || trying_) return false;
    trying_ = failures_ >= failures_max_;
    return true;
  }
  void succeeded() {
    failures_ = 0;
    trying_ = false;
  }
  void failed(Time now) {
    trying_ = false;
    if (++failures_ >= failures_max_) silent_until_ = now + pause_;
  }

 private:
  int failures_max_;
  std::chrono::seconds pause_;
  int failures_ = 0;
  bool trying_ = false;
  Time silent_until_{};
};

}  // namespace actors
