// Passkeys: made by the owner, used once a question, gone when removed.
#include "actors/clock.hpp"
#include "actors/sign_in/challenges.hpp"
#include "persistence/keys.hpp"
#include "tests/actors/sign_in/authenticator.hpp"
#include "tests/actors/sign_in/member_fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::Authenticator;
using test::kOtherPassword;
using test::kPassword;

struct MembersPasskeyTest : test::MemberFixture {
  Authenticator phone;
  std::uint64_t anna = 0;

  PasskeyChallenge question(std::uint64_t account = 0) {
    return asked<PasskeyChallenge>(members(), AskPasskeyChallenge{account}).value();
  }
  MemberFault add(Authenticator& device) {
    return deed(device.make(question(anna), anna, kPassword)).value().fault;
  }
  void join_with_passkey() {
    anna = id_of(join());
    ASSERT_EQ(add(phone), MemberFault::none);
  }
  MemberReply sign_in_with(const Authenticator& device) { return deed(device.use(question())).value(); }
  std::vector<PasskeyLine> listed() {
    return asked<PasskeyList>(members(), ListPasskeys{anna}).value().passkeys;
  }
};

TEST_F(MembersPasskeyTest, SignsItsOwnerInAndTheMailTellsThatItWasMade) {
  join_with_passkey();
  EXPECT_NE(script.posted.back().text.find("Telefon"), std::string::npos);
  const auto reply = sign_in_with(phone);
  ASSERT_EQ(reply.fault, MemberFault::none);
  EXPECT_EQ(who(reply.session).person.account, anna);
  ASSERT_EQ(listed().size(), 1U);
  EXPECT_EQ(listed()[0].name, "Telefon");
  EXPECT_EQ(listed()[0].used_ms, now_ms);
  restart();
  EXPECT_TRUE(who(reply.session).signed_in);
  EXPECT_EQ(sign_in_with(phone).fault, MemberFault::none);
}

TEST_F(MembersPasskeyTest, OfEveryKindSignsInAlsoAfterARestart) {
  anna = id_of(join());
  Authenticator key, hello;
  key.id = "security key";
  key.key = test::new_ed25519_key();
  hello.id = "Windows Hello";
  hello.key = test::new_rsa_key();
  for (Authenticator* device : {&phone, &key, &hello}) EXPECT_EQ(add(*device), MemberFault::none);
  restart();
  for (const Authenticator* device : {&phone, &key, &hello})
    EXPECT_EQ(sign_in_with(*device).fault, MemberFault::none) << device->id;
  hello.key = test::new_rsa_key();
  EXPECT_EQ(sign_in_with(hello).fault, MemberFault::wrong);
}

TEST_F(MembersPasskeyTest, IsMadeOnlyWithThePassword) {
  anna = id_of(join());
  EXPECT_EQ(deed(phone.make(question(anna), anna, kOtherPassword)).value().fault, MemberFault::wrong);
  EXPECT_TRUE(listed().empty());
}

TEST_F(MembersPasskeyTest, AnAnswerCountsOnce) {
  join_with_passkey();
  const auto answer = phone.use(question());
  EXPECT_EQ(deed(answer).value().fault, MemberFault::none);
  EXPECT_EQ(deed(answer).value().fault, MemberFault::wrong);
  const auto made = phone.make(question(anna), anna, kPassword);
  EXPECT_EQ(deed(made).value().fault, MemberFault::unfit_passkey);  // the device has one
}

TEST_F(MembersPasskeyTest, AQuestionHoldsFiveMinutesForItsOwnPurposeAndAccount) {
  join_with_passkey();
  const auto late = phone.use(question());
  advance(5 * kMinute_ms);
  EXPECT_EQ(deed(late).value().fault, MemberFault::wrong);
  EXPECT_EQ(deed(phone.use(question(anna))).value().fault, MemberFault::wrong);  // asked for making
  Authenticator other;
  other.id = "another";
  auto made = other.make(question(anna), anna, kPassword);
  made.challenge = question().challenge;
  EXPECT_EQ(deed(made).value().fault, MemberFault::unfit_passkey);
  auto own = phone.use(question());
  own.challenge.back() ^= 1;
  EXPECT_EQ(deed(own).value().fault, MemberFault::wrong);
  restart();
  EXPECT_EQ(sign_in_with(phone).fault, MemberFault::none);
}

