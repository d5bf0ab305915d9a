// The one writer. While one batch is being synced the next one gathers in the mailbox, so that the rate of
// durable writes grows with the load (group commit; Gray & Reuter 1993).
#pragma once
#include <caf/typed_event_based_actor.hpp>

#include "actors/measured.hpp"
#include "actors/messages.hpp"

namespace actors {

/// Spawn it detached: a sync blocks its thread. `store` must outlive it.
class JournalActor : public Measured<Journal::base> {
 public:
  JournalActor(caf::actor_config& config, persistence::Store& store, MetersPtr meters = private_meters());
  const char* name() const override { return "journal"; }

 private:
  struct Pending {
    persistence::Writes writes;
    caf::typed_response_promise<bool> promise;
  };

  behavior_type make_behavior() override;
  // The promises hold this actor: without releasing them it would never be destroyed. Their writes are still
  // made, but nobody waits for the acknowledgement any more.
  void on_exit() override;
  caf::result<bool> gather(persistence::Writes writes);
  void commit();
  bool stored(const std::vector<Pending>& batch);
  void tell_refusal(std::size_t requests);

  persistence::Store& store_;
  std::vector<Pending> pending_;
};

}  // namespace actors
