#include "actors/accounts/address_guard.hpp"

#include <algorithm>
#include <caf/send.hpp>
#include <utility>

#include "actors/accounts/accounts.hpp"
#include "persistence/records.hpp"

namespace actors {
namespace {

using persistence::Table;

constexpr auto kSaveAddressesEvery = std::chrono::seconds(1);
constexpr auto kSweepAddressesEvery = std::chrono::minutes(10);
constexpr std::size_t kSavedAtOnce = 1000;
constexpr std::uint32_t kNetworksOf48Bits = 256;  // networks of 64 bits with own windows in one of 48 bits

/// The bounds of one shard's book.
AddressBook::Bounds bounds_of(const ActorOptions& options) {
  const std::uint32_t shards = std::max(1U, options.address_shards);
  return {(std::size_t{options.limits.addresses_mb} << 20U) / shards,
          std::max(1U, kNetworksOf48Bits / shards)};
}

}  // namespace

AddressGuardActor::AddressGuardActor(caf::actor_config& config, const persistence::Store& store,
                                     const ActorOptions& options, Clock clock, Journal journal,
                                     std::vector<Accounts> accounts, std::size_t shard, MetersPtr meters)
    : Measured(config, "address-guard", std::move(meters)),
      options_(options),
      clock_(std::move(clock)),
      book_(options.limits, bounds_of(options)),
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
            delayed_send(caf::actor_cast<AddressGuard>(this), kSweepAddressesEvery, sweep_atom::value);
          }};
}

caf::result<Answer> AddressGuardActor::admit(Call& call) {
  const bool visit = caf::holds_alternative<Visit>(call.command);
  if (!visit && !book_.has_room_for(call.from, clock_()) && call.key.account != 0)
    return ask_for_the_key_first(call);
  const auto admission = book_.admit(call.from, clock_());
  if (book_.has_changes()) save_soon();
  if (admission.retry_after_s > 0) return refused(admission);
  call.address = admission.allowances;
  if (!visit) return pass_on(call);
  Ticket nobody;
  nobody.address = admission.allowances;
  return Answer{nobody, Welcome{}};
}

Answer AddressGuardActor::refused(const AddressBook::Admission& admission) {
  limit_hit_.Increment();
  Ticket nobody;
  nobody.address = admission.allowances;
  return Answer{
      nobody, Refusal{.code = Code::ratengrenze, .retry_after_s = static_cast<int>(admission.retry_after_s)}};
}

caf::result<Answer> AddressGuardActor::pass_on(Call& call) {
  // What is no key has account 0: any shard can refuse it.
  const std::size_t shard = shard_of(call.key.account, accounts_.size());
  return delegate(accounts_[shard], std::move(call));
}

/// The address would share a window, which strangers may have used up. They must not lock out a caller with a
/// valid key: the account checks the key first, and its answer decides what is counted where.
caf::result<Answer> AddressGuardActor::ask_for_the_key_first(Call& call) {
  auto promise = make_response_promise<Answer>();
  const std::string from = call.from;
  const std::size_t shard = shard_of(call.key.account, accounts_.size());
  request(accounts_[shard], caf::infinite, std::move(call))
      .then([this, promise, from](const Answer& answer) mutable { promise.deliver(judged(from, answer)); },
            [promise](const caf::error& error) mutable { promise.deliver(error); });
  return promise;
}

/// The answer for the caller. A caller who failed the key check has used the shared window.
Answer AddressGuardActor::judged(const std::string& from, Answer answer) {
  using Caller = AddressBook::Caller;
  const bool key_is_valid = answer.ticket.account != 0;
  const auto admission = book_.admit(from, clock_(), key_is_valid ? Caller::key_holder : Caller::stranger);
  if (book_.has_changes()) save_soon();
  return key_is_valid || admission.retry_after_s == 0 ? std::move(answer) : refused(admission);
}

/// A damaged window starts empty, and so do all when the store cannot be read: that is better than locking
/// callers out.
void AddressGuardActor::load(const persistence::Store& store) {
  const std::string shared = key_of(AddressBook::kShared);
  static_cast<void>(store.scan(
      Table::callers, {}, persistence::Store::Order::ascending, {},
      [&](std::string_view key, std::string_view value) {
        const std::string name(key);
        const auto window = persistence::decode_window(std::string(value));
        if (!window) return true;
        if (name == shared || name.starts_with(shared + " "))
          book_.restore(AddressBook::kShared + name.substr(shared.size()), window->times_ms);
        else if (!AddressBook::shared(name) && guard_shard_of(name, options_.address_shards) == shard_)
          book_.restore(name, window->times_ms);
        return true;
      }));
}

/// Every shard stores its own shared windows: "*1", "*1 2001:db8:1::/48" for shard 1.
std::string AddressGuardActor::key_of(const std::string& name) const {
  if (!AddressBook::shared(name)) return name;
  const std::string_view mark = AddressBook::kShared;
  return std::string(mark) + std::to_string(shard_) + name.substr(mark.size());
}

void AddressGuardActor::save_soon() {
  if (std::exchange(will_save_, true)) return;
  caf::delayed_anon_send(caf::actor_cast<AddressGuard>(this), kSaveAddressesEvery, save_atom::value);
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
  // No time-out: until the journal answers, the writes are neither stored nor lost.
  request(journal_, caf::infinite, std::move(writes))
      .then(
          [this, changes, then = std::move(then)](bool on_disk) {
            if (!on_disk) book_.put_back(*changes);
            if (book_.has_changes()) save_soon();
            then(on_disk);
          },
          [](const caf::error&) {});  // the journal has ended, and so does the program
}

}  // namespace actors
