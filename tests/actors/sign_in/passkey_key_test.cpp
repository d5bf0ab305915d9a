// The keys of passkeys: each kind is made, signs in and is refused when anything of it is another way.
#include "actors/sign_in/passkey_key.hpp"

#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include <vector>

#include "actors/sign_in/passkey.hpp"
#include "actors/sign_in/secret.hpp"
#include "tests/actors/sign_in/authenticator.hpp"

namespace {

using namespace actors;
using namespace std::string_literals;

const std::string kQuestion = "0123456789abcdef";
const PasskeyExpectation kKeyExpected{kQuestion, "https://dach.example", "dach.example"};

std::string answer_of(const char* type) {
  return test::client_data(type, base64url(kQuestion), "https://dach.example");
}

/// What is stored of a key that an authenticator states as `cose` and a browser as `spki`.
tl::expected<Passkey, PasskeyError> made_of(const std::string& spki, const std::string& cose) {
  const std::string json = answer_of("webauthn.create");
  return verify_registration(
      {json, test::authenticator_head(0x45, 0, "dach.example") + test::credential(cose), spki}, kKeyExpected);
}

tl::expected<Passkey, PasskeyError> made_of(const std::string& spki) {
  return made_of(spki, test::cose_of(spki));
}

std::string signed_text() {
  return test::authenticator_head(0x05, 0, "dach.example") + fingerprint_of_secret(answer_of("webauthn.get"));
}

bool signs_in(const Passkey& passkey, const std::string& signature) {
  return verify_assertion(
             {answer_of("webauthn.get"), test::authenticator_head(0x05, 0, "dach.example"), signature},
             passkey, kKeyExpected)
      .has_value();
}

/// The wrong form of a key, or of one that fits no algorithm.
void expect_malformed(const tl::expected<Passkey, PasskeyError>& made) {
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(), PasskeyError::key_malformed);
}

std::vector<test::KeyPair> one_of_each_kind() {
  std::vector<test::KeyPair> keys;
  keys.push_back(test::new_key());
  keys.push_back(test::new_ed25519_key());
  keys.push_back(test::new_rsa_key());
  return keys;
}

/// An RSA key of these numbers, as no authenticator would make it.
std::string spki_of_numbers(const std::string& modulus, const std::string& exponent,
                            const char* kind = "RSA") {
  // OpenSSL takes numbers in the machine's order.
  std::string n(modulus.rbegin(), modulus.rend()), e(exponent.rbegin(), exponent.rend());
  OSSL_PARAM numbers[] = {OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_N, n.data(), n.size()),
                          OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, e.data(), e.size()), OSSL_PARAM_END};
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> making(
      EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr), EVP_PKEY_CTX_free);
  EVP_PKEY* key = nullptr;
  EVP_PKEY_fromdata_init(making.get());
  EVP_PKEY_fromdata(making.get(), &key, EVP_PKEY_PUBLIC_KEY, numbers);
  return test::spki_of({key, EVP_PKEY_free});
}

std::string modulus_of(const std::string& spki) { return spki.substr(spki.size() - 261, 256); }

TEST(PasskeyKey, OfEachKindIsMadeAndSignsIn) {
  for (const test::KeyPair& key : one_of_each_kind()) {
    const std::string spki = test::spki_of(key);
    const auto passkey = made_of(spki);
    ASSERT_TRUE(passkey) << spki.size();
    EXPECT_EQ(passkey->public_key_spki, spki);
    EXPECT_TRUE(signs_in(*passkey, test::signature_by(key, signed_text())));
  }
}

TEST(PasskeyKey, OfThreeAndFourThousandBitsIsTakenToo) {
  for (const unsigned bits : {3072U, 4096U}) {
    const test::KeyPair key = test::new_rsa_key(bits);
    const auto passkey = made_of(test::spki_of(key));
    ASSERT_TRUE(passkey) << bits;
    EXPECT_TRUE(signs_in(*passkey, test::signature_by(key, signed_text()))) << bits;
  }
}

/// RFC 8032, 7.1, test 3.
TEST(PasskeyKey, OfEd25519VerifiesTheStandardsExample) {
  const std::string point = *bytes_of_hex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025");
  const std::string signature = *bytes_of_hex(
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
      "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a");
  const PasskeyKey key = passkey_key_of("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"s + point);
  ASSERT_TRUE(key);
  EXPECT_TRUE(is_signed_by(key, "\xaf\x82", signature));
  EXPECT_FALSE(is_signed_by(key, "\xaf\x83", signature));
}

