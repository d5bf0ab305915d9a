// Random texts that open something: a session's id, a mail's link. Only their fingerprints are stored.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace actors {

/// 256 random bits as 43 characters of base64url.
std::string make_token();

/// A session's id: base64url of the account's number and 160 random bits, so that it says whose it is.
std::string make_session_id(std::uint64_t account);
/// The account that an id claims to belong to; nothing when the text is no id.
std::optional<std::uint64_t> account_of_session(std::string_view id);

std::string random_bytes(std::size_t count);

/// SHA-256, 32 bytes.
std::string fingerprint_of_secret(std::string_view secret);

/// Without padding, as browsers and our own links write it, and back; nothing for another text.
std::string base64url(std::string_view bytes);
std::optional<std::string> bytes_of_base64url(std::string_view text);

/// Bytes as hexadecimal digits, and back; nothing for another text.
std::string hex_of(std::string_view bytes);
std::optional<std::string> bytes_of_hex(std::string_view hex);

}  // namespace actors
