#include "actors/accounts/key_text.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <memory>
#include <stdexcept>

namespace actors {
namespace {

constexpr std::string_view kPrefix = "dach_";
constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kRandomBytes = 20;
constexpr std::size_t kSignedBytes = 8 + kRandomBytes;  // what the CRC covers
constexpr std::size_t kBytes = kSignedBytes + 4;
constexpr std::size_t kLength = 43;  // digits that hold 256 bits in base 62

using Bytes = std::array<unsigned char, kBytes>;
using Number = boost::multiprecision::uint512_t;

std::uint32_t checksum_of(const Bytes& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, bytes.data(), kSignedBytes));
}

std::string base62(const Bytes& bytes) {
  Number number;
  import_bits(number, bytes.begin(), bytes.end());
  std::string digits(kLength, kDigits[0]);
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    *digit = kDigits[static_cast<std::size_t>(number % kDigits.size())];
    number /= kDigits.size();
  }
  return digits;
}

/// The value of each character as a digit; -1 when it is none.
constexpr std::array<std::int8_t, 256> digit_values() {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values) value = -1;
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::int8_t>(i);
  return values;
}

/// Converts ten digits at a time, as many as fit into 64 bits: this runs for every request.
std::optional<Bytes> bytes_of(std::string_view digits) {
  constexpr std::size_t kAtOnce = 10;
  static constexpr auto kValues = digit_values();
  Number number = 0;
  while (!digits.empty()) {
    std::uint64_t part = 0, scale = 1;
    for (const char c : digits.substr(0, kAtOnce)) {
      const std::int8_t digit = kValues[static_cast<unsigned char>(c)];
      if (digit < 0) return {};
      part = part * kDigits.size() + static_cast<std::uint64_t>(digit);
      scale *= kDigits.size();
    }
    number = number * scale + part;
    digits.remove_prefix(std::min(kAtOnce, digits.size()));
  }
  if (number >> (8 * kBytes) != 0) return {};
  Bytes bytes{};
  for (std::size_t end = kBytes; end > 0; end -= 8, number >>= 64U) {
    const auto word = static_cast<std::uint64_t>(number & ~std::uint64_t{0});
    for (std::size_t i = 0; i < 8; ++i) bytes[end - 1 - i] = static_cast<unsigned char>(word >> (8 * i));
  }
  return bytes;
}

}  // namespace

std::string make_key(std::uint64_t account) {
  Bytes bytes{};
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(account >> (8 * (7 - i)));
  if (RAND_bytes(bytes.data() + 8, kRandomBytes) != 1) throw std::runtime_error("no random numbers");
  const std::uint32_t sum = checksum_of(bytes);
  for (std::size_t i = 0; i < 4; ++i)
    bytes[kSignedBytes + i] = static_cast<unsigned char>(sum >> (8 * (3 - i)));
  return std::string(kPrefix) + base62(bytes);
}

std::optional<std::uint64_t> account_of_key(std::string_view key) {
  if (key.size() != kPrefix.size() + kLength || !key.starts_with(kPrefix)) return {};
  const auto bytes = bytes_of(key.substr(kPrefix.size()));
  if (!bytes) return {};
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum = sum << 8U | (*bytes)[kSignedBytes + i];
  if (sum != checksum_of(*bytes)) return {};
  std::uint64_t account = 0;
  for (std::size_t i = 0; i < 8; ++i) account = account << 8U | (*bytes)[i];
  return account;
}

std::string fingerprint_of(std::string_view key) {
  // Kept, because OpenSSL otherwise looks the algorithm up by name at every call, which takes longer than the
  // hash.
  static const std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> sha256(
      EVP_MD_fetch(nullptr, "SHA256", nullptr), EVP_MD_free);
  thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                                     EVP_MD_CTX_free);
  std::string fingerprint(SHA256_DIGEST_LENGTH, '\0');
  if (EVP_DigestInit_ex2(context.get(), sha256.get(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), key.data(), key.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char*>(fingerprint.data()), nullptr) != 1)
    throw std::runtime_error("no SHA-256");
  return fingerprint;
}

std::string key_id(std::string_view fingerprint) {
  constexpr std::size_t kBytes = 6;
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string id;
  for (const char byte : fingerprint.substr(0, kBytes)) {
    id += kHex[static_cast<unsigned char>(byte) >> 4U];
    id += kHex[static_cast<unsigned char>(byte) & 15U];
  }
  return id;
}

bool same_fingerprint(const std::string& a, const std::string& b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace actors
