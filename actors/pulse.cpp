#include "actors/pulse.hpp"

#include <caf/local_actor.hpp>
#include <caf/send.hpp>

namespace actors {

Pulse::Pulse(std::vector<caf::actor> actors, Now now) : now_(std::move(now)) {
  for (caf::actor& actor : actors) watched_.push_back({std::move(actor), nullptr, {}});
}

void Pulse::beat() {
  const std::lock_guard guard(mutex_);
  for (Watched& one : watched_) {
    if (one.beat && !one.beat->answered()) continue;
    one.beat = std::make_shared<Beat>();
    one.sent = now_();
    caf::anon_send(one.actor, one.beat);
  }
}

std::optional<Pulse::Late> Pulse::latest() const {
  const std::lock_guard guard(mutex_);
  const Watched* latest = nullptr;
  for (const Watched& one : watched_)
    if (one.beat && !one.beat->answered() && (!latest || one.sent < latest->sent)) latest = &one;
  if (!latest) return {};
  const auto* actor = dynamic_cast<caf::local_actor*>(caf::actor_cast<caf::abstract_actor*>(latest->actor));
  return Late{actor ? actor->name() : "?",
              std::chrono::duration_cast<std::chrono::milliseconds>(now_() - latest->sent)};
}

void Pulse::stop() {
  const std::lock_guard guard(mutex_);
  watched_.clear();
}

}  // namespace actors
