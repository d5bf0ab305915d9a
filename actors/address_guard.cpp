#include "actors/address_guard.hpp"

#include <algorithm>
#include <caf/send.hpp>
#include <utility>

#include "actors/accounts.hpp"
#include "actors/key_text.hpp"
#include "persistence/records.hpp"

namespace actors {
namespace {

using persistence::Table;

constexpr auto kSaveEvery = std::chrono::seconds(1);
constexpr auto kSweepEvery = std::chrono::minutes(10);
constexpr std::size_t kSavedAtOnce = 1000;

}  // namespace

AddressGuardActor::AddressGuardActor(caf::actor_config& config, const persistence::Store& store,
                                     const ActorOptions& options, Clock clock, Journal journal,
                                     std::vector<Accounts> accounts, std::size_t shard, MetersPtr meters)
    : Measured(config, "address-guard", std::move(meters)),
      options_(options),
      clock_(std::move(clock)),
      book_(options.limits,
            std::max(1U, options.limits.tracked_addresses / std::max(1U, options.address_shards))),
      journal_(std::move(journal)),
      accounts_(std::move(accounts)),
      limit_hit_(this->meters().limit_hit("adresse")),
      shard_(shard) {
  load(store);
}

AddressGuardActor::behavior_type AddressGuardActor::make_behavior() {
  return {[this](Call& call) { return admit(call); },
          [this](save_atom) -> caf::result<bool> {
            will_save_ = false;
            auto promise = make_response_promise<bool>();
            save([promise](bool on_disk) mutable { promise.deliver(on_disk); });
            return promise;
          },
          [this](sweep_atom) {
            book_.sweep(clock_());
            if (book_.has_changes()) save_soon();
            delayed_send(caf::actor_cast<AddressGuard>(this), kSweepEvery, sweep_atom::value);
          }};
}

caf::result<Answer> AddressGuardActor::admit(Call& call) {
  const auto admission = book_.admit(call.from, clock_());
  if (book_.has_changes()) save_soon();
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

/// Damaged windows, and all of them when the store cannot be read, begin anew: better than to lock callers
/// out.
void AddressGuardActor::load(const persistence::Store& store) {
  const std::string shared = key_of(AddressBook::kShared);
  static_cast<void>(store.scan(Table::callers, {}, persistence::Store::Order::ascending, {},
                               [&](std::string_view key, std::string_view value) {
                                 const std::string address(key);
                                 const auto window = persistence::decode_window(std::string(value));
                                 if (!window) return true;
                                 if (address == shared)
                                   book_.restore(AddressBook::kShared, window->times_ms);
                                 else if (!address.starts_with(AddressBook::kShared) &&
                                          guard_shard_of(address, options_.address_shards) == shard_)
                                   book_.restore(address, window->times_ms);
                                 return true;
                               }));
}

std::string AddressGuardActor::key_of(const std::string& address) const {
  return address == AddressBook::kShared ? address + std::to_string(shard_) : address;
}

void AddressGuardActor::save_soon() {
  if (std::exchange(will_save_, true)) return;
  caf::delayed_anon_send(caf::actor_cast<AddressGuard>(this), kSaveEvery, save_atom::value);
}

void AddressGuardActor::save(std::function<void(bool)> then) {
  const auto changes =
      std::make_shared<const std::vector<AddressBook::Change>>(book_.take_changes(clock_(), kSavedAtOnce));
  if (changes->empty()) return then(true);
  persistence::Writes writes;
  for (const AddressBook::Change& change : *changes) {
    const bool over = change.times_ms.empty();
    writes.push_back({Table::callers, key_of(change.address),
                      over ? std::string() : encode(persistence::Window{change.times_ms}), over});
  }
  // Whenever the journal speaks: until then they are neither stored nor lost.
  request(journal_, caf::infinite, std::move(writes))
      .then(
          [this, changes, then = std::move(then)](bool on_disk) {
            if (!on_disk) book_.put_back(*changes);
            if (book_.has_changes()) save_soon();
            then(on_disk);
          },
          [](const caf::error&) {});  // the journal has ended, and the program with it
}

}  // namespace actors