TEST(PasskeyKey, OfOneKindIsNoneOfAnother) {
  const auto keys = one_of_each_kind();
  for (const auto& stated : keys)
    for (const auto& handed_over : keys) {
      if (&stated == &handed_over) continue;
      expect_malformed(made_of(test::spki_of(handed_over), test::cose_of(test::spki_of(stated))));
    }
}

TEST(PasskeyKey, UnderAnotherKindsNameIsRefused) {
  const std::vector<std::string> kinds = {"\xa5\x01\x02\x03\x26"s, "\xa4\x01\x01\x03\x27"s,
                                          "\xa4\x01\x03\x03\x39\x01\x00"s};
  const auto keys = one_of_each_kind();
  for (std::size_t own = 0; own < keys.size(); ++own)
    for (std::size_t other = 0; other < kinds.size(); ++other) {
      if (own == other) continue;
      const std::string spki = test::spki_of(keys[own]);
      expect_malformed(made_of(spki, kinds[other] + test::cose_of(spki).substr(kinds[own].size())));
    }
  // The type of one and the algorithm of another.
  for (const std::string& mixed : {"\xa5\x01\x02\x03\x27"s, "\xa4\x01\x01\x03\x26"s, "\xa4\x01\x03\x03\x26"s,
                                   "\xa4\x01\x03\x03\x27"s, "\xa4\x01\x01\x03\x39\x01\x00"s}) {
    const auto made = made_of(test::spki_of(keys[0]), mixed + std::string(300, 'k'));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error(), PasskeyError::unsupported_algorithm);
  }
}

TEST(PasskeyKey, CutPaddedOrChangedIsRefused) {
  for (const test::KeyPair& key : one_of_each_kind()) {
    const std::string spki = test::spki_of(key), cose = test::cose_of(spki);
    for (std::size_t length = 0; length < cose.size(); ++length)
      EXPECT_FALSE(made_of(spki, cose.substr(0, length))) << length;
    for (std::size_t length = 0; length < spki.size(); ++length)
      expect_malformed(made_of(spki.substr(0, length), cose));
    for (std::size_t at = 0; at < cose.size(); ++at) {
      std::string changed = cose;
      changed[at] = static_cast<char>(changed[at] ^ 0x10);
      EXPECT_FALSE(made_of(spki, changed)) << at;
    }
    for (std::size_t at = 0; at < spki.size(); ++at) {
      std::string changed = spki;
      changed[at] = static_cast<char>(changed[at] ^ 0x10);
      expect_malformed(made_of(changed, cose));
    }
    EXPECT_FALSE(made_of(spki, cose + "\0"s));
    expect_malformed(made_of(spki + "\0"s, cose));
    expect_malformed(made_of(spki + std::string(1'000'000, 'x'), cose));
  }
}

TEST(PasskeyKey, OfAnotherCurveIsRefused) {
  for (const char* curve : {"P-384", "P-521", "secp256k1"})
    expect_malformed(
        made_of(test::spki_of(test::new_key(curve)), test::cose_of(test::spki_of(test::new_key()))));
  for (const char* kind : {"ED448", "X25519"}) {
    const test::KeyPair key(EVP_PKEY_Q_keygen(nullptr, nullptr, kind), EVP_PKEY_free);
    expect_malformed(made_of(test::spki_of(key), test::cose_of(test::spki_of(test::new_ed25519_key()))));
  }
}

