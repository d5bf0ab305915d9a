// What is stored of people, read from the store. Nothing here writes.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "persistence/records.hpp"
#include "persistence/store.hpp"

namespace actors {

class MemberRegister {
 public:
  explicit MemberRegister(const persistence::Store& store) : store_(store) {}

  /// The account with this e-mail address (EmailAddress::key).
  persistence::Stored<std::optional<std::uint64_t>> account_of(const std::string& email_key) const;
  persistence::Stored<std::optional<persistence::Account>> account(std::uint64_t account) const;
  /// None: an operator made the account and nobody has set a password yet.
  persistence::Stored<std::optional<persistence::Credentials>> credentials(std::uint64_t account) const;
  persistence::Stored<std::optional<persistence::Session>> session(std::uint64_t account,
                                                                   const std::string& fingerprint) const;
  persistence::Stored<std::optional<persistence::Passkey>> passkey(std::uint64_t account,
                                                                   const std::string& fingerprint) const;
  /// The token of a mail's link, if it has that purpose, has not expired, and the account still has the
  /// password of when the mail was written: whoever sets a new password ends what was asked for before.
  persistence::Stored<std::optional<persistence::MailToken>> token(const std::string& fingerprint,
                                                                   persistence::TokenPurpose purpose,
                                                                   std::int64_t now_ms) const;

  /// Calls `visit` with the fingerprint of each of the account's sessions.
  persistence::Stored<void> sessions(
      std::uint64_t account,
      const std::function<void(const std::string&, const persistence::Session&)>& visit) const;
  /// The same of its passkeys. A damaged one has no name and no key.
  persistence::Stored<void> passkeys(
      std::uint64_t account,
      const std::function<void(const std::string&, const persistence::Passkey&)>& visit) const;

 private:
  template <class Record>
  persistence::Stored<std::optional<Record>> read(
      persistence::Table table, const std::string& key,
      std::optional<Record> (*decode)(const std::string& bytes)) const;

  const persistence::Store& store_;
};

/// The key of a session or a passkey in its table.
std::string member_key(std::uint64_t account, const std::string& fingerprint);

/// Writes that add to `emails` the accounts of older programs, which had no such table. Of several with one
/// address the newest gets it.
persistence::Stored<persistence::Writes> missing_emails(const persistence::Store& store);

}  // namespace actors
