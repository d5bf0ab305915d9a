// Passkeys: an authenticator of our own makes right ceremonies; each test makes one field wrong.
#include "actors/sign_in/passkey.hpp"

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include <algorithm>
#include <stdexcept>

#include "actors/sign_in/secret.hpp"
#include "tests/actors/sign_in/authenticator.hpp"

namespace {

using namespace actors;
using namespace std::string_literals;
using test::cose_of;
using test::credential;
using test::KeyPair;
using test::new_ed25519_key;
using test::new_key;
using test::new_rsa_key;
using test::signature_by;
using test::spki_of;

const std::string kChallenge = "\xfb\xff\xfe 0123456789abcdef\0!"s;  // "-" and "_" in base64url
const std::string kChallengeText = "-__-IDAxMjM0NTY3ODlhYmNkZWYAIQ";
const PasskeyExpectation kExpected{kChallenge, "https://dach.example", "dach.example"};
constexpr std::size_t kCoseLength = 77;

std::string client_data(const std::string& type, const std::string& challenge = kChallengeText,
                        const std::string& origin = "https://dach.example",
                        const std::string& more = R"(,"crossOrigin":false)") {
  return test::client_data(type, challenge, origin, more);
}

std::string head(unsigned flags, std::uint32_t counter = 0,
                 const std::string& relying_party = "dach.example") {
  return test::authenticator_head(flags, counter, relying_party);
}

std::string digest_of(const std::string& text) { return fingerprint_of_secret(text); }

/// A ceremony in which a passkey is made, right unless a test changes it.
struct Making {
  KeyPair key = new_key();
  std::string spki = spki_of(key);
  std::string json = client_data("webauthn.create");
  std::string data = head(0x45) + credential(cose_of(spki));

  tl::expected<Passkey, PasskeyError> verify(const PasskeyExpectation& expectation = kExpected) const {
    return verify_registration({json, data, spki}, expectation);
  }
};

/// A ceremony in which it is used. `sign` again after a change that the authenticator itself would have made.
struct Using {
  KeyPair key = new_key();
  Passkey passkey{"credential-0123", spki_of(key), 0};
  std::string json = client_data("webauthn.get");
  std::string data = head(0x05);
  std::string signature = signature_by(key, data + digest_of(json));

  void sign() { signature = signature_by(key, data + digest_of(json)); }
  tl::expected<std::uint32_t, PasskeyError> verify(const PasskeyExpectation& expectation = kExpected) const {
    return verify_assertion({json, data, signature}, passkey, expectation);
  }
};

template <class Read>
PasskeyError refusal(const Read& read) {
  if (read) throw std::runtime_error("was accepted");
  return read.error();
}

PasskeyError refused_json(const std::string& json) {
  Using use;
  use.json = json;
  use.sign();
  return refusal(use.verify());
}

PasskeyError refused_data(const std::string& data) {
  Using use;
  use.data = data;
  use.sign();
  return refusal(use.verify());
}

TEST(PasskeyMade, IsStoredWithItsIdKeyAndCounter) {
  Making making;
  making.data = head(0x45, 7) + credential(cose_of(making.spki));
  const auto passkey = making.verify();
  ASSERT_TRUE(passkey);
  EXPECT_EQ(passkey->credential_id, "credential-0123");
  EXPECT_EQ(passkey->public_key_spki, making.spki);
  EXPECT_EQ(passkey->public_key_spki.size(), 91u);
  EXPECT_EQ(passkey->counter, 7u);
}

TEST(PasskeyMade, SignsInAfterwards) {
  Making making;
  Using use;
  use.passkey = making.verify().value();
  use.key = std::move(making.key);
  use.sign();
  EXPECT_EQ(use.verify(), 0u);
}

TEST(PasskeyMade, ClientDataOfAnotherCeremonyIsRefused) {
  Making making;
  making.json = client_data("webauthn.get");
  EXPECT_EQ(refusal(making.verify()), PasskeyError::wrong_type);
  making.json = client_data("webauthn.create", "AAAA");
  EXPECT_EQ(refusal(making.verify()), PasskeyError::wrong_challenge);
  making.json = client_data("webauthn.create", kChallengeText, "https://boese.example");
  EXPECT_EQ(refusal(making.verify()), PasskeyError::wrong_origin);
}

TEST(PasskeyMade, AnotherRelyingPartyOrAnAbsentUserIsRefused) {
  Making making;
  const std::string rest = credential(cose_of(making.spki));
  making.data = head(0x45, 0, "boese.example") + rest;
  EXPECT_EQ(refusal(making.verify()), PasskeyError::wrong_relying_party);
  making.data = head(0x44) + rest;
  EXPECT_EQ(refusal(making.verify()), PasskeyError::user_not_present);
  making.data = head(0x41) + rest;
  EXPECT_EQ(refusal(making.verify()), PasskeyError::user_not_verified);
}

TEST(PasskeyMade, WithoutACredentialIsRefused) {
  Making making;
  making.data = head(0x05) + credential(cose_of(making.spki));
  EXPECT_EQ(refusal(making.verify()), PasskeyError::authenticator_data_malformed);
  making.data = head(0x45);
  EXPECT_EQ(refusal(making.verify()), PasskeyError::authenticator_data_malformed);
}

TEST(PasskeyMade, DataCutAnywhereIsRefused) {
  Making making;
  const std::string whole = making.data;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    making.data = whole.substr(0, length);
    EXPECT_FALSE(making.verify()) << length;
  }
  making.data = whole + "x";
  EXPECT_EQ(refusal(making.verify()), PasskeyError::authenticator_data_malformed);
  making.data = whole + std::string(1'000'000, 'x');
  EXPECT_EQ(refusal(making.verify()), PasskeyError::authenticator_data_malformed);
}

