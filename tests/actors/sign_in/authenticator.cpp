#include "tests/actors/sign_in/authenticator.hpp"

#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "actors/sign_in/secret.hpp"

namespace test {

using namespace std::string_literals;

KeyPair new_key(const char* curve) { return {EVP_EC_gen(curve), EVP_PKEY_free}; }

KeyPair new_ed25519_key() { return {EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free}; }

KeyPair new_rsa_key(unsigned bits, unsigned exponent) {
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> making(
      EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr), EVP_PKEY_CTX_free);
  const std::unique_ptr<BIGNUM, decltype(&BN_free)> e(BN_new(), BN_free);
  BN_set_word(e.get(), exponent);
  EVP_PKEY_keygen_init(making.get());
  EVP_PKEY_CTX_set_rsa_keygen_bits(making.get(), static_cast<int>(bits));
  EVP_PKEY_CTX_set1_rsa_keygen_pubexp(making.get(), e.get());
  EVP_PKEY* key = nullptr;
  EVP_PKEY_keygen(making.get(), &key);
  return {key, EVP_PKEY_free};
}

std::string spki_of(const KeyPair& key) {
  unsigned char* der = nullptr;
  const int length = i2d_PUBKEY(key.get(), &der);
  std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(length));
  OPENSSL_free(der);
  return text;
}

std::string signature_by(const KeyPair& key, const std::string& text, const EVP_MD* hash) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::size_t length = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (EVP_PKEY_is_a(key.get(), "ED25519") == 1) hash = nullptr;
  EVP_DigestSignInit(context.get(), nullptr, hash, nullptr, key.get());
  EVP_DigestSign(context.get(), nullptr, &length, bytes, text.size());
  std::string signature(length, '\0');
  EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &length, bytes,
                 text.size());
  signature.resize(length);
  return signature;
}

std::string client_data(const std::string& type, const std::string& challenge, const std::string& origin,
                        const std::string& more) {
  return R"({"type":")" + type + R"(","challenge":")" + challenge + R"(","origin":")" + origin + "\"" + more +
         "}";
}

std::string authenticator_head(unsigned flags, std::uint32_t counter, const std::string& relying_party) {
  std::string data = actors::fingerprint_of_secret(relying_party) + static_cast<char>(flags);
  for (const int shift : {24, 16, 8, 0}) data += static_cast<char>(counter >> shift & 0xff);
  return data;
}

std::string cose_of_rsa(const std::string& modulus, const std::string& exponent) {
  const std::string length = {static_cast<char>(modulus.size() >> 8),
                              static_cast<char>(modulus.size() & 0xff)};
  return "\xa4\x01\x03\x03\x39\x01\x00\x20\x59"s + length + modulus + "\x21" +
         static_cast<char>(0x40 + exponent.size()) + exponent;
}

std::string cose_of(const std::string& spki) {
  const std::string last = spki.substr(spki.size() - 32);
  if (spki.size() == 44) return "\xa4\x01\x01\x03\x27\x20\x06\x21\x58\x20" + last;
  if (spki.size() == 91)
    return "\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"s + spki.substr(27, 32) + "\x22\x58\x20" + last;
  // The modulus ends before the 5 bytes of the exponent's number; its length in bits is the key's.
  const auto* at = reinterpret_cast<const unsigned char*>(spki.data());
  const KeyPair key(d2i_PUBKEY(nullptr, &at, static_cast<long>(spki.size())), EVP_PKEY_free);
  const std::size_t length = static_cast<std::size_t>(EVP_PKEY_get_bits(key.get()) + 7) / 8;
  return cose_of_rsa(spki.substr(spki.size() - 5 - length, length), spki.substr(spki.size() - 3));
}

std::string credential(const std::string& cose, const std::string& id) {
  return std::string(16, '\0') + static_cast<char>(id.size() >> 8) + static_cast<char>(id.size() & 0xff) +
         id + cose;
}

actors::AddPasskey Authenticator::make(const actors::PasskeyChallenge& asked, std::uint64_t account,
                                       const std::string& password) {
  constexpr unsigned kPresentVerifiedWithCredential = 0x45;
  user_handle = asked.user_handle;
  const std::string spki = spki_of(key);
  return {account,
          password,
          "Telefon",
          asked.challenge,
          client_data("webauthn.create", actors::base64url(asked.challenge), origin),
          authenticator_head(kPresentVerifiedWithCredential, counter, host) + credential(cose_of(spki), id),
          spki};
}

actors::SignInWithPasskey Authenticator::use(const actors::PasskeyChallenge& asked) const {
  constexpr unsigned kPresentVerified = 0x05;
  const std::string json = client_data("webauthn.get", actors::base64url(asked.challenge), origin);
  const std::string data = authenticator_head(kPresentVerified, counter, host);
  return {asked.challenge,
          user_handle,
          id,
          json,
          data,
          signature_by(key, data + actors::fingerprint_of_secret(json)),
          "192.0.2.7",
          "Firefox",
          false};
}

}  // namespace test
