#include "actors/sign_in/passkey_key.hpp"

#include <openssl/core_names.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <sodium.h>

#include <array>
#include <initializer_list>

namespace actors {
namespace {

using namespace std::string_view_literals;
using BigNumber = std::unique_ptr<BIGNUM, decltype(&BN_free)>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

// A COSE key's first two members: its type and its algorithm.
constexpr auto kEs256Kind = "\xa5\x01\x02\x03\x26"sv;
constexpr auto kEdDsaKind = "\xa4\x01\x01\x03\x27"sv;
constexpr auto kRs256Kind = "\xa4\x01\x03\x03\x39\x01\x00"sv;
constexpr auto kTextOf32Bytes = "\x58\x20"sv;

// SubjectPublicKeyInfo of a P-256 key (RFC 5480) up to the uncompressed point's x and y, and of an Ed25519
// key (RFC 8410).
constexpr auto kP256Head =
    "\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"
    "\x03\x42\x00\x04"sv;
constexpr auto kEd25519Head = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"sv;
constexpr std::size_t kCoordinateBytes = 32;
constexpr std::size_t kSpkiMax = 550;  // of an RSA key of 4096 bits

constexpr int kRsaBitsLeast = 2048;
constexpr int kRsaBitsMost = 4096;

const unsigned char* key_bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

bool is_p256(std::string_view spki) {
  return spki.starts_with(kP256Head) && spki.size() == kP256Head.size() + 2 * kCoordinateBytes;
}

/// OpenSSL takes any 32 bytes. A point of small order verifies texts that nobody signed.
bool is_ed25519(std::string_view spki) {
  return spki.starts_with(kEd25519Head) && spki.size() == kEd25519Head.size() + kCoordinateBytes &&
         crypto_core_ed25519_is_valid_point(key_bytes(spki.substr(kEd25519Head.size()))) == 1;
}

BigNumber number_of(const PasskeyKey& key, const char* name) {
  BIGNUM* number = nullptr;
  EVP_PKEY_get_bn_param(key.get(), name, &number);
  return {number, BN_free};
}

std::string der_of(const PasskeyKey& key) {
  unsigned char* der = nullptr;
  const int length = i2d_PUBKEY(key.get(), &der);
  std::string text;
  if (length > 0) text.assign(reinterpret_cast<const char*>(der), static_cast<std::size_t>(length));
  OPENSSL_free(der);
  return text;
}

/// The exponent is the one that every authenticator takes: with a small one, forged signatures are easier,
/// with a huge one, verifying is slow.
bool is_rs256(const PasskeyKey& key, std::string_view spki) {
  if (EVP_PKEY_is_a(key.get(), "RSA") != 1) return false;
  const int bits = EVP_PKEY_get_bits(key.get());
  if (bits < kRsaBitsLeast || bits > kRsaBitsMost) return false;
  const BigNumber exponent = number_of(key, OSSL_PKEY_PARAM_RSA_E);
  return exponent && BN_is_word(exponent.get(), RSA_F4) == 1 && der_of(key) == spki;
}

std::string bytes_of_modulus(const PasskeyKey& key) {
  const BigNumber modulus = number_of(key, OSSL_PKEY_PARAM_RSA_N);
  if (!modulus) return {};
  std::string bytes(static_cast<std::size_t>(BN_num_bytes(modulus.get())), '\0');
  BN_bn2bin(modulus.get(), reinterpret_cast<unsigned char*>(bytes.data()));
  return bytes;
}

std::string text_of(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

}  // namespace

bool is_known_cose_kind(std::string_view cose) {
  return cose.starts_with(kEs256Kind) || cose.starts_with(kEdDsaKind) || cose.starts_with(kRs256Kind);
}

PasskeyKey passkey_key_of(std::string_view spki) {
  PasskeyKey none(nullptr, EVP_PKEY_free);
  if (spki.size() > kSpkiMax) return none;
  const unsigned char* at = key_bytes(spki);
  // It also checks that a point of P-256 is on the curve.
  PasskeyKey key(d2i_PUBKEY(nullptr, &at, static_cast<long>(spki.size())), EVP_PKEY_free);
  return key && (is_p256(spki) || is_ed25519(spki) || is_rs256(key, spki)) ? std::move(key) : std::move(none);
}

std::string cose_of(const PasskeyKey& key, std::string_view spki) {
  const std::string_view last = spki.substr(spki.size() - kCoordinateBytes);
  if (is_p256(spki))
    return text_of({kEs256Kind, "\x20\x01\x21"sv, kTextOf32Bytes,
                    spki.substr(kP256Head.size(), kCoordinateBytes), "\x22"sv, kTextOf32Bytes, last});
  if (is_ed25519(spki)) return text_of({kEdDsaKind, "\x20\x06\x21"sv, kTextOf32Bytes, last});
  const std::string modulus = bytes_of_modulus(key);
  const std::array<char, 2> length{static_cast<char>(modulus.size() >> 8U),
                                   static_cast<char>(modulus.size() & 0xffU)};
  return text_of(
      {kRs256Kind, "\x20\x59"sv, {length.data(), length.size()}, modulus, "\x21\x43\x01\x00\x01"sv});
}

bool is_signed_by(const PasskeyKey& key, std::string_view text, std::string_view signature) {
  const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  // Ed25519 has its hash in it. RSA's padding is PKCS #1's by itself.
  const EVP_MD* hash = EVP_PKEY_is_a(key.get(), "ED25519") == 1 ? nullptr : EVP_sha256();
  return context && signature.size() <= static_cast<std::size_t>(EVP_PKEY_get_size(key.get())) &&
         EVP_DigestVerifyInit(context.get(), nullptr, hash, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), key_bytes(signature), signature.size(), key_bytes(text),
                          text.size()) == 1;
}

}  // namespace actors
