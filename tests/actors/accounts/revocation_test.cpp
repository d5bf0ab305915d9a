// Revoking a key works at once and for good, and on that key alone.
#include "actors/accounts/key_text.hpp"
#include "persistence/keys.hpp"
#include "tests/actors/fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::told;

struct Revocation : test::ActorsTest {
  std::string key = account();
  std::string id = key_id(fingerprint_of(key));
  std::string of_account_1 = "key " + id + " of account 1 ";

  std::optional<AdminReply> replace(std::int64_t overlap_s) {
    return asked<AdminReply>(account_shard(1), ReplaceKey{1, id, overlap_s});
  }
};

TEST_F(Revocation, HoldsFromItsAnswerOnAndAfterARestart) {
  ASSERT_EQ(told(query(key, 1)), "projekt_unbekannt");
  EXPECT_EQ(revoke(1, id), of_account_1 + "is revoked");
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  restart();
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  EXPECT_EQ(revoke(1, id), of_account_1 + "was revoked before");
}

// The clock of the other of a pair may be behind, and one that was ahead is set right some day.
TEST_F(Revocation, HoldsOnAMachineWhoseClockIsBehind) {
  EXPECT_EQ(revoke(1, id), of_account_1 + "is revoked");
  now_ms -= 24 * 3600 * 1000;
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  restart();
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  const auto list = asked<KeyList>(account_shard(1), ListKeys{1});
  ASSERT_TRUE(list);
  EXPECT_FALSE(list->keys.at(0).in_force);
}

TEST_F(Revocation, OfOneKeyLeavesOtherAccountsAlone) {
  const std::string other = account();
  revoke(1, id);
  EXPECT_EQ(told(query(other, 1)), "projekt_unbekannt");
  EXPECT_EQ(revoke(2, id), "refused: there is no key " + id + " of account 2");
  EXPECT_EQ(revoke(1, "0123456789ab"), "refused: there is no key 0123456789ab of account 1");
}

TEST_F(Revocation, OfAReplacedKeyDoesNotWaitForTheEndOfItsOverlap) {
  const auto fresh = replace(7 * 24 * 3600);
  ASSERT_TRUE(fresh && fresh->ok);
  ASSERT_EQ(told(query(key, 1)), "projekt_unbekannt");
  EXPECT_EQ(revoke(1, id), of_account_1 + "is revoked");
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  restart();
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  EXPECT_EQ(told(query(fresh->text, 1)), "projekt_unbekannt");
  EXPECT_EQ(revoke(1, id), of_account_1 + "was revoked before");
}

TEST_F(Revocation, IsNotPutOffByAReplacementThatOvertakesIt) {
  script.disk_silent = true;
  send_revoke(1, id);
  run();
  const auto replaced = replace(7 * 24 * 3600);
  ASSERT_TRUE(replaced) << "it is refused without asking the disk";
  EXPECT_FALSE(replaced->ok);
  disk_speaks();
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
}

TEST_F(Revocation, IsNotPutOffByASecondReplacement) {
  ASSERT_TRUE(replace(3600)->ok);
  EXPECT_FALSE(replace(7 * 24 * 3600)->ok);
  advance(kHour_ms);
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
}

TEST_F(Revocation, ThatTheDiskRefusesLeavesTheKeyInForceAndSaysSo) {
  script.disk_refuses = true;
  EXPECT_EQ(revoke(1, id).substr(0, 8), "refused:");
  EXPECT_EQ(told(query(key, 1)), "projekt_unbekannt");
  script.disk_refuses = false;
  EXPECT_EQ(revoke(1, id), of_account_1 + "is revoked");
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
}

TEST_F(Revocation, ThatTheDiskTakesLateKeepsTheKeyOutMeanwhileAndForGood) {
  options.accounts_cached = 1;
  options.account_shards = 1;
  restart();
  const std::string other = account();
  script.disk_silent = true;
  const auto reply = send_revoke(1, id);
  advance(10'000);
  EXPECT_EQ(reply->substr(0, 8), "refused:") << *reply;
  EXPECT_NE(reply->find("not known"), std::string::npos) << *reply;
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  EXPECT_EQ(told(query(other, 1)), "projekt_unbekannt");  // this pushes the first account out of the cache
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  disk_speaks();
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  EXPECT_EQ(revoke(1, id), of_account_1 + "was revoked before");
}

TEST_F(Revocation, ThatTheDiskRefusesLateLeavesTheKeyInForce) {
  script.disk_silent = true;
  send_revoke(1, id);
  advance(10'000);
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
  script.disk_refuses = true;
  disk_speaks();
  EXPECT_EQ(told(query(key, 1)), "projekt_unbekannt");
}

TEST_F(Revocation, ForgetsNoCountOfTheAccountWithItsKey) {
  query(key, 1);
  query(key, 1);
  revoke(1, id);
  const persistence::Key second{1, "second", fingerprint_of("second"), 1, 0};
  ASSERT_TRUE(
      store->commit({{Table::keys, persistence::number_key(1) + second.fingerprint, encode(second)}}));
  advance(2000);
  const auto window = persistence::decode_window(
      **store->get(Table::limits, persistence::number_key(1) + static_cast<char>(LimitClass::status)));
  EXPECT_EQ(window->times_ms.size(), 2U);
}

TEST_F(Revocation, TakesAKeyOutOfForceWhoseRecordIsDamaged) {
  const std::string where = persistence::number_key(1) + fingerprint_of(key);
  ASSERT_TRUE(store->commit({{Table::keys, where, "\xff"}}));
  restart();
  ASSERT_EQ(told(query(key, 1)), "interner_fehler");
  EXPECT_EQ(revoke(1, id), of_account_1 + "is revoked");
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
}

}  // namespace
