// Verifies what a browser sends when a passkey is made and when it is used (Web Authentication Level 3, 7.1
// and 7.2), with attestation "none". The keys: passkey_key.hpp.
//
// Authenticator data (6.1): 32 bytes SHA-256 of the relying party's id | 1 byte flags | 4 bytes counter |
// when made also: 16 bytes kind of authenticator | 2 bytes length | credential id | public key (COSE).
// All texts here are bytes, not base64.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace actors {

enum class PasskeyError {
  client_data_malformed,
  wrong_type,       ///< made instead of used, or the other way round
  wrong_challenge,  ///< also a replay: the caller lets a challenge be used once
  wrong_origin,
  cross_origin,  ///< in another site's frame
  authenticator_data_malformed,
  wrong_relying_party,
  user_not_present,
  user_not_verified,
  unsupported_algorithm,
  key_malformed,  ///< not fit for its algorithm, or not the key that the authenticator names
  wrong_signature,
  counter_not_risen,  ///< two devices have the key: a copy
};

/// What this ceremony must answer.
struct PasskeyExpectation {
  std::string_view challenge;         ///< the random bytes that the page was given
  std::string_view origin;            ///< as browsers write it: "https://dach.example"
  std::string_view relying_party_id;  ///< the origin's host
};

/// From AuthenticatorAttestationResponse: clientDataJSON, getAuthenticatorData(), getPublicKey().
struct PasskeyRegistration {
  std::string_view client_data_json;
  std::string_view authenticator_data;
  std::string_view public_key_spki;
};

/// From AuthenticatorAssertionResponse. The caller has found the passkey by the credential's id.
struct PasskeyAssertion {
  std::string_view client_data_json;
  std::string_view authenticator_data;
  std::string_view signature;  ///< ECDSA's in DER
};

/// What is stored.
struct Passkey {
  std::string credential_id;    ///< 1 to 1023 bytes; the caller refuses one that is stored already
  std::string public_key_spki;  ///< which also says the algorithm
  std::uint32_t counter = 0;    ///< 0 for good: most authenticators do not count
};

tl::expected<Passkey, PasskeyError> verify_registration(const PasskeyRegistration& registration,
                                                        const PasskeyExpectation& expectation);

/// The counter to store.
tl::expected<std::uint32_t, PasskeyError> verify_assertion(const PasskeyAssertion& assertion,
                                                           const Passkey& passkey,
                                                           const PasskeyExpectation& expectation);

}  // namespace actors
