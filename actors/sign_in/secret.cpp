#include "actors/sign_in/secret.hpp"

#include <sodium.h>

#include "persistence/keys.hpp"

namespace actors {
namespace {

constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kSessionBytes = 28;  // 8 of them the account's number
constexpr int kBase64url = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

}  // namespace

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

std::string base64url(std::string_view bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), kBase64url), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kBase64url);
  text.pop_back();  // the final zero
  return text;
}

std::optional<std::string> bytes_of_base64url(std::string_view text) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                        text.size(), nullptr, &size, nullptr, kBase64url) != 0)
    return {};
  bytes.resize(size);
  return bytes;
}

std::string make_token() { return base64url(random_bytes(kTokenBytes)); }

std::string make_session_id(std::uint64_t account) {
  const std::string owner = persistence::number_key(account);
  return base64url(owner + random_bytes(kSessionBytes - owner.size()));
}

std::optional<std::uint64_t> account_of_session(std::string_view id) {
  const auto bytes = bytes_of_base64url(id);
  if (!bytes || bytes->size() != kSessionBytes) return {};
  return persistence::number_at(*bytes, 0);
}

std::string fingerprint_of_secret(std::string_view secret) {
  std::string digest(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(digest.data()),
                     reinterpret_cast<const unsigned char*>(secret.data()), secret.size());
  return digest;
}

std::string hex_of(std::string_view bytes) {
  std::string hex(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  hex.pop_back();
  return hex;
}

std::optional<std::string> bytes_of_hex(std::string_view hex) {
  std::string bytes(hex.size() / 2, '\0');
  std::size_t size = 0;
  if (hex.empty() ||
      sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), hex.data(), hex.size(),
                     nullptr, &size, nullptr) != 0 ||
      size * 2 != hex.size())
    return {};
  return bytes;
}

}  // namespace actors
