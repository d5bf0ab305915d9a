#include "actors/address_guard.hpp"

#include <algorithm>

#include "actors/accounts.hpp"
#include "actors/key_text.hpp"

namespace actors {

AddressGuardActor::AddressGuardActor(caf::actor_config& config, const ActorOptions& options, Clock clock,
                                     std::vector<Accounts> accounts, MetersPtr meters)
    : Measured(config, "address-guard", std::move(meters)),
      clock_(std::move(clock)),
      book_(options.limits,
            std::max(1U, options.limits.tracked_addresses / std::max(1U, options.address_shards))),
      accounts_(std::move(accounts)),
      limit_hit_(this->meters().limit_hit("adresse")) {}

AddressGuardActor::behavior_type AddressGuardActor::make_behavior() {
  return {[this](Call& call) { return admit(call); }};
}

caf::result<Answer> AddressGuardActor::admit(Call& call) {
  const auto admission = book_.admit(call.from, clock_());
  Ticket nobody;
  nobody.address = admission.allowances;
  if (admission.retry_after_s > 0) {
    limit_hit_.Increment();
    return Answer{nobody, Refusal{.code = Code::ratengrenze,
                                  .retry_after_s = static_cast<int>(admission.retry_after_s)}};
  }
  if (caf::holds_alternative<Visit>(call.command)) return Answer{nobody, Welcome{}};
  call.address = admission.allowances;
  // Any shard refuses a key that is none.
  const auto account = account_of_key(call.key).value_or(0);
  return delegate(accounts_[shard_of(account, accounts_.size())], std::move(call));
}

}  // namespace actors
