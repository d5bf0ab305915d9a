#include "actors/sign_in/passkey.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <simdjson.h>

#include <memory>
#include <optional>

#include "actors/sign_in/secret.hpp"

namespace actors {
namespace {

using namespace std::string_view_literals;
using PublicKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using MaybeFault = std::optional<PasskeyError>;

constexpr std::size_t kClientDataMax = 8192;
constexpr std::size_t kClientDataDepthMax = 16;
constexpr std::size_t kAuthenticatorDataMax = 4096;
constexpr std::size_t kHeadBytes = 37;
constexpr std::size_t kCredentialHeadBytes = 18;
constexpr std::size_t kCredentialIdMax = 1023;
constexpr std::size_t kCoordinateBytes = 32;
constexpr std::size_t kSignatureMax = 72;

constexpr unsigned kUserPresent = 0x01;
constexpr unsigned kUserVerified = 0x04;
constexpr unsigned kHasCredential = 0x40;
constexpr unsigned kHasExtensions = 0x80;

// An authenticator writes the key in the one form of CTAP2's canonical CBOR, so that its 77 bytes can be
// compared without a CBOR reader: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}.
constexpr auto kCoseHead = "\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20"sv;
constexpr auto kCoseBetween = "\x22\x58\x20"sv;
constexpr std::size_t kCoseBytes = 77;
// SubjectPublicKeyInfo of a P-256 key (RFC 5480) up to the uncompressed point's x and y.
constexpr auto kSpkiHead =
    "\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"
    "\x03\x42\x00\x04"sv;

/// Drops what OpenSSL notes of a failure: it would stay for this thread's next TLS call to find.
class QuietErrors {
 public:
  QuietErrors() { ERR_set_mark(); }
  ~QuietErrors() { ERR_pop_to_mark(); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
};

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes) value = value << 8U | static_cast<unsigned char>(c);
  return value;
}

/// A member of the object; none when it is missing or there twice: simdjson reads the first, a browser the
/// last.
std::optional<simdjson::dom::element> only_member(simdjson::dom::object object, std::string_view name) {
  std::optional<simdjson::dom::element> found;
  for (const auto member : object) {
    if (member.key != name) continue;
    if (found) return {};
    found = member.value;
  }
  return found;
}

std::optional<std::string_view> text_member(simdjson::dom::object object, std::string_view name) {
  const auto member = only_member(object, name);
  std::string_view text;
  if (!member || member->get(text) != simdjson::SUCCESS) return {};
  return text;
}

bool has_member(simdjson::dom::object object, std::string_view name) {
  for (const auto member : object)
    if (member.key == name) return true;
  return false;
}

/// Whether the page was in another site's frame. A browser says false, or nothing.
bool framed(simdjson::dom::object client_data) {
  if (has_member(client_data, "topOrigin")) return true;
  if (!has_member(client_data, "crossOrigin")) return false;
  const auto member = only_member(client_data, "crossOrigin");
  bool cross = true;
  return !member || member->get(cross) != simdjson::SUCCESS || cross;
}

/// 7.1, steps 5 to 11; 7.2, steps 8 to 14.
MaybeFault fault_in_client_data(std::string_view json, std::string_view type,
                                const PasskeyExpectation& expectation) {
  if (json.size() > kClientDataMax) return PasskeyError::client_data_malformed;
  simdjson::dom::parser parser;
  simdjson::dom::object client_data;
  if (parser.allocate(kClientDataMax, kClientDataDepthMax) != simdjson::SUCCESS ||
      parser.parse(json.data(), json.size()).get(client_data) != simdjson::SUCCESS)
    return PasskeyError::client_data_malformed;
  const auto stated_type = text_member(client_data, "type");
  const auto challenge = text_member(client_data, "challenge");
  const auto origin = text_member(client_data, "origin");
  if (!stated_type || !challenge || !origin) return PasskeyError::client_data_malformed;
  if (*stated_type != type) return PasskeyError::wrong_type;
  // An empty challenge would be everybody's.
  if (expectation.challenge.empty() || *challenge != base64url(expectation.challenge))
    return PasskeyError::wrong_challenge;
  if (*origin != expectation.origin) return PasskeyError::wrong_origin;
  if (framed(client_data)) return PasskeyError::cross_origin;
  return {};
}

unsigned flags_of(std::string_view authenticator_data) {
  return static_cast<unsigned char>(authenticator_data[SHA256_DIGEST_LENGTH]);
}

/// 7.1, steps 13 to 16; 7.2, steps 15 to 18: the part that both ceremonies have.
MaybeFault fault_in_head(std::string_view data, const PasskeyExpectation& expectation) {
  if (data.size() < kHeadBytes || data.size() > kAuthenticatorDataMax)
    return PasskeyError::authenticator_data_malformed;
  if (data.substr(0, SHA256_DIGEST_LENGTH) != fingerprint_of_secret(expectation.relying_party_id))
    return PasskeyError::wrong_relying_party;
  if ((flags_of(data) & kUserPresent) == 0) return PasskeyError::user_not_present;
  if ((flags_of(data) & kUserVerified) == 0) return PasskeyError::user_not_verified;
  return {};
}

std::uint32_t counter_of(std::string_view authenticator_data) {
  return big_endian(authenticator_data.substr(SHA256_DIGEST_LENGTH + 1, 4));
}

/// The key as OpenSSL has it, which checks that the point is on the curve; null when it is not P-256.
PublicKey key_of(std::string_view spki) {
  PublicKey none(nullptr, EVP_PKEY_free);
  if (!spki.starts_with(kSpkiHead) || spki.size() != kSpkiHead.size() + 2 * kCoordinateBytes) return none;
  const unsigned char* at = bytes_of(spki);
  return {d2i_PUBKEY(nullptr, &at, static_cast<long>(spki.size())), EVP_PKEY_free};
}

/// Credential id and key, from the part of authenticator data behind its head. The browser's SPKI must hold
/// the same key: else what is stored is not what the authenticator made.
tl::expected<Passkey, PasskeyError> read_credential(std::string_view data, std::string_view spki) {
  constexpr auto kMalformed = PasskeyError::authenticator_data_malformed;
  const bool extended = (flags_of(data) & kHasExtensions) != 0;
  if ((flags_of(data) & kHasCredential) == 0 || data.size() < kHeadBytes + kCredentialHeadBytes)
    return tl::make_unexpected(kMalformed);
  Passkey passkey{.credential_id = {}, .public_key_spki = {}, .counter = counter_of(data)};
  const std::size_t length = big_endian(data.substr(kHeadBytes + kCredentialHeadBytes - 2, 2));
  data.remove_prefix(kHeadBytes + kCredentialHeadBytes);
  if (length == 0 || length > kCredentialIdMax || length > data.size())
    return tl::make_unexpected(kMalformed);
  passkey.credential_id = data.substr(0, length);
  data.remove_prefix(length);
  if (!data.starts_with(kCoseHead)) return tl::make_unexpected(PasskeyError::unsupported_algorithm);
  if (data.size() < kCoseBytes || extended != (data.size() > kCoseBytes))
    return tl::make_unexpected(kMalformed);
  const std::string_view x = data.substr(kCoseHead.size(), kCoordinateBytes);
  const std::string_view between = data.substr(kCoseHead.size() + kCoordinateBytes, kCoseBetween.size());
  if (between != kCoseBetween) return tl::make_unexpected(kMalformed);
  passkey.public_key_spki = kSpkiHead;
  passkey.public_key_spki.append(x).append(data.substr(kCoseBytes - kCoordinateBytes, kCoordinateBytes));
  if (passkey.public_key_spki != spki || !key_of(spki))
    return tl::make_unexpected(PasskeyError::key_malformed);
  return passkey;
}

bool signed_by(const PublicKey& key, std::string_view text, std::string_view signature) {
  const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return context && signature.size() <= kSignatureMax &&
         EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(text),
                          text.size()) == 1;
}

}  // namespace

