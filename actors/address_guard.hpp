// The first actor that a request meets: counts it against its calling address, or refuses it.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <vector>

#include "actors/address_book.hpp"
#include "actors/clock.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/options.hpp"

namespace actors {

class AddressGuardActor : public Measured<AddressGuard::base> {
 public:
  /// `accounts` are all account shards.
  AddressGuardActor(caf::actor_config& config, const ActorOptions& options, Clock clock,
                    std::vector<Accounts> accounts, MetersPtr meters = private_meters());
  const char* name() const override { return "address-guard"; }

 private:
  behavior_type make_behavior() override;
  void on_exit() override { accounts_.clear(); }
  caf::result<Answer> admit(Call& call);

  Clock clock_;
  AddressBook book_;
  std::vector<Accounts> accounts_;
  prometheus::Counter& limit_hit_;
};

}  // namespace actors
