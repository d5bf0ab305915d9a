// The text of an API key: what is let through as a key at all, before any look-up.
#include "actors/accounts/key_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace {

using namespace actors;

constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
// Made by hand with Python (zlib.crc32, integer arithmetic): account 42, random bytes 0 to 19.
const std::string kKeyOf42 = "dach_0000000001s0H0QHNBfF84eGH0Mp39z48phm9c5ry43";

TEST(KeyText, CarriesItsAccountWhicheverThatIs) {
  for (const std::uint64_t account : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{255},
                                      std::uint64_t{1} << 40U, std::numeric_limits<std::uint64_t>::max()}) {
    const std::string key = make_key(account);
    EXPECT_EQ(key.size(), 48U);
    EXPECT_EQ(account_of_key(key), account);
  }
}

TEST(KeyText, IsReadAsItsDescriptionSays) {
  EXPECT_EQ(account_of_key(kKeyOf42), 42U);
  EXPECT_EQ(account_of_key("dach_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rMboNfJ"),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(account_of_key("dach_00000000000000000000000000000000000002LpY3l"), 0U);
}

TEST(KeyText, IsNeverMadeTwice) {
  std::set<std::string> keys;
  for (int i = 0; i < 1000; ++i) keys.insert(make_key(7));
  EXPECT_EQ(keys.size(), 1000U);
}

TEST(KeyText, IsRefusedWithAnyOneCharacterMistyped) {
  for (std::size_t at = 0; at < kKeyOf42.size(); ++at)
    for (const char c : std::string(kDigits) + "_-+/= .\xc3")
      if (std::string key = kKeyOf42; key[at] != c) {
        key[at] = c;
        ASSERT_FALSE(account_of_key(key)) << key;
      }
}

TEST(KeyText, IsRefusedWithTwoNeighboursSwapped) {
  for (std::size_t at = 0; at + 1 < kKeyOf42.size(); ++at)
    if (std::string key = kKeyOf42; key[at] != key[at + 1]) {
      std::swap(key[at], key[at + 1]);
      ASSERT_FALSE(account_of_key(key)) << key;
    }
}

TEST(KeyText, IsRefusedCutShortOrDrawnOut) {
  for (std::size_t length = 0; length < kKeyOf42.size(); ++length)
    ASSERT_FALSE(account_of_key(kKeyOf42.substr(0, length))) << length;
  EXPECT_FALSE(account_of_key(kKeyOf42 + "0"));
  EXPECT_FALSE(account_of_key(" " + kKeyOf42));
  EXPECT_FALSE(account_of_key(kKeyOf42 + "\n"));
  EXPECT_FALSE(account_of_key(kKeyOf42 + std::string(100'000, 'A')));
}

TEST(KeyText, IsRefusedWithAForeignPrefix) {
  const std::string digits = kKeyOf42.substr(5);
  for (const char* prefix : {"", "DACH_", "dach-", "dach", "roof_", "dach__"})
    EXPECT_FALSE(account_of_key(prefix + digits)) << prefix;
}

TEST(KeyText, IsRefusedWhenItsNumberNeedsMoreThan256Bits) {
  // 62^43 is greater than 2^256: without a check the number would wrap round onto a valid one.
  EXPECT_FALSE(account_of_key("dach_" + std::string(43, 'z')));
  EXPECT_FALSE(account_of_key("dach_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rRHy5sn"));
}

TEST(KeyText, WithANulByteInsideIsNoKey) {
  std::string key = kKeyOf42;
  key[20] = '\0';
  EXPECT_FALSE(account_of_key(key));
}

TEST(KeyText, FingerprintsAreSha256) {
  // FIPS 180-2, appendix B.1.
  const std::string abc = fingerprint_of("abc");
  ASSERT_EQ(abc.size(), 32U);
  EXPECT_EQ(static_cast<unsigned char>(abc[0]), 0xba);
  EXPECT_EQ(static_cast<unsigned char>(abc[1]), 0x78);
  EXPECT_EQ(static_cast<unsigned char>(abc[31]), 0xad);
}

TEST(KeyText, FingerprintsAreTheSameOnlyWhenEveryByteIs) {
  const std::string one = fingerprint_of("one");
  EXPECT_TRUE(same_fingerprint(one, fingerprint_of("one")));
  for (std::size_t at = 0; at < one.size(); ++at) {
    std::string other = one;
    other[at] = static_cast<char>(other[at] ^ 1);
    EXPECT_FALSE(same_fingerprint(one, other));
  }
  EXPECT_FALSE(same_fingerprint(one, one.substr(0, 31)));
  EXPECT_FALSE(same_fingerprint(one, ""));
}

}  // namespace
