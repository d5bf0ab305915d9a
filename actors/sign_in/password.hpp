// Passwords: which ones may be chosen, and their hashes. A password is text, not bytes: it is hashed in the
// form of RFC 8265, 4.2 (NFC, every kind of space is a space), so that the same password typed on two systems
// is the same.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "actors/sign_in/argon2id.hpp"

namespace actors {

constexpr std::size_t kPasswordLengthMin_characters = 12;
constexpr std::size_t kPasswordSizeMax_bytes = 1'000;  // of the form that is hashed

enum class PasswordFault {
  too_short,
  too_long,
  forbidden_character,  ///< a control character, one that Unicode does not know, or no UTF-8
  common,               ///< among the first that are guessed
  is_email,             ///< the account's e-mail address or the part before the @
  simple_pattern,       ///< a few characters again and again, or a row of the alphabet, digits or keyboard
};

/// Why `password` cannot be a new password of the account with this e-mail address; nothing when it can.
/// Capitals and signs at the end make no difference to the last three faults.
std::optional<PasswordFault> password_fault(std::string_view password, std::string_view email);

/// Hashes as text in the form of the reference implementation, `$argon2id$v=19$m=...,t=...,p=1$SALT$HASH`.
/// Thread-safe. Each call but `needs_new_hash` blocks its thread for the cost of one hash, and leaves the
/// memory with the thread for the next one (argon2id.hpp).
class PasswordHasher {
 public:
  /// Throws std::runtime_error when no hash can be made at this cost.
  explicit PasswordHasher(PasswordCost cost = {});

  /// ASCII of at most 127 bytes with algorithm, cost and salt; another one each time. Nothing when the memory
  /// is not to be had, or for what `password_fault` calls too long or of forbidden characters.
  std::optional<std::string> hash(std::string_view password) const;

  /// Whether `hash` was made of this password. A wrong one costs as much as the right one, a text that can be
  /// no password and a damaged hash as much as `matches_nobody`. Without memory no password matches.
  bool matches(std::string_view password, const std::string& hash) const;

  /// For a sign-in to an account that does not exist: takes the time that `matches` takes for a hash of this
  /// cost, so that time does not tell who has an account. It does not match.
  void matches_nobody(std::string_view password) const;

  /// Whether `hash` was made at another cost or is damaged: hash the password anew at the next sign-in.
  bool needs_new_hash(const std::string& hash) const;

 private:
  struct Parts {
    Salt salt;
    HashBytes hash;
  };
  /// Nothing when the hash is damaged or was made at another cost.
  std::optional<Parts> parts_of(const std::string& hash) const;
  bool matches(std::span<const char> hashed_form, const Parts& parts) const;

  PasswordCost cost_;
  std::string prefix_;  ///< of every hash at this cost
  Parts nobody_;
};

/// Overwrites the text and empties it: for whoever holds a password that is no longer needed.
void wipe(std::string& text);

}  // namespace actors
