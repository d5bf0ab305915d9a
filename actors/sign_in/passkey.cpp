#include "actors/sign_in/passkey.hpp"

#include <openssl/err.h>
#include <openssl/sha.h>
#include <simdjson.h>

#include <optional>

#include "actors/sign_in/passkey_key.hpp"
#include "actors/sign_in/secret.hpp"

namespace actors {
namespace {

using MaybeFault = std::optional<PasskeyError>;

constexpr std::size_t kClientDataMax = 8192;
constexpr std::size_t kClientDataDepthMax = 16;
constexpr std::size_t kAuthenticatorDataMax = 4096;
constexpr std::size_t kHeadBytes = 37;
constexpr std::size_t kCredentialHeadBytes = 18;
constexpr std::size_t kCredentialIdMax = 1023;

constexpr unsigned kUserPresent = 0x01;
constexpr unsigned kUserVerified = 0x04;
constexpr unsigned kHasCredential = 0x40;
constexpr unsigned kHasExtensions = 0x80;

/// Drops what OpenSSL notes of a failure: it would stay for this thread's next TLS call to find.
class QuietErrors {
 public:
  QuietErrors() { ERR_set_mark(); }
  ~QuietErrors() { ERR_pop_to_mark(); }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;
};

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
  if (!is_known_cose_kind(data)) return tl::make_unexpected(PasskeyError::unsupported_algorithm);
  const PasskeyKey key = passkey_key_of(spki);
  if (!key) return tl::make_unexpected(PasskeyError::key_malformed);
  const std::string cose = cose_of(key, spki);
  if (!data.starts_with(cose)) return tl::make_unexpected(PasskeyError::key_malformed);
  if (extended != (data.size() > cose.size())) return tl::make_unexpected(kMalformed);
  passkey.public_key_spki = spki;
  return passkey;
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
  const PasskeyKey key = passkey_key_of(passkey.public_key_spki);
  if (!key) return tl::make_unexpected(PasskeyError::key_malformed);
  if (!is_signed_by(key, std::string(data) + fingerprint_of_secret(assertion.client_data_json),
                    assertion.signature))
    return tl::make_unexpected(PasskeyError::wrong_signature);
  // Only behind the signature is the counter the authenticator's word.
  const std::uint32_t counter = counter_of(data);
  if ((counter != 0 || passkey.counter != 0) && counter <= passkey.counter)
    return tl::make_unexpected(PasskeyError::counter_not_risen);
  return counter;
}

}  // namespace actors