TEST_F(MembersPasskeyTest, AnotherKeyOriginAccountOrCredentialIsRefused) {
  join_with_passkey();
  const std::uint64_t bert = id_of(join("bert@example.org"));
  Authenticator forged;
  forged.user_handle = phone.user_handle;
  EXPECT_EQ(sign_in_with(forged).fault, MemberFault::wrong);
  auto foreign = phone.use(question());
  foreign.user_handle = persistence::number_key(bert);
  EXPECT_EQ(deed(foreign).value().fault, MemberFault::wrong);
  for (const std::string& handle : {std::string(), std::string(7, 'x'), std::string(9, '\0')}) {
    auto odd = phone.use(question());
    odd.user_handle = handle;
    EXPECT_EQ(deed(odd).value().fault, MemberFault::wrong);
  }
  phone.origin = "https://boese.example";
  EXPECT_EQ(sign_in_with(phone).fault, MemberFault::wrong);
}

TEST_F(MembersPasskeyTest, ACopiedDeviceIsRefusedByItsCounter) {
  phone.counter = 5;
  join_with_passkey();
  EXPECT_EQ(sign_in_with(phone).fault, MemberFault::wrong);
  phone.counter = 6;
  EXPECT_EQ(sign_in_with(phone).fault, MemberFault::none);
  EXPECT_EQ(sign_in_with(phone).fault, MemberFault::wrong);
}

TEST_F(MembersPasskeyTest, ARemovedOneSignsNobodyInAndDoesNotComeBack) {
  join_with_passkey();
  const auto answer = phone.use(question());
  const auto removed = send_deed(RemovePasskey{anna, listed().at(0).fingerprint});
  const auto used = send_deed(answer);
  run();
  EXPECT_EQ((*removed)->fault, MemberFault::none);
  EXPECT_EQ(rows(Table::passkeys), 0U);
  EXPECT_NE((*used)->fault, MemberFault::none);
  EXPECT_EQ(sign_in_with(phone).fault, MemberFault::wrong);
}

TEST_F(MembersPasskeyTest, NobodyRemovesAnothersOrTakesAnothersQuestion) {
  join_with_passkey();
  const std::uint64_t bert = id_of(join("bert@example.org"));
  EXPECT_EQ(deed(RemovePasskey{bert, listed().at(0).fingerprint}).value().fault, MemberFault::none);
  EXPECT_EQ(rows(Table::passkeys), 1U);
  Authenticator tablet;
  tablet.id = "tablet";
  EXPECT_EQ(deed(tablet.make(question(anna), bert, kPassword)).value().fault, MemberFault::unfit_passkey);
}

TEST_F(MembersPasskeyTest, AnAccountHasTwentyAtMost) {
  join_with_passkey();
  for (int i = 1; i < 20; ++i) {
    Authenticator device;
    device.id = "device " + std::to_string(i);
    ASSERT_EQ(add(device), MemberFault::none) << i;
  }
  Authenticator one_more;
  one_more.id = "one more";
  EXPECT_EQ(add(one_more), MemberFault::unfit_passkey);
}

TEST_F(MembersPasskeyTest, AClosedAccountHasNone) {
  join_with_passkey();
  const auto answer = phone.use(question());
  EXPECT_EQ(deed(CloseAccount{anna, kPassword}).value().fault, MemberFault::none);
  EXPECT_EQ(deed(answer).value().fault, MemberFault::wrong);
  EXPECT_EQ(rows(Table::passkeys), 0U);
}

TEST_F(MembersPasskeyTest, ADiskThatRefusesSignsNobodyInAndStoresNone) {
  join_with_passkey();
  script.disk_refuses = true;
  const auto reply = sign_in_with(phone);
  EXPECT_EQ(reply.fault, MemberFault::disk);
  EXPECT_TRUE(reply.session.empty());
}

TEST_F(MembersPasskeyTest, ThereAreNoneAtAnAddressWithoutAName) {
  ActorsTest::sign_in.passkey_host.clear();
  anna = id_of(join());
  EXPECT_TRUE(question().relying_party_id.empty());
  EXPECT_TRUE(question().challenge.empty());
  EXPECT_NE(add(phone), MemberFault::none);
}

TEST(Challenges, AreOfThisProcessAlone) {
  Challenges own, other;
  const std::string challenge = own.make(0, 0);
  EXPECT_TRUE(own.holds(challenge, 0, 0));
  EXPECT_FALSE(other.holds(challenge, 0, 0));
  EXPECT_TRUE(own.use(challenge, 0, 1));
  EXPECT_FALSE(own.use(challenge, 0, 2));
  for (const std::string& text : {std::string(), std::string(24, 'x'), challenge + "x"})
    EXPECT_FALSE(own.holds(text, 0, 0));
}

}  // namespace
