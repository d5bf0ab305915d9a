// An authenticator and a browser in one, for tests: makes what they would send when a passkey is made and
// used.
#pragma once
#include <openssl/evp.h>

#include <cstdint>
#include <memory>
#include <string>

#include "actors/sign_in/values.hpp"

namespace test {

using KeyPair = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

KeyPair new_key(const char* curve = "P-256");
KeyPair new_ed25519_key();
KeyPair new_rsa_key(unsigned bits = 2048, unsigned exponent = 65537);
std::string spki_of(const KeyPair& key);
/// Ed25519 takes no hash of the caller's.
std::string signature_by(const KeyPair& key, const std::string& text, const EVP_MD* hash = EVP_sha256());

/// clientDataJSON; `challenge` is base64url, `more` are further members.
std::string client_data(const std::string& type, const std::string& challenge, const std::string& origin,
                        const std::string& more = {});
/// What authenticator data begins with.
std::string authenticator_head(unsigned flags, std::uint32_t counter, const std::string& relying_party);
/// What follows when a passkey was made.
std::string credential(const std::string& cose, const std::string& id = "credential-0123");
/// Of a P-256, an Ed25519 or an RSA key.
std::string cose_of(const std::string& spki);
/// Of an RSA key, whose numbers are given as bytes.
std::string cose_of_rsa(const std::string& modulus, const std::string& exponent);

/// A device with one passkey.
struct Authenticator {
  std::string id = "credential-0123", origin = "https://web.example", host = "web.example";
  KeyPair key = new_key();
  std::uint32_t counter = 0;
  std::string user_handle;  ///< of the passkey

  actors::AddPasskey make(const actors::PasskeyChallenge& asked, std::uint64_t account,
                          const std::string& password);
  actors::SignInWithPasskey use(const actors::PasskeyChallenge& asked) const;
};

}  // namespace test
