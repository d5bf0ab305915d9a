// Who is let in: keys, expiry, limits, and what happens when the store cannot tell.
#include "actors/accounts/account_book.hpp"
#include "actors/clock.hpp"

#include <gtest/gtest.h>

#include "actors/accounts/key_text.hpp"
#include "persistence/keys.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace actors;
using persistence::Table;

struct AccountBookTest : ::testing::Test {
  test::TemporaryFolder folder;
  std::unique_ptr<persistence::Store> store = *persistence::Store::open(folder.file("data"));
  std::int64_t now_ms = 1'700'000'000'000;
  ActorOptions options;
  Clock clock = [this] { return now_ms; };

  AccountBook book() { return {*store, options, clock}; }

  void put_account(std::uint64_t id, const std::string& plan = "regular") {
    const persistence::Account account{id, "a@b.example", plan, now_ms,
                                       plan == "test" ? now_ms + kTestPeriod_days * kDay_ms : 0};
    ASSERT_TRUE(store->commit({{Table::accounts, persistence::number_key(id), encode(account)}}));
  }
  std::string put_key(std::uint64_t account, std::int64_t revoked_ms = 0) {
    std::string text = make_key(account);
    auto key = book().new_key(text, {account, "name"});
    key.revoked_ms = revoked_ms;
    EXPECT_TRUE(
        store->commit({{Table::keys, persistence::number_key(account) + key.fingerprint, encode(key)}}));
    return text;
  }
  /// The refusal's name, or "" when the key was let in.
  static std::string told(const AccountBook::Admission& admission) {
    return admission.refusal ? name_of(admission.refusal->code) : "";
  }
};

TEST_F(AccountBookTest, LetsAKeyOfAnAccountIn) {
  put_account(7);
  const std::string key = put_key(7);
  const auto admission = book().admit(key, LimitClass::status);
  EXPECT_EQ(told(admission), "");
  EXPECT_EQ(admission.ticket.account, 7U);
  EXPECT_FALSE(admission.ticket.single_project);
  EXPECT_EQ(admission.ticket.limit, 900U);
  EXPECT_EQ(admission.ticket.remaining, 899U);
  EXPECT_EQ(admission.ticket.reset_s, 3600U);
}

TEST_F(AccountBookTest, TellsAMissingKeyFromAWrongOne) {
  put_account(7);
  AccountBook accounts = book();
  EXPECT_EQ(told(accounts.admit(SentKey(""), LimitClass::status)), "schluessel_fehlt");
  EXPECT_EQ(told(accounts.admit(SentKey("dach_nonsense"), LimitClass::status)), "schluessel_ungueltig");
  EXPECT_EQ(told(accounts.admit(make_key(7), LimitClass::status)),
            "schluessel_ungueltig");  // well-formed, never given
  EXPECT_EQ(told(accounts.admit(make_key(888), LimitClass::status)),
            "schluessel_ungueltig");  // no such account
}

TEST_F(AccountBookTest, TellsAStrangerNothingAboutAnAccountsLimits) {
  put_account(7);
  const auto admission = book().admit(make_key(7), LimitClass::status);
  EXPECT_EQ(admission.ticket.account, 0U);
  EXPECT_EQ(admission.ticket.limit, 0U);
}

TEST_F(AccountBookTest, DoesNotLetAKeyInThatAnotherAccountWasGiven) {
  put_account(7);
  put_account(8);
  const std::string text = make_key(8);
  auto key = book().new_key(text, {7, "misfiled"});
  ASSERT_TRUE(store->commit({{Table::keys, persistence::number_key(7) + key.fingerprint, encode(key)}}));
  EXPECT_EQ(told(book().admit(text, LimitClass::status)), "schluessel_ungueltig");
}

TEST_F(AccountBookTest, RefusesARevokedKeyAndLeavesTheOthersInForce) {
  put_account(7);
  const std::string revoked = put_key(7, now_ms - 1);
  const std::string valid = put_key(7);
  AccountBook accounts = book();
  EXPECT_EQ(told(accounts.admit(revoked, LimitClass::status)), "schluessel_ungueltig");
  EXPECT_EQ(told(accounts.admit(valid, LimitClass::status)), "");
}

TEST_F(AccountBookTest, FindsAKeyByItsIdWhetherItsRecordCanBeReadOrNotAndNoneOfOthers) {
  put_account(7);
  put_account(8);
  const std::string fingerprint = fingerprint_of(put_key(7));
  const std::string strangers = fingerprint_of(put_key(8));
  const std::string damaged = fingerprint_of("damaged");
  ASSERT_TRUE(store->commit({{Table::keys, persistence::number_key(7) + damaged, "\xff"}}));
  AccountBook accounts = book();
  EXPECT_EQ((*accounts.key_of(7, key_id(fingerprint)))->fingerprint, fingerprint);
  EXPECT_EQ((*accounts.key_of(7, key_id(damaged)))->fingerprint, damaged);
  EXPECT_FALSE(accounts.key_of(7, key_id(strangers))->has_value());
  EXPECT_FALSE(accounts.key_of(7, "")->has_value());
  EXPECT_FALSE(accounts.key_of(9, key_id(fingerprint))->has_value());
}

TEST_F(AccountBookTest, ClosesATestAccountAfterThirtyDays) {
  put_account(7, "test");
  const std::string key = put_key(7);
  AccountBook accounts = book();
  EXPECT_TRUE(accounts.admit(key, LimitClass::status).ticket.single_project);
  now_ms += 30 * kDay_ms - 1;
  EXPECT_EQ(told(accounts.admit(key, LimitClass::status)), "");
  now_ms += 1;
  EXPECT_EQ(told(accounts.admit(key, LimitClass::status)), "schluessel_ungueltig");
}

