#include "http/operators/watchdog.hpp"

#include <systemd/sd-daemon.h>

namespace http {
namespace {

constexpr std::chrono::milliseconds kBetweenBeats{500};
constexpr std::chrono::seconds kPromptLimit{5}, kSlowLimit{10};

std::optional<std::string> fault_of(const actors::Pulse& pulse, std::chrono::milliseconds limit) {
  const auto late = pulse.latest();
  if (!late || late->time < limit) return {};
  return "the actor \"" + late->actor + "\" has not answered for " +
         std::to_string(late->time.count() / 1000) + " s";
}

}  // namespace

Watchdog::Watchdog(std::vector<caf::actor> prompt, std::vector<caf::actor> slow)
    : prompt_(std::move(prompt)), slow_(std::move(slow)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard guard(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::optional<std::string> Watchdog::fault() const {
  if (auto fault = fault_of(prompt_, kPromptLimit)) return fault;
  return fault_of(slow_, kSlowLimit);
}

/// A round is fed when every beat of it has been answered, so one that hangs leaves the watchdog unfed.
void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    if (!prompt_.latest()) ::sd_notify(0, "WATCHDOG=1");
    prompt_.beat();
    slow_.beat();
    wake_.wait_for(lock, kBetweenBeats, [this] { return over_; });
  }
}

}  // namespace http
