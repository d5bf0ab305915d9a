#include "actors/sign_in/member_register.hpp"

#include "actors/accounts/email.hpp"
#include "persistence/keys.hpp"

namespace actors {

using persistence::number_key;
using persistence::Stored;
using persistence::Table;

std::string member_key(std::uint64_t account, const std::string& fingerprint) {
  return number_key(account) + fingerprint;
}

template <class Record>
Stored<std::optional<Record>> MemberRegister::read(
    Table table, const std::string& key, std::optional<Record> (*decode)(const std::string& bytes)) const {
  const auto bytes = store_.get(table, key);
  if (!bytes) return tl::make_unexpected(bytes.error());
  if (!*bytes) return std::optional<Record>{};
  auto record = decode(**bytes);
  if (!record) return tl::make_unexpected(persistence::StoreFault::unreadable);
  return record;
}

Stored<std::optional<std::uint64_t>> MemberRegister::account_of(const std::string& email_key) const {
  const auto bytes = store_.get(Table::emails, email_key);
  if (!bytes) return tl::make_unexpected(bytes.error());
  if (!*bytes) return std::optional<std::uint64_t>{};
  return std::optional(persistence::number_at(**bytes, 0));
}

Stored<std::optional<persistence::Account>> MemberRegister::account(std::uint64_t account) const {
  return read(Table::accounts, number_key(account), persistence::decode_account);
}

Stored<std::optional<persistence::Credentials>> MemberRegister::credentials(std::uint64_t account) const {
  return read(Table::credentials, number_key(account), persistence::decode_credentials);
}

Stored<std::optional<persistence::Session>> MemberRegister::session(std::uint64_t account,
                                                                    const std::string& fingerprint) const {
  return read(Table::sessions, member_key(account, fingerprint), persistence::decode_session);
}

Stored<std::optional<persistence::Passkey>> MemberRegister::passkey(std::uint64_t account,
                                                                    const std::string& fingerprint) const {
  return read(Table::passkeys, member_key(account, fingerprint), persistence::decode_passkey);
}

Stored<std::optional<persistence::MailToken>> MemberRegister::token(const std::string& fingerprint,
                                                                    persistence::TokenPurpose purpose,
                                                                    std::int64_t now_ms) const {
  auto token = read(Table::tokens, fingerprint, persistence::decode_mail_token);
  if (!token || !*token) return token;
  const auto owner = credentials((*token)->account);
  if (!owner) return tl::make_unexpected(owner.error());
  const std::int64_t set_ms = *owner ? (*owner)->password_set_ms : 0;
  if ((*token)->purpose != purpose || (*token)->expires_ms <= now_ms || (*token)->password_set_ms != set_ms)
    token->reset();
  return token;
}

Stored<void> MemberRegister::sessions(
    std::uint64_t account,
    const std::function<void(const std::string&, const persistence::Session&)>& visit) const {
  const std::string prefix = number_key(account);
  return store_.scan(Table::sessions, prefix, persistence::Store::Order::ascending, {},
                     [&](std::string_view key, std::string_view value) {
                       // A damaged session opens nothing, but can be ended.
                       visit(
                           std::string(key.substr(prefix.size())),
                           persistence::decode_session(std::string(value)).value_or(persistence::Session{}));
                       return true;
                     });
}

Stored<void> MemberRegister::passkeys(
    std::uint64_t account,
    const std::function<void(const std::string&, const persistence::Passkey&)>& visit) const {
  const std::string prefix = number_key(account);
  return store_.scan(Table::passkeys, prefix, persistence::Store::Order::ascending, {},
                     [&](std::string_view key, std::string_view value) {
                       visit(
                           std::string(key.substr(prefix.size())),
                           persistence::decode_passkey(std::string(value)).value_or(persistence::Passkey{}));
                       return true;
                     });
}

Stored<persistence::Writes> missing_emails(const persistence::Store& store) {
  persistence::Writes writes;
  const auto scanned = store.scan(Table::accounts, {}, persistence::Store::Order::ascending, {},
                                  [&](std::string_view, std::string_view value) {
                                    const auto account = persistence::decode_account(std::string(value));
                                    if (!account || account->closed_ms != 0) return true;
                                    const auto email = normal_email(account->email);
                                    if (!email) return true;
                                    if (const auto known = store.get(Table::emails, *email); known && !*known)
                                      writes.push_back({Table::emails, *email, number_key(account->id)});
                                    return true;
                                  });
  if (!scanned) return tl::make_unexpected(scanned.error());
  return writes;
}

}  // namespace actors
