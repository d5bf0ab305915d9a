#include "actors/key_text.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <boost/multiprecision/cpp_int.hpp>
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
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), kSignedBytes);
  return crc.checksum();
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

std::optional<Bytes> bytes_of(std::string_view digits) {
  Number number = 0;
  for (const char c : digits) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return {};
    number = number * kDigits.size() + digit;
  }
  if (number >> (8 * kBytes) != 0) return {};
  std::vector<unsigned char> exported;
  export_bits(number, std::back_inserter(exported), 8);
  Bytes bytes{};
  std::copy(exported.rbegin(), exported.rend(), bytes.rbegin());
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
  std::string fingerprint(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(),
         reinterpret_cast<unsigned char*>(fingerprint.data()));
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
