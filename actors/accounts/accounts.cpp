#include "actors/accounts/accounts.hpp"

#include <caf/send.hpp>
#include <utility>

#include "actors/accounts/key_text.hpp"
#include "actors/admin_order.hpp"
#include "persistence/keys.hpp"
#include "persistence/records.hpp"

namespace actors {
namespace {

AdminReply refused(std::string sentence) { return {false, std::move(sentence)}; }
AdminReply outdated(std::string sentence) { return {false, std::move(sentence), true}; }
constexpr std::array<const char*, kLimitClasses> kLimitNames{"create", "status", "analyse", "media"};
constexpr auto kSaveAccountsEvery = std::chrono::seconds(1);
constexpr auto kDiskRefuses = "the data directory cannot be read or written";

}  // namespace

AccountsActor::AccountsActor(caf::actor_config& config, persistence::Store& store,
                             const ActorOptions& options, Clock clock, Journal journal,
                             std::vector<Projects> projects, MetersPtr meters)
    : Measured(config, "accounts", std::move(meters)),
      store_(store),
      options_(options),
      book_(store, options, std::move(clock), this->meters().cache("accounts")),
      journal_(std::move(journal)),
      at_journal_(
          std::chrono::seconds(options_.journal_timeout_s),
          [this](auto delay) { delayed_send(caf::actor_cast<Accounts>(this), delay, late_atom::value); }),
      projects_(std::move(projects)) {
  for (std::size_t i = 0; i < kLimitClasses; ++i) limits_hit_[i] = &this->meters().limit_hit(kLimitNames[i]);
}

AccountsActor::behavior_type AccountsActor::make_behavior() {
  return {[this](Call& call) { return admit(call); },
          [this](MemberCall& call) { return admit(call); },
          [this](const AddKey& order) { return add_key(order); },
          [this](const RevokeKey& order) { return revoke_key(order); },
          [this](const ReplaceKey& order) { return replace_key(order); },
          [this](const ListKeys& order) { return book_.keys(order.account); },
          [this](const ReadUsage& order) { return book_.usage(order.account); },
          [this](forget_atom, std::uint64_t account) {
            save([](bool) {});  // or a closed account's counts would come back after its records were erased
            book_.forget(account);
            return true;
          },
          [this](save_atom) -> caf::result<bool> {
            auto promise = make_response_promise<bool>();
            save([promise](bool on_disk) mutable { promise.deliver(on_disk); });
            return promise;
          },
          [this](late_atom) {
            at_journal_.sweep(clock().now());
            save_what_is_due();
          }};
}

caf::result<Answer> AccountsActor::admit(Call& call) {
  auto admission = book_.admit(call.key, call.limit);
  admission.ticket.address = call.address;
  if (admission.refusal && admission.refusal->code == Code::ratengrenze)
    limits_hit_[static_cast<std::size_t>(call.limit)]->Increment();
  return pass_on(std::move(admission), std::move(call.command));
}

caf::result<Answer> AccountsActor::admit(MemberCall& call) {
  auto admission =
      book_.admit(call.account, call.counted ? std::optional(call.limit) : std::optional<LimitClass>());
  if (admission.refusal && admission.refusal->code == Code::ratengrenze)
    limits_hit_[static_cast<std::size_t>(call.limit)]->Increment();
  return pass_on(std::move(admission), std::move(call.command));
}

caf::result<Answer> AccountsActor::pass_on(AccountBook::Admission admission, Command command) {
  if (admission.refusal) return Answer{admission.ticket, *admission.refusal};
  if (const auto* malformed = caf::get_if<Refusal>(&command)) {
    save_soon();
    return Answer{admission.ticket, *malformed};
  }
  if (caf::visit([](const auto& one) { return may_store(one); }, command)) save_windows();
  save_soon();
  const auto& shard = projects_[shard_of(admission.ticket.account, projects_.size())];
  return delegate(shard, admission.ticket, std::move(command));
}

void AccountsActor::save_soon() {
  if (std::exchange(will_save_, true)) return;
  caf::delayed_anon_send(caf::actor_cast<Accounts>(this), kSaveAccountsEvery, late_atom::value);
}

void AccountsActor::save_what_is_due() {
  will_save_ = false;
  if (book_.uses_due())
    save([](bool) {});
  else
    save_windows();
  if (book_.uses().waiting()) save_soon();
}

void AccountsActor::save_windows() {
  commit(book_.limits().take_unsaved(), {}, [](bool) {});
}

void AccountsActor::save(std::function<void(bool)> then) {
  auto windows = book_.limits().take_unsaved();
  auto uses = book_.uses().take_unsaved(windows.writes);
  commit(std::move(windows), std::move(uses), std::move(then));
}

void AccountsActor::commit(AccountLimits::Saving windows, KeyUses::Saving uses,
                           std::function<void(bool)> then) {
  auto writes = std::exchange(windows.writes, {});
  if (writes.empty()) return then(true);
  // No time-out: until the journal answers, the writes are neither stored nor lost.
  request(journal_, caf::infinite, std::move(writes))
      .then(
          [this, windows = std::move(windows), uses = std::move(uses), then = std::move(then)](bool on_disk) {
            book_.limits().settle(windows, on_disk);
            book_.uses().settle(uses, on_disk);
            if (!on_disk) save_soon();
            then(on_disk);
          },
          [](const caf::error&) {});  // the journal has ended, and so does the program
}

caf::result<AdminReply> AccountsActor::add_key(const AddKey& order) {
  const auto known = book_.exists(order.account);
  if (!known) return refused(kDiskRefuses);
  if (!*known) return refused("there is no account " + std::to_string(order.account));
  if (order.name.empty()) return refused("--name is empty");
  if (order.beside &&
      (making_.contains(order.account) || *order.beside != book_.keys(order.account).keys.size()))
    return outdated("the account's keys are others by now");
  const std::string text = make_key(order.account);
  const auto key = book_.new_key(text, order);
  making_.insert(order.account);
  return carry_out(
      *this, at_journal_, journal_,
      {{persistence::Table::keys, persistence::number_key(key.account) + key.fingerprint, encode(key)}},
      [this, key, text](bool stored) {
        making_.extract(key.account);
        if (!stored) return refused(kDiskRefuses);
        book_.learn(key);
        return AdminReply{true, text};
      });
}

caf::result<AdminReply> AccountsActor::revoke_key(const RevokeKey& order) {
  auto key = book_.key_of(order.account, order.key_id);
  if (!key) return refused(kDiskRefuses);
  const std::string name = "key " + order.key_id + " of account " + std::to_string(order.account);
  if (!*key) return refused("there is no " + name);
  if ((*key)->revoked) return AdminReply{true, name + " was revoked before"};
  if ((*key)->in_force(book_.now_ms())) (*key)->revoked_ms = book_.now_ms();
  (*key)->revoked = true;
  book_.suspend((*key)->fingerprint);
  return carry_out(*this, at_journal_, journal_,
                   {{persistence::Table::keys, persistence::number_key(order.account) + (*key)->fingerprint,
                     encode(**key)}},
                   [this, name, account = order.account, fingerprint = (*key)->fingerprint](bool stored) {
                     book_.settle(account, fingerprint);
                     return stored ? AdminReply{true, name + " is revoked"} : refused(kDiskRefuses);
                   });
}

/// Both keys in one batch, so that there is never a moment without one. A key is replaced once: its end is
/// not put off, neither by another replacement nor while the disk is taking its revocation.
caf::result<AdminReply> AccountsActor::replace_key(const ReplaceKey& order) {
  auto old = book_.key_of(order.account, order.key_id);
  if (!old) return refused(kDiskRefuses);
  if (!*old || (*old)->revoked_ms != 0 || book_.suspended((*old)->fingerprint))
    return outdated("there is no key " + order.key_id + " that can be replaced");
  if (making_.contains(order.account)) return outdated("another key of the account is being made");
  const std::string text = make_key(order.account);
  const auto key = book_.new_key(text, {order.account, (*old)->name});
  (*old)->revoked_ms = book_.now_ms() + std::max<std::int64_t>(1, order.overlap_s * 1000);
  const std::string account = persistence::number_key(order.account);
  making_.insert(order.account);
  return carry_out(*this, at_journal_, journal_,
                   {{persistence::Table::keys, account + key.fingerprint, encode(key)},
                    {persistence::Table::keys, account + (*old)->fingerprint, encode(**old)}},
                   [this, text, id = order.account](bool stored) {
                     making_.extract(id);
                     book_.forget(id);
                     return stored ? AdminReply{true, text} : refused(kDiskRefuses);
                   });
}

}  // namespace actors