TEST_F(AccountBookTest, NeverClosesARegularAccount) {
  put_account(7);
  const std::string key = put_key(7);
  now_ms += 100 * 365 * kDay_ms;
  EXPECT_EQ(told(book().admit(key, LimitClass::status)), "");
}

TEST_F(AccountBookTest, KnowsAKeyOnlyOnceItHasLearntIt) {
  put_account(7);
  put_key(7);
  AccountBook accounts = book();
  const std::string text = make_key(7);
  const auto key = accounts.new_key(text, {7, "new"});
  EXPECT_EQ(told(accounts.admit(text, LimitClass::status)), "schluessel_ungueltig");
  accounts.learn(key);
  EXPECT_EQ(told(accounts.admit(text, LimitClass::status)), "");
}

TEST_F(AccountBookTest, StoresNoKeyOnlyItsFingerprint) {
  const std::string text = make_key(7);
  const std::string bytes = encode(book().new_key(text, {7, "n"}));
  EXPECT_EQ(bytes.find(text), std::string::npos);
  EXPECT_EQ(bytes.find(text.substr(5, 20)), std::string::npos);
}

TEST_F(AccountBookTest, CountsEachClassOfRequestsByItself) {
  options.limits = {.create_per_hour = 1, .status_per_hour = 2, .analyse_per_hour = 3, .media_per_hour = 4};
  put_account(7);
  const std::string key = put_key(7);
  AccountBook accounts = book();
  const std::vector<std::pair<LimitClass, int>> classes = {
      {LimitClass::create, 1}, {LimitClass::status, 2}, {LimitClass::analyse, 3}, {LimitClass::media, 4}};
  for (const auto& [limit, allowed] : classes) {
    for (int i = 0; i < allowed; ++i) EXPECT_EQ(told(accounts.admit(key, limit)), "");
    const auto over = accounts.admit(key, limit);
    EXPECT_EQ(told(over), "ratengrenze");
    EXPECT_EQ(over.refusal->retry_after_s, 3600);
    EXPECT_EQ(over.ticket.remaining, 0U);
    EXPECT_EQ(over.ticket.account, 7U);
  }
}

TEST_F(AccountBookTest, GivesAnAccountNoMoreForHavingSeveralKeys) {
  options.limits.create_per_hour = 2;
  put_account(7);
  const std::string one = put_key(7), other = put_key(7);
  AccountBook accounts = book();
  EXPECT_EQ(told(accounts.admit(one, LimitClass::create)), "");
  EXPECT_EQ(told(accounts.admit(other, LimitClass::create)), "");
  EXPECT_EQ(told(accounts.admit(one, LimitClass::create)), "ratengrenze");
  EXPECT_EQ(told(accounts.admit(other, LimitClass::create)), "ratengrenze");
}

TEST_F(AccountBookTest, DoesNotChargeAnAccountForWrongKeys) {
  options.limits.status_per_hour = 1;
  put_account(7);
  const std::string key = put_key(7);
  AccountBook accounts = book();
  for (int i = 0; i < 50; ++i) accounts.admit(make_key(7), LimitClass::status);
  EXPECT_EQ(told(accounts.admit(key, LimitClass::status)), "");
}

TEST_F(AccountBookTest, LimitsNothingWhenALimitIsOff) {
  options.limits.status_per_hour = 0;
  put_account(7);
  const std::string key = put_key(7);
  AccountBook accounts = book();
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(told(accounts.admit(key, LimitClass::status)), "");
}

TEST_F(AccountBookTest, SaysInternalFaultWhenAnAccountCannotBeRead) {
  ASSERT_TRUE(store->commit({{Table::accounts, persistence::number_key(7), "\xff\xff garbage"}}));
  EXPECT_EQ(told(book().admit(make_key(7), LimitClass::status)), "interner_fehler");
  EXPECT_FALSE(book().exists(7));
}

TEST_F(AccountBookTest, SaysInternalFaultRatherThanWrongKeyWhenTheKeysRecordIsDamaged) {
  put_account(7);
  const std::string damaged = make_key(7);
  ASSERT_TRUE(
      store->commit({{Table::keys, persistence::number_key(7) + fingerprint_of(damaged), "\xff garbage"}}));
  const std::string good = put_key(7);
  AccountBook accounts = book();
  EXPECT_EQ(told(accounts.admit(damaged, LimitClass::status)), "interner_fehler");
  EXPECT_EQ(told(accounts.admit(good, LimitClass::status)), "");
  EXPECT_EQ(told(accounts.admit(make_key(7), LimitClass::status)), "schluessel_ungueltig");
}

TEST_F(AccountBookTest, KnowsWhichAccountsExist) {
  put_account(7);
  EXPECT_TRUE(*book().exists(7));
  EXPECT_FALSE(*book().exists(8));
}

TEST_F(AccountBookTest, FindsAnAccountAgainThatItsCacheHasForgotten) {
  options.accounts_cached = 1;
  put_account(7);
  put_account(8);
  const std::string seven = put_key(7), eight = put_key(8);
  AccountBook accounts = book();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(told(accounts.admit(seven, LimitClass::status)), "");
    EXPECT_EQ(told(accounts.admit(eight, LimitClass::status)), "");
  }
}

}  // namespace