TEST(PasskeyMade, ExtensionsMayFollowWhenTheFlagSaysSo) {
  Making making;
  making.data = head(0xc5) + credential(cose_of(making.spki)) + "\xa0";
  EXPECT_TRUE(making.verify());
  making.data.pop_back();
  EXPECT_EQ(refusal(making.verify()), PasskeyError::authenticator_data_malformed);
}

TEST(PasskeyMade, ACredentialIdHasBounds) {
  Making making;
  const auto with_id = [&making](std::size_t length) {
    making.data = head(0x45) + credential(cose_of(making.spki), std::string(length, '\xff'));
    return making.verify().has_value();
  };
  EXPECT_FALSE(with_id(0));
  EXPECT_TRUE(with_id(1));
  EXPECT_TRUE(with_id(1023));
  EXPECT_FALSE(with_id(1024));
  making.data = head(0x45) + std::string(16, '\0') + "\xff\xff" + cose_of(making.spki);
  EXPECT_EQ(refusal(making.verify()), PasskeyError::authenticator_data_malformed);
}

TEST(PasskeyMade, AnotherAlgorithmIsRefused) {
  Making making;
  std::string cose = cose_of(making.spki);
  cose[4] = '\x38';  // -7 becomes something else
  making.data = head(0x45) + credential(cose);
  EXPECT_EQ(refusal(making.verify()), PasskeyError::unsupported_algorithm);
  for (const std::string& kind : {"\xa4\x01\x03\x03\x38\x24"s,      // PS256
                                  "\xa4\x01\x03\x03\x39\x01\x01"s,  // RS384
                                  "\xa4\x01\x03\x03\x39\xff\xfe"s,  // RS1
                                  "\xa5\x01\x02\x03\x38\x22"s,      // ES384
                                  "\xa5\x01\x02\x03\x38\x2e"s}) {   // ES256K
    making.data = head(0x45) + credential(kind + std::string(70, 'k'));
    EXPECT_EQ(refusal(making.verify()), PasskeyError::unsupported_algorithm);
  }
}

TEST(PasskeyMade, AKeyThatTheAuthenticatorDoesNotNameIsRefused) {
  Making making;
  const std::string own = making.spki;
  making.spki = spki_of(new_key());
  EXPECT_EQ(refusal(making.verify()), PasskeyError::key_malformed);
  for (const std::string& spki :
       {""s, own.substr(0, 90), own + "x", spki_of(new_key("P-384")), spki_of(new_rsa_key()),
        spki_of(new_ed25519_key()), std::string(91, '\0')}) {
    making.spki = spki;
    EXPECT_EQ(refusal(making.verify()), PasskeyError::key_malformed);
  }
}

TEST(PasskeyMade, APointBesideTheCurveIsRefused) {
  Making making;
  making.spki.back() = static_cast<char>(making.spki.back() ^ 1);
  making.data = head(0x45) + credential(cose_of(making.spki));
  EXPECT_EQ(refusal(making.verify()), PasskeyError::key_malformed);
  std::fill(making.spki.end() - 64, making.spki.end(), '\0');
  making.data = head(0x45) + credential(cose_of(making.spki));
  EXPECT_EQ(refusal(making.verify()), PasskeyError::key_malformed);
}

