// The public keys of passkeys: read as a browser hands them over (SubjectPublicKeyInfo), written as an
// authenticator states them (COSE), used to verify. ES256 on P-256 (-7), EdDSA on Ed25519 (-8) and RS256 with
// 2048 to 4096 bits (-257); a key of another kind is none.
//
// No CBOR is read. An authenticator states its key in the one form of CTAP2's canonical CBOR (Web
// Authentication Level 3, 6.5.1.1), so the form of the browser's key is written and the bytes compared.
//
//   ES256  {1: 2, 3: -7, -1: 1, -2: x, -3: y}   77 bytes   SPKI 91 bytes
//   EdDSA  {1: 1, 3: -8, -1: 6, -2: x}          42 bytes   SPKI 44 bytes
//   RS256  {1: 3, 3: -257, -1: n, -2: e}        272 bytes and more   SPKI 294 bytes and more
#pragma once
#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

namespace actors {

using PasskeyKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

/// Whether a COSE key begins as one of these kinds.
bool is_known_cose_kind(std::string_view cose);

/// Null: no key of these kinds, in another form than DER's one, or one that verifies what nobody signed.
PasskeyKey passkey_key_of(std::string_view spki);

/// The key in COSE.
std::string cose_of(const PasskeyKey& key, std::string_view spki);

bool is_signed_by(const PasskeyKey& key, std::string_view text, std::string_view signature);

}  // namespace actors
