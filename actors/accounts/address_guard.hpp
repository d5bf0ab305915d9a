// The first actor that a request meets: counts it against its calling address, or refuses it. The counts go
// to disk once a second and are read when the program starts, so that a restart does not lift the limits.
// Addresses whose windows have run out are removed from memory and disk.
#pragma once
#include <caf/typed_event_based_actor.hpp>
#include <functional>
#include <vector>

#include "actors/accounts/address_book.hpp"
#include "actors/clock.hpp"
#include "actors/measured.hpp"
#include "actors/messages.hpp"
#include "actors/options.hpp"
#include "persistence/store.hpp"

namespace actors {

class AddressGuardActor : public Measured<AddressGuard::base> {
 public:
  /// `accounts` are all account shards; `shard` is this one's place among options.address_shards.
  AddressGuardActor(caf::actor_config& config, const persistence::Store& store, const ActorOptions& options,
                    Clock clock, Journal journal, std::vector<Accounts> accounts, std::size_t shard,
                    MetersPtr meters = private_meters());
  const char* name() const override { return "address-guard"; }

 private:
  behavior_type make_behavior() override;
  // Releases the other actors: a delayed message may keep this object alive after it has ended.
  void on_exit() override {
    journal_ = nullptr;
    accounts_.clear();
  }
  caf::result<Answer> admit(Call& call);
  caf::result<Answer> pass_on(Call& call);
  caf::result<Answer> ask_for_the_key_first(Call& call);
  Answer judged(const std::string& from, Answer answer);
  Answer refused(const AddressBook::Admission& admission);
  void load(const persistence::Store& store);
  void save(std::function<void(bool)> then);
  void save_soon();
  std::string key_of(const std::string& name) const;

  ActorOptions options_;
  Clock clock_;
  AddressBook book_;
  Journal journal_;
  std::vector<Accounts> accounts_;
  prometheus::Counter& limit_hit_;
  std::size_t shard_;
  bool will_save_ = false;  // a save_atom is on its way
};

/// Which of `shards` takes the calls from an address.
inline std::size_t guard_shard_of(const std::string& address, std::size_t shards) {
  return std::hash<std::string>()(address) % shards;
}

}  // namespace actors
