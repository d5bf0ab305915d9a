// An API key's text: "dach_" and the base62 digits, always 43, of 8 bytes account id, 20 random bytes and a
// CRC-32 of both. The account is known and a mistyped key is refused without a look-up. Only a SHA-256
// fingerprint of the text is ever stored (160 random bits need no slow hash).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace actors {

/// A new key of an account; its random bits come from OpenSSL's generator.
std::string make_key(std::uint64_t account);

/// The account that a key claims to belong to; nothing when the text is no key.
std::optional<std::uint64_t> account_of_key(std::string_view key);

/// A key as a client sent it. Its text is read once, where the request comes in.
struct SentKey {
  std::string text;           ///< empty: none was sent
  std::uint64_t account = 0;  ///< the account that it claims to belong to; 0: the text is no key

  SentKey() = default;
  SentKey(std::string sent) : text(std::move(sent)), account(account_of_key(text).value_or(0)) {}
};

/// SHA-256 of the key's text, 32 bytes.
std::string fingerprint_of(std::string_view key);

/// How operators name a key: twelve hexadecimal digits of its fingerprint.
std::string key_id(std::string_view fingerprint);

/// Takes the same time wherever the first difference is.
bool same_fingerprint(const std::string& a, const std::string& b);

}  // namespace actors