TEST(PasskeyMade, AnyBitChangedInTheKeyIsRefused) {
  Making making;
  const std::string whole = making.data;
  for (std::size_t at = whole.size() - kCoseLength; at < whole.size(); ++at) {
    making.data = whole;
    making.data[at] = static_cast<char>(making.data[at] ^ 0x10);
    EXPECT_FALSE(making.verify()) << at;
  }
}

TEST(PasskeyUsed, SignsIn) { EXPECT_EQ(Using().verify(), 0u); }

TEST(PasskeyUsed, ClientDataMayHoldMoreAndInAnyOrder) {
  Using use;
  use.json = R"({"other_keys_can_be_added_here":{"x":[1]},"origin":"https://dach.example","challenge":")" +
             kChallengeText + R"(","type":"webauthn.get"})";
  use.sign();
  EXPECT_TRUE(use.verify());
}

TEST(PasskeyUsed, ClientDataOfAnotherCeremonyIsRefused) {
  EXPECT_EQ(refused_json(client_data("webauthn.create")), PasskeyError::wrong_type);
  EXPECT_EQ(refused_json(client_data("payment.get")), PasskeyError::wrong_type);
  EXPECT_EQ(refused_json(client_data("webauthn.get\\u0000")), PasskeyError::wrong_type);
}

TEST(PasskeyUsed, AnotherChallengeIsRefused) {
  for (const std::string& challenge :
       {""s, "AAAA"s, kChallengeText + "=", kChallengeText + "\\u0000", "+//+" + kChallengeText.substr(4),
        kChallengeText.substr(0, 10), kChallengeText.substr(0, kChallengeText.size() - 1) + "R"})
    EXPECT_EQ(refused_json(client_data("webauthn.get", challenge)), PasskeyError::wrong_challenge)
        << challenge;
}

TEST(PasskeyUsed, AnEmptyChallengeIsNobodys) {
  Using use;
  use.json = client_data("webauthn.get", "");
  use.sign();
  PasskeyExpectation expectation = kExpected;
  expectation.challenge = {};
  EXPECT_EQ(refusal(use.verify(expectation)), PasskeyError::wrong_challenge);
}

TEST(PasskeyUsed, AnotherOriginIsRefused) {
  for (const char* origin :
       {"https://boese.example", "http://dach.example", "https://dach.example:8443", "https://dach.example/",
        "https://a.dach.example", "", "null", "https://dach.example\\u0000", "https://Dach.example"})
    EXPECT_EQ(refused_json(client_data("webauthn.get", kChallengeText, origin)), PasskeyError::wrong_origin)
        << origin;
}