tl::expected<Passkey, PasskeyError> verify_registration(const PasskeyRegistration& registration,
                                                        const PasskeyExpectation& expectation) {
  const QuietErrors quiet;
  if (const auto fault = fault_in_client_data(registration.client_data_json, "webauthn.create", expectation))
    return tl::make_unexpected(*fault);
  if (const auto fault = fault_in_head(registration.authenticator_data, expectation))
    return tl::make_unexpected(*fault);
  return read_credential(registration.authenticator_data, registration.public_key_spki);
}

tl::expected<std::uint32_t, PasskeyError> verify_assertion(const PasskeyAssertion& assertion,
                                                           const Passkey& passkey,
                                                           const PasskeyExpectation& expectation) {
  const QuietErrors quiet;
  if (const auto fault = fault_in_client_data(assertion.client_data_json, "webauthn.get", expectation))
    return tl::make_unexpected(*fault);
  const std::string_view data = assertion.authenticator_data;
  if (const auto fault = fault_in_head(data, expectation)) return tl::make_unexpected(*fault);
  const bool more = (flags_of(data) & (kHasCredential | kHasExtensions)) != 0;
  if (more != (data.size() > kHeadBytes))
    return tl::make_unexpected(PasskeyError::authenticator_data_malformed);
  const PublicKey key = key_of(passkey.public_key_spki);
  if (!key) return tl::make_unexpected(PasskeyError::key_malformed);
  if (!signed_by(key, std::string(data) + fingerprint_of_secret(assertion.client_data_json),
                 assertion.signature))
    return tl::make_unexpected(PasskeyError::wrong_signature);
  // Only behind the signature is the counter the authenticator's word.
  const std::uint32_t counter = counter_of(data);
  if ((counter != 0 || passkey.counter != 0) && counter <= passkey.counter)
    return tl::make_unexpected(PasskeyError::counter_not_risen);
  return counter;
}

}  // namespace actors
