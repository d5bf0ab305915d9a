// Which passwords may be chosen, and what a hash says and does not say.
#include "actors/sign_in/password.hpp"

#include <gtest/gtest.h>
#include <sodium.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "tests/sanitizers.hpp"

namespace {

using actors::password_fault;
using actors::PasswordCost;
using actors::PasswordFault;
using actors::PasswordHasher;

constexpr const char* kEmail = "Anna.Huber-Lehner@example.org";
constexpr PasswordCost kCheap{.memory_bytes = 8'192, .passes = 1};
constexpr const char* kGood = "drei Ziegel im Wind";

std::optional<PasswordFault> fault(std::string_view password) { return password_fault(password, kEmail); }

std::string times(int count, std::string_view text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(Passwords, OfTwelveCharactersThatNobodyGuessesAreTaken) {
  for (const char* good :
       {"tb7xkq2mwp9z", "drei Ziegel im Wind", "Nordwest-4711!", "ßäöüßäöüxyzq",
        "🏠☀️🏠🔋🏠🌧️🐈🌲🌳🚲", "correct horse battery staple fan"})
    EXPECT_EQ(fault(good), std::nullopt) << good;
}

TEST(Passwords, OfElevenCharactersAreTooShort) {
  EXPECT_EQ(fault("tb7xkq2mwp9"), PasswordFault::too_short);
  EXPECT_EQ(fault(""), PasswordFault::too_short);
  EXPECT_EQ(fault("ßäöüßäöüxyz"), PasswordFault::too_short) << "characters count, not bytes";
}

TEST(Passwords, AreAsLongHoweverAnUmlautIsWritten) {
  EXPECT_EQ(fault("u\u0308a\u0308o\u0308ktb7xkq2"), PasswordFault::too_short) << "eleven as they are read";
  EXPECT_EQ(fault("u\u0308a\u0308o\u0308ktb7xkq2m"), std::nullopt);
}

TEST(Passwords, HaveAtMostAThousandBytes) {
  const std::string thousand = times(99, "tb7xkq2mwp") + "0123456789";
  EXPECT_EQ(fault(thousand), std::nullopt);
  EXPECT_EQ(fault(thousand + "x"), PasswordFault::too_long);
  EXPECT_EQ(fault(thousand.substr(1) + "\u00fc"), PasswordFault::too_long);
  EXPECT_EQ(fault(std::string(500'000, 'x')), PasswordFault::too_long);
}

TEST(Passwords, ThatAreDecomposedCountAsWhatTheyBecome) {
  const std::string composed = times(498, "\u00fc") + "abcd";  // 1,000 bytes; decomposed 1,498
  EXPECT_EQ(fault(composed), std::nullopt);
  EXPECT_EQ(fault(times(498, "u\u0308") + "abcd"), std::nullopt);
}

TEST(Passwords, HoldNoControlCharactersAndNothingButText) {
  for (const std::string& bad :
       {std::string("tb7xkq2mwp9z\n"), std::string("tb7x\tkq2mwp9z"), std::string("tb7x\0kq2mwp9z", 13),
        std::string("tb7xkq2mwp9z\x7f"), std::string("tb7xkq2mwp9z\u0085"), std::string("tb7xkq2mwp9z\u2028"),
        std::string("tb7xkq2mwp9z\xff"), std::string("tb7xkq2mwp9z\xc3"),
        std::string("tb7xkq2mwp9z\xed\xa0\x80"), std::string("tb7xkq2mwp9z\xc0\x80"),
        std::string("tb7xkq2mwp9z\u0378")})
    EXPECT_EQ(fault(bad), PasswordFault::forbidden_character) << bad;
}

TEST(Passwords, ThatManyPeopleHaveAreRefused) {
  for (const char* common : {"password1234", "Passwort1234", "PASSWORD1234!", "password1234!?.",
                             "ichliebedich", "Administrator", "1q2w3e4r5t6z", "correcthorsebatterystaple"})
    EXPECT_EQ(fault(common), PasswordFault::common) << common;
}

TEST(Passwords, AreNotTheEmailAddressNorItsFirstPart) {
  for (const char* own : {"Anna.Huber-Lehner@example.org", "anna.huber-lehner@EXAMPLE.org",
                          "anna.huber-lehner", "ANNA.HUBER-LEHNER!"})
    EXPECT_EQ(fault(own), PasswordFault::is_email) << own;
  EXPECT_EQ(fault("anna.huber-lehner und drei"), std::nullopt);
  EXPECT_EQ(password_fault("tb7xkq2mwp9z", ""), std::nullopt);
}

TEST(Passwords, AreNoSimplePattern) {
  for (const char* simple :
       {"aaaaaaaaaaaa",  "            ", "!!!!!!!!!!!!!", "🏠🏠🏠🏠🏠🏠🏠🏠🏠🏠🏠🏠",  "121212121212",
        "abcabcabcabca", "testtesttest", "abcdefghijkl",  "ABCDEFGHIJKL",  "lkjihgfedcba",
        "uvwxyzabcdef",  "123456789012", "012345678901",  "987654321098",  "1234567890123456789012345",
        "qwertzuiopas",  "qwertyuiopas", "poiuztrewqmn",  "abcdefghijkl!", "aAaAaAaAaAaA"})
    EXPECT_EQ(fault(simple), PasswordFault::simple_pattern) << simple;
}

TEST(Passwords, ThatOnlyBeginWithAPatternAreTaken) {
  for (const char* good : {"abcdefghijkx", "123456789013", "aaaaaaaaaaab", "qwertzuiopax"})
    EXPECT_EQ(fault(good), std::nullopt) << good;
}

TEST(PasswordHashes, MatchTheirPasswordAndNoOther) {
  const PasswordHasher hasher(kCheap);
  const auto hash = hasher.hash(kGood);
  ASSERT_TRUE(hash);
  EXPECT_TRUE(hasher.matches(kGood, *hash));
  for (const char* wrong : {"", "drei Ziegel im Win", "drei Ziegel im Wind ", "Drei Ziegel im Wind", "\xff"})
    EXPECT_FALSE(hasher.matches(wrong, *hash)) << wrong;
  EXPECT_FALSE(hasher.matches(std::string(500'000, 'x'), *hash));
}

TEST(PasswordHashes, AreArgon2idWithTheirCostAndASaltOfTheirOwn) {
  const PasswordHasher hasher({.memory_bytes = 65'536, .passes = 3});
  const auto one = hasher.hash(kGood), other = hasher.hash(kGood);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->rfind("$argon2id$v=19$m=64,t=3,p=1$", 0), 0U) << *one;
  EXPECT_NE(*one, *other);
  EXPECT_LE(one->size(), 127U);
}

TEST(PasswordHashes, OfOtherProgramsAreRead) {
  // From libsodium's own tests (test/default/pwhash_argon2id.c).
  const std::string foreign =
      "$argon2id$v=19$m=256,t=3,p=1$MDEyMzQ1Njc$G5ajKFCoUzaXRLdz7UJb5wGkb2Xt+X5/GQjUYtS2+TE";
  EXPECT_TRUE(PasswordHasher(kCheap).matches("password", foreign));
  EXPECT_FALSE(PasswordHasher(kCheap).matches("Password", foreign));
  // By Debian's `argon2` at our own cost.
  const PasswordHasher hasher({.memory_bytes = 64 << 20, .passes = 2});
  const std::string command =
      "$argon2id$v=19$m=65536,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$Nk9wlfeKrcR28AtDFBjndW9DA8YGPoO5QALDORP5wns";
  EXPECT_TRUE(hasher.matches(kGood, command));
  EXPECT_FALSE(hasher.matches("drei Ziegel im Sand", command));
  EXPECT_FALSE(hasher.needs_new_hash(command));
}

TEST(PasswordHashes, AreReadByOtherPrograms) {
  const std::string hash = PasswordHasher({.memory_bytes = 65'536, .passes = 3}).hash(kGood).value();
  const std::string_view good(kGood);
  EXPECT_EQ(crypto_pwhash_argon2id_str_verify(hash.c_str(), good.data(), good.size()), 0);
  EXPECT_NE(crypto_pwhash_argon2id_str_verify(hash.c_str(), good.data(), good.size() - 1), 0);
}

TEST(PasswordHashes, MatchThePasswordOfAnotherKeyboard) {
  const PasswordHasher hasher(kCheap);
  const auto hash = hasher.hash("Dächer über Köln");
  ASSERT_TRUE(hash);
  EXPECT_TRUE(hasher.matches("Da\u0308cher u\u0308ber Ko\u0308ln", *hash)) << "decomposed";
  EXPECT_TRUE(hasher.matches("Dächer\u00a0über\u2009Köln", *hash)) << "other spaces";
  EXPECT_FALSE(hasher.matches("Dacher uber Koln", *hash));
  const auto wide = hasher.hash("tb7xkq2mwp9\uff5a");
  ASSERT_TRUE(wide);
  EXPECT_FALSE(hasher.matches("tb7xkq2mwp9z", *wide)) << "NFC, not NFKC";
}

TEST(PasswordHashes, OfADamagedRecordMatchNothing) {
  const PasswordHasher hasher(kCheap);
  const std::string hash = hasher.hash(kGood).value();
  for (const std::string& damaged :
       {std::string(), hash.substr(0, hash.size() / 2), "$argon2id$" + hash, "$argon2i" + hash.substr(9),
        std::string(5'000, '$'), hash + "A", hash.substr(0, hash.size() - 1), hash.substr(0, hash.rfind('$')),
        hash.substr(0, hash.rfind('$') + 1), hash.substr(0, 28)}) {
    EXPECT_FALSE(hasher.matches(kGood, damaged)) << damaged;
    EXPECT_TRUE(hasher.needs_new_hash(damaged)) << damaged;
  }
}

TEST(PasswordHashes, AreMadeAnewWhenTheCostHasChanged) {
  const PasswordHasher before(kCheap), now({.memory_bytes = 16'384, .passes = 2});
  const std::string old_hash = before.hash(kGood).value();
  EXPECT_FALSE(before.needs_new_hash(old_hash));
  EXPECT_TRUE(now.needs_new_hash(old_hash));
  EXPECT_TRUE(now.matches(kGood, old_hash));
  EXPECT_FALSE(now.needs_new_hash(now.hash(kGood).value()));
}

TEST(PasswordHashes, AreNotMadeOfWhatCouldNotBeTypedAgain) {
  const PasswordHasher hasher(kCheap);
  for (const std::string& bad :
       {std::string("tb7xkq2mwp9z\n"), std::string("\xff"), std::string(1'001, 'x'), std::string()})
    EXPECT_FALSE(hasher.hash(bad)) << bad;
}

TEST(PasswordHashes, ThatCannotBeMadeAtTheirCostStopTheStart) {
  EXPECT_THROW(PasswordHasher({.memory_bytes = 1, .passes = 1}), std::runtime_error);
  EXPECT_THROW(PasswordHasher({.memory_bytes = 8'192, .passes = 0}), std::runtime_error);
}

/// A process of its own, which gets no further memory from the system.
void hash_without_memory() {
  const PasswordHasher hasher({.memory_bytes = 64 << 20, .passes = 1});
  const std::string hash = hasher.hash(kGood).value();
  actors::give_back_hash_memory();
  const rlimit none{1 << 20, 1 << 20};
  setrlimit(RLIMIT_AS, &none);
  _exit(!hasher.hash(kGood) && !hasher.matches(kGood, hash) ? 0 : 1);
}

TEST(PasswordHashes, WithoutTheMemoryForThemAreNotMadeAndMatchNothing) {
  if (test::kUnderSanitizer) GTEST_SKIP() << "sanitizers need memory of their own";
  EXPECT_EXIT(hash_without_memory(), testing::ExitedWithCode(0), "");
}

/// Of this thread, so that a busy machine does not matter.
template <class Work>
double processor_time_ms(const Work& work) {
  timespec begin{}, end{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  work();
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return static_cast<double>(end.tv_sec - begin.tv_sec) * 1e3 +
         static_cast<double>(end.tv_nsec - begin.tv_nsec) / 1e6;
}

TEST(PasswordHashes, CostTheSameForNobodyForAWrongPasswordAndForNonsense) {
  const PasswordHasher hasher({.memory_bytes = 8 << 20, .passes = 2});
  const std::string hash = hasher.hash(kGood).value();
  const auto expect_as_long = [&](const char* what, const auto& work) {
    // In turn, because a neighbour on the core slows whatever runs just then.
    double right_ms = 1e9, took_ms = 1e9;
    for (int i = 0; i < 15; ++i) {
      right_ms = std::min(right_ms, processor_time_ms([&] { hasher.matches(kGood, hash); }));
      took_ms = std::min(took_ms, processor_time_ms(work));
    }
    EXPECT_GT(took_ms, right_ms / 1.5) << what;
    EXPECT_LT(took_ms, right_ms * 1.5) << what;
  };
  expect_as_long("wrong", [&] { hasher.matches("drei Ziegel im Sand", hash); });
  expect_as_long("nobody", [&] { hasher.matches_nobody(kGood); });
  expect_as_long("no text", [&] { hasher.matches("\xff", hash); });
  expect_as_long("no text, nobody", [&] { hasher.matches_nobody("\xff"); });
  expect_as_long("damaged", [&] { hasher.matches(kGood, "damaged"); });
}

TEST(PasswordText, IsOverwrittenWhenItIsWiped) {
  std::string text = "drei Ziegel im Wind";
  const char* const bytes = text.data();
  const std::size_t size = text.size();
  actors::wipe(text);
  EXPECT_TRUE(text.empty());
  EXPECT_TRUE(std::all_of(bytes, bytes + size, [](char c) { return c == 0; }));
}

}  // namespace
