// Passkeys: made, used, removed. The keys stay in their owner's device; what is stored can only verify.
#include <algorithm>

#include "actors/sign_in/members.hpp"
#include "actors/sign_in/passkey.hpp"
#include "actors/sign_in/secret.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::Table;

namespace {

constexpr std::size_t kPasskeysMost = 20;  // of an account

/// The account that an authenticator names; 0 for a text that is no number of ours.
std::uint64_t account_of_handle(const std::string& handle) {
  return handle.size() == sizeof(std::uint64_t) ? persistence::number_at(handle, 0) : 0;
}

}  // namespace

PasskeyChallenge MembersActor::read(const AskPasskeyChallenge& order) {
  if (sign_in_.passkey_host.empty()) return {};
  PasskeyChallenge asked{.challenge = challenges_.make(order.account, clock_()),
                         .relying_party_id = sign_in_.passkey_host};
  if (order.account == 0) return asked;
  asked.user_handle = persistence::number_key(order.account);
  const auto scanned =
      register_.passkeys(order.account, [&](const std::string&, const persistence::Passkey& passkey) {
        asked.known.push_back(passkey.credential_id);
      });
  asked.readable = scanned.has_value();
  return asked;
}

PasskeyList MembersActor::list(const ListPasskeys& order) const {
  PasskeyList list;
  const auto scanned = register_.passkeys(
      order.account, [&](const std::string& fingerprint, const persistence::Passkey& passkey) {
        list.passkeys.push_back({fingerprint, passkey.name, passkey.created_ms, passkey.used_ms});
      });
  list.readable = scanned.has_value();
  std::sort(list.passkeys.begin(), list.passkeys.end(),
            [](const PasskeyLine& a, const PasskeyLine& b) { return a.created_ms > b.created_ms; });
  return list;
}

void MembersActor::carry(AddPasskey& order, const Answerer& answer) {
  if (!challenges_.holds(order.challenge, order.account, clock_()))
    return answer({.fault = MemberFault::unfit_passkey});
  const auto made =
      verify_registration({order.client_data_json, order.authenticator_data, order.public_key_spki},
                          {order.challenge, sign_in_.passkey_origin, sign_in_.passkey_host});
  if (!made) return answer({.fault = MemberFault::unfit_passkey});
  persistence::Passkey passkey{
      made->credential_id, made->public_key_spki, made->counter, std::move(order.name), clock_(), 0};
  prove(order.account, order.password, answer,
        [this, answer, account = order.account, challenge = order.challenge,
         passkey = std::move(passkey)](const persistence::Credentials& credentials) {
          if (!challenges_.use(challenge, account, clock_()))
            return answer({.fault = MemberFault::unfit_passkey});
          put_passkey(account, passkey, credentials.email_sending, answer);
        });
}

void MembersActor::put_passkey(std::uint64_t account, const persistence::Passkey& passkey,
                               const std::string& email, const Answerer& answer) {
  Hold changing = changing_.take(std::to_string(account));
  if (!changing) return answer({.fault = MemberFault::busy, .retry_after_s = 1});
  const std::string fingerprint = fingerprint_of_secret(passkey.credential_id);
  std::size_t count = 0;
  bool known = false;
  const auto scanned = register_.passkeys(account, [&](const std::string& one, const persistence::Passkey&) {
    ++count;
    known |= one == fingerprint;
  });
  if (!scanned) return answer({.fault = MemberFault::disk});
  if (known || count >= kPasskeysMost) return answer({.fault = MemberFault::unfit_passkey});
  persistence::Writes writes{{Table::passkeys, member_key(account, fingerprint), encode(passkey)}};
  write_mail(email, words_passkey_added(passkey.name, link("/konto")), writes);
  store_and_mail(std::move(writes), {std::move(changing)}, answer);
}

void MembersActor::carry(RemovePasskey& order, const Answerer& answer) {
  Hold changing = changing_.take(std::to_string(order.account));
  if (!changing) return answer({.fault = MemberFault::busy, .retry_after_s = 1});
  store({persistence::erased(Table::passkeys, member_key(order.account, order.fingerprint))},
        {std::move(changing)}, answer);
}

/// The account is held while the counter is written, or a passkey that is removed meanwhile would come back.
void MembersActor::carry(SignInWithPasskey& order, const Answerer& answer) {
  const MemberReply wrong{.fault = MemberFault::wrong};
  if (const auto wait_s = guesses_from_.count(order.from, clock_()))
    return answer({.fault = MemberFault::too_many, .retry_after_s = wait_s});
  if (!challenges_.holds(order.challenge, 0, clock_())) return answer(wrong);
  const std::uint64_t account = account_of_handle(order.user_handle);
  const std::string fingerprint = fingerprint_of_secret(order.credential_id);
  auto stored = register_.passkey(account, fingerprint);
  const auto owner = person(account);
  if (!stored || !owner) return answer({.fault = MemberFault::disk});
  if (!*stored || !*owner) return answer(wrong);
  persistence::Passkey& passkey = **stored;
  const auto counter = verify_assertion({order.client_data_json, order.authenticator_data, order.signature},
                                        {passkey.credential_id, passkey.public_key_spki, passkey.counter},
                                        {order.challenge, sign_in_.passkey_origin, sign_in_.passkey_host});
  if (!counter) return answer(wrong);
  Hold changing = changing_.take(std::to_string(account));
  if (!changing) return answer({.fault = MemberFault::busy, .retry_after_s = 1});
  if (!challenges_.use(order.challenge, 0, clock_())) return answer(wrong);
  passkey.counter = *counter;
  passkey.used_ms = clock_();
  begin_session({account, std::move(order.browser), order.only_today ? kShortSession_ms : kLongSession_ms,
                 epochs_[account]},
                {{Table::passkeys, member_key(account, fingerprint), encode(passkey)}}, {changing}, answer);
}

}  // namespace actors