TEST(PasskeyUsed, InAnotherSitesFrameIsRefused) {
  for (const char* more : {R"(,"crossOrigin":true)", R"(,"crossOrigin":"false")", R"(,"crossOrigin":null)",
                           R"(,"crossOrigin":false,"crossOrigin":true)",
                           R"(,"crossOrigin":false,"topOrigin":"https://boese.example")"})
    EXPECT_EQ(refused_json(client_data("webauthn.get", kChallengeText, "https://dach.example", more)),
              PasskeyError::cross_origin)
        << more;
}

TEST(PasskeyUsed, MalformedClientDataIsRefused) {
  const std::string right = client_data("webauthn.get");
  std::string deep =
      right.substr(0, right.size() - 1) + ",\"x\":" + std::string(1000, '[') + std::string(1000, ']');
  for (const std::string& json :
       {""s, "{}"s, "[]"s, "null"s, right + "x", right.substr(0, right.size() - 1), "\xef\xbb\xbf" + right,
        right + "\0"s, deep + "}", client_data("webauthn.get", kChallengeText, "\xff"),
        client_data("webauthn.get", kChallengeText, "a\0b"s), client_data("webauthn.get", "a\nb"),
        R"({"type":1,"challenge":2,"origin":3})"s, std::string(1'000'000, '['),
        right.substr(0, right.size() - 1) + ",\"x\":\"" + std::string(9000, 'x') + "\"}"})
    EXPECT_EQ(refused_json(json), PasskeyError::client_data_malformed) << json.substr(0, 80);
}

TEST(PasskeyUsed, AMemberSentTwiceIsRefused) {
  for (const char* more :
       {R"(,"type":"webauthn.get")", R"(,"origin":"https://dach.example")", R"(,"challenge":"AAAA")"})
    EXPECT_EQ(refused_json(client_data("webauthn.get", kChallengeText, "https://dach.example", more)),
              PasskeyError::client_data_malformed)
        << more;
}

TEST(PasskeyUsed, WrongAuthenticatorDataIsRefused) {
  EXPECT_EQ(refused_data(head(0x05, 0, "boese.example")), PasskeyError::wrong_relying_party);
  EXPECT_EQ(refused_data(head(0x04)), PasskeyError::user_not_present);
  EXPECT_EQ(refused_data(head(0x01)), PasskeyError::user_not_verified);
  EXPECT_EQ(refused_data(""), PasskeyError::authenticator_data_malformed);
  EXPECT_EQ(refused_data(head(0x05).substr(0, 36)), PasskeyError::authenticator_data_malformed);
  EXPECT_EQ(refused_data(head(0x05) + "x"), PasskeyError::authenticator_data_malformed);
  EXPECT_EQ(refused_data(head(0x85)), PasskeyError::authenticator_data_malformed);
  EXPECT_EQ(refused_data(head(0x85) + std::string(1'000'000, 'x')),
            PasskeyError::authenticator_data_malformed);
}

TEST(PasskeyUsed, WhatChangedAfterTheSignatureIsRefused) {
  Using use;
  use.data = head(0x05, 1);
  EXPECT_EQ(refusal(use.verify()), PasskeyError::wrong_signature);
  use.data = head(0x1d);
  EXPECT_EQ(refusal(use.verify()), PasskeyError::wrong_signature);
  use.data = head(0x05);
  use.json += " ";
  EXPECT_EQ(refusal(use.verify()), PasskeyError::wrong_signature);
}

TEST(PasskeyUsed, AWrongSignatureIsRefused) {
  Using use;
  const std::string right = use.signature;
  const std::string text = use.data + digest_of(use.json);
  for (const std::string& signature :
       {""s, right.substr(0, right.size() - 1), right + "\0"s, "\x30\x06\x02\x01\x00\x02\x01\x00"s,
        "\x30\x06\x02\x01\x01\x02\x01\x01"s, std::string(64, '\1'), std::string(1'000'000, '\x30'),
        signature_by(new_key(), text), signature_by(use.key, text, EVP_sha384()),
        signature_by(use.key, use.data)}) {
    use.signature = signature;
    EXPECT_EQ(refusal(use.verify()), PasskeyError::wrong_signature) << signature.size();
  }
  for (std::size_t at = 0; at < right.size(); ++at) {
    use.signature = right;
    use.signature[at] = static_cast<char>(use.signature[at] ^ 1);
    EXPECT_FALSE(use.verify()) << at;
  }
}

TEST(PasskeyUsed, AnotherPasskeysKeyIsRefused) {
  Using use;
  use.passkey.public_key_spki = spki_of(new_key());
  EXPECT_EQ(refusal(use.verify()), PasskeyError::wrong_signature);
  use.passkey.public_key_spki = spki_of(new_key("P-384"));
  EXPECT_EQ(refusal(use.verify()), PasskeyError::key_malformed);
  use.passkey.public_key_spki.clear();
  EXPECT_EQ(refusal(use.verify()), PasskeyError::key_malformed);
}

TEST(PasskeyUsed, TheCounterRisesOrStaysZero) {
  const auto counted = [](std::uint32_t stored, std::uint32_t sent) {
    Using use;
    use.passkey.counter = stored;
    use.data = head(0x05, sent);
    use.sign();
    return use.verify();
  };
  EXPECT_EQ(counted(0, 0), 0u);
  EXPECT_EQ(counted(0, 5), 5u);
  EXPECT_EQ(counted(5, 6), 6u);
  EXPECT_EQ(counted(5, 0xffffffff), 0xffffffffu);
  for (const std::uint32_t sent : {0u, 4u, 5u})
    EXPECT_EQ(refusal(counted(5, sent)), PasskeyError::counter_not_risen) << sent;
}

TEST(PasskeyUsed, SyncedPasskeysMayBeBackedUp) {
  Using use;
  use.data = head(0x1d);
  use.sign();
  EXPECT_TRUE(use.verify());
}

TEST(PasskeyUsed, AFailureLeavesNoOpenSslErrorForTheNextTlsCall) {
  ERR_clear_error();
  Using use;
  use.signature = "x";
  EXPECT_EQ(refusal(use.verify()), PasskeyError::wrong_signature);
  Making making;
  making.spki.back() = static_cast<char>(making.spki.back() ^ 1);
  making.data = head(0x45) + credential(cose_of(making.spki));
  EXPECT_FALSE(making.verify());
  EXPECT_EQ(ERR_peek_error(), 0u);
}

}  // namespace
