// The account's keys and limits, as its owner sees them.
#include "actors/accounts/key_text.hpp"
#include "tests/actors/sign_in/member_fixture.hpp"

namespace {

using namespace actors;
using test::told;

using MemberKeysTest = test::MemberFixture;

TEST_F(MemberKeysTest, TheOwnerSeesKeysWithTheirUseAndOldOnesGiveWay) {
  const auto id = id_of(join());
  const std::string key = asked<AdminReply>(account_shard(id), AddKey{id, "eins"}).value().text;
  for (int i = 0; i < 3; ++i) query(key, 1);
  advance(40 * kDay_ms - 11 * kDay_ms);
  query(key, 1);
  auto keys = asked<KeyList>(account_shard(id), ListKeys{id}).value().keys;
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(keys[0].ending, key.substr(key.size() - 4));
  EXPECT_EQ(keys[0].requests, 4U);
  EXPECT_EQ(keys[0].last_used_ms, now_ms);
  advance(31'000);  // counts are written every half minute
  restart();
  EXPECT_EQ(asked<KeyList>(account_shard(id), ListKeys{id}).value().keys[0].requests, 4U);
  const auto usage = asked<Usage>(account_shard(id), ReadUsage{id}).value();
  EXPECT_EQ(usage.requests.back(), 1U);
  EXPECT_EQ(usage.requests.front(), 3U);
  EXPECT_EQ(usage.limits.at(static_cast<std::size_t>(LimitClass::status)).remaining,
            options.limits.status_per_hour - 1);
}

TEST_F(MemberKeysTest, AReplacedKeyHoldsUntilTheOverlapIsOver) {
  const auto id = id_of(join());
  const std::string old = asked<AdminReply>(account_shard(id), AddKey{id, "eins"}).value().text;
  const auto made =
      asked<AdminReply>(account_shard(id), ReplaceKey{id, key_id(fingerprint_of(old)), 3600}).value();
  ASSERT_TRUE(made.ok);
  EXPECT_EQ(told(query(old, 1)), "projekt_unbekannt");
  EXPECT_EQ(told(query(made.text, 1)), "projekt_unbekannt");
  advance(kHour_ms);
  EXPECT_EQ(told(query(old, 1)), "schluessel_ungueltig");
  EXPECT_EQ(told(query(made.text, 1)), "projekt_unbekannt");
  EXPECT_FALSE(
      asked<AdminReply>(account_shard(id), ReplaceKey{id, key_id(fingerprint_of(old)), 0}).value().ok);
}

TEST_F(MemberKeysTest, AFormSentTwiceWhileTheDiskWritesMakesOneKey) {
  const auto id = id_of(join());
  const auto keys = [&] { return asked<KeyList>(account_shard(id), ListKeys{id}).value().keys; };
  script.disk_silent = true;
  EXPECT_FALSE(asked<AdminReply>(account_shard(id), AddKey{id, "eins", 0})) << "on its way to the disk";
  EXPECT_TRUE(asked<AdminReply>(account_shard(id), AddKey{id, "eins", 0}).value().outdated);
  disk_speaks();
  script.disk_silent = false;
  ASSERT_EQ(keys().size(), 1U);
  EXPECT_TRUE(asked<AdminReply>(account_shard(id), AddKey{id, "eins", 0}).value().outdated);

  script.disk_silent = true;
  const ReplaceKey replacement{id, keys()[0].id, 3600};
  EXPECT_FALSE(asked<AdminReply>(account_shard(id), replacement)) << "on its way to the disk";
  EXPECT_TRUE(asked<AdminReply>(account_shard(id), replacement).value().outdated);
  disk_speaks();
  script.disk_silent = false;
  EXPECT_EQ(keys().size(), 2U);
  EXPECT_TRUE(asked<AdminReply>(account_shard(id), AddKey{id, "zwei", 2}).value().ok);
}

TEST_F(MemberKeysTest, ASessionCountsAgainstTheAccountsLimitOnlyForWhatItMakes) {
  options.limits.create_per_hour = 1;
  const auto id = id_of(join());
  const auto call = [&](bool counted, Command command) {
    return asked<Answer>(account_shard(id), MemberCall{id, counted, LimitClass::create, std::move(command)})
        .value();
  };
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(caf::holds_alternative<ProjectPage>(call(false, ListProjects{}).outcome));
  EXPECT_TRUE(caf::holds_alternative<Created>(call(true, creation("Gasse 1")).outcome));
  const auto second = call(true, creation("Gasse 2"));
  ASSERT_TRUE(caf::holds_alternative<Refusal>(second.outcome));
  EXPECT_EQ(caf::get<Refusal>(second.outcome).code, Code::ratengrenze);
}

TEST_F(MemberKeysTest, TheOwnerOfATestAccountThatIsOverLooksButMakesNothing) {
  const auto id = id_of(join());
  const std::string key = asked<AdminReply>(account_shard(id), AddKey{id, "eins"}).value().text;
  advance(31 * kDay_ms);
  const auto looked =
      asked<Answer>(account_shard(id), MemberCall{id, false, LimitClass::create, ListProjects{}});
  EXPECT_TRUE(caf::holds_alternative<ProjectPage>(looked->outcome));
  const auto made =
      asked<Answer>(account_shard(id), MemberCall{id, true, LimitClass::create, creation("Gasse 1")});
  EXPECT_TRUE(caf::holds_alternative<Refusal>(made->outcome));
  EXPECT_EQ(told(query(key, 1)), "schluessel_ungueltig");
}

}  // namespace