/// With each of these a signature of zeros holds for some texts.
TEST(PasskeyKey, ThatVerifiesWhatNobodySignedIsRefused) {
  const std::string head = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"s;
  for (const std::string& point :
       {std::string(32, '\0'), "\x01"s + std::string(31, '\0'), "\xec"s + std::string(30, '\xff') + "\x7f",
        *bytes_of_hex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")})
    expect_malformed(made_of(head + point));
}

TEST(PasskeyKey, OfRsaWithTooFewOrTooManyBitsIsRefused) {
  const std::string exponent = "\1\0\1"s, full = std::string(511, '\xff');
  const auto with = [&](const std::string& modulus) {
    return made_of(spki_of_numbers(modulus, exponent), test::cose_of_rsa(modulus, exponent));
  };
  EXPECT_TRUE(with('\x80' + full.substr(0, 255)));  // 2048 bits
  EXPECT_TRUE(with('\xff' + full));                 // 4096
  expect_malformed(with('\x7f' + full.substr(0, 255)));
  expect_malformed(with('\1' + full + '\xff'));
  expect_malformed(with('\xff' + full.substr(0, 127)));
  expect_malformed(with('\xff' + full + full));
  EXPECT_FALSE(made_of(test::spki_of(test::new_rsa_key(1024))));
}

TEST(PasskeyKey, OfRsaWithAnotherExponentIsRefused) {
  const test::KeyPair small = test::new_rsa_key(2048, 3);
  const std::string modulus = modulus_of(test::spki_of(test::new_rsa_key()));
  expect_malformed(made_of(test::spki_of(small)));
  for (const std::string& exponent : {"\1"s, "\3"s, "\2"s, "\1\0\0"s, "\1\0\3"s, "\1\0\0\1"s,
                                      "\1" + std::string(7, '\0') + "\1", std::string(20, '\xff'), modulus})
    expect_malformed(made_of(spki_of_numbers(modulus, exponent), test::cose_of_rsa(modulus, exponent)));
}

TEST(PasskeyKey, OfRsaInAnotherFormThanTheOneIsRefused) {
  const std::string spki = test::spki_of(test::new_rsa_key()), modulus = modulus_of(spki);
  EXPECT_TRUE(made_of(spki, test::cose_of_rsa(modulus, "\1\0\1"s)));
  EXPECT_FALSE(made_of(spki, test::cose_of_rsa("\0"s + modulus, "\1\0\1"s)));
  EXPECT_FALSE(made_of(spki, test::cose_of_rsa(modulus.substr(0, 255), "\1\0\1"s)));
  EXPECT_FALSE(made_of(spki, test::cose_of_rsa(modulus, "\0\1\0\1"s)));
  // The members in another order; a length in more bytes than it needs; one member more.
  const std::string kind = "\xa4\x01\x03\x03\x39\x01\x00"s, e = "\x21\x43\x01\x00\x01"s;
  EXPECT_FALSE(made_of(spki, kind + e + "\x20\x59\x01\x00"s + modulus));
  EXPECT_FALSE(made_of(spki, kind + "\x20\x5a\x00\x00\x01\x00"s + modulus + e));
  EXPECT_FALSE(made_of(spki, "\xa5" + test::cose_of(spki).substr(1) + "\x22\x00"s));
}

TEST(PasskeyKey, OfRsaThatMaySignOnlyWithPssIsRefused) {
  const std::string spki = test::spki_of(test::new_rsa_key());
  const std::string other = spki_of_numbers(modulus_of(spki), "\1\0\1"s, "RSA-PSS");
  ASSERT_NE(other, spki);
  expect_malformed(made_of(other, test::cose_of(spki)));
}

TEST(PasskeyKey, AWrongSignatureIsRefused) {
  const auto others = one_of_each_kind();
  for (const test::KeyPair& key : one_of_each_kind()) {
    const Passkey passkey = made_of(test::spki_of(key)).value();
    const std::string right = test::signature_by(key, signed_text());
    ASSERT_TRUE(signs_in(passkey, right));
    for (std::size_t at = 0; at < right.size(); ++at) {
      std::string changed = right;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      EXPECT_FALSE(signs_in(passkey, changed)) << at;
    }
    for (const std::string& signature :
         {""s, right.substr(1), right.substr(0, right.size() - 1), right + "\0"s, "\0"s + right,
          std::string(right.size(), '\0'), std::string(right.size(), '\1'), std::string(1'000'000, '\x30'),
          test::signature_by(key, signed_text() + "x")})
      EXPECT_FALSE(signs_in(passkey, signature)) << signature.size();
    for (const test::KeyPair& other : others)
      EXPECT_FALSE(signs_in(passkey, test::signature_by(other, signed_text())));
  }
}

TEST(PasskeyKey, OfRsaSignsWithSha256AndNothingElse) {
  const test::KeyPair key = test::new_rsa_key();
  const Passkey passkey = made_of(test::spki_of(key)).value();
  for (const EVP_MD* hash : {EVP_sha1(), EVP_sha384(), EVP_sha512()})
    EXPECT_FALSE(signs_in(passkey, test::signature_by(key, signed_text(), hash)));
}

TEST(PasskeyKey, ThatIsRefusedLeavesNoOpenSslErrorForTheNextTlsCall) {
  ERR_clear_error();
  const std::string spki = test::spki_of(test::new_rsa_key());
  EXPECT_FALSE(made_of(spki.substr(0, 200), test::cose_of(spki)));
  EXPECT_FALSE(signs_in(made_of(spki).value(), "x"));
  EXPECT_EQ(ERR_peek_error(), 0U);
}

}  // namespace
