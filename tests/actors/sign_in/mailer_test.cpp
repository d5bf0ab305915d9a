// Mails that wait, are sent again or given up.
#include "actors/sign_in/mailer.hpp"
#include "tests/actors/sign_in/member_fixture.hpp"

namespace {

using namespace actors;
using persistence::Table;
using test::kAnna;

using MailerTest = test::MemberFixture;

TEST_F(MailerTest, AMailThatNobodyTakesIsSentAgainWithGrowingPausesForADay) {
  script.mail_ends = Delivery::Kind::later;
  sign_up(kAnna);
  EXPECT_EQ(script.posted.size(), 1U);
  advance(kMinute_ms);
  EXPECT_EQ(script.posted.size(), 2U);
  advance(kMinute_ms);
  EXPECT_EQ(script.posted.size(), 2U);
  advance(kMinute_ms);
  EXPECT_EQ(script.posted.size(), 3U);
  EXPECT_EQ(script.posted[0].id, script.posted[2].id);
  script.mail_ends = Delivery::Kind::accepted;
  for (int i = 0; i < 24; ++i) advance(kHour_ms);
  EXPECT_EQ(script.posted.size(), 4U);
  EXPECT_EQ(rows(Table::outbox), 0U);
}

TEST_F(MailerTest, AMailIsGivenUpAfterADayOrWhenItIsRefused) {
  script.mail_ends = Delivery::Kind::later;
  sign_up(kAnna);
  for (int i = 0; i < 26; ++i) advance(kHour_ms);
  EXPECT_EQ(rows(Table::outbox), 0U);
  script.mail_ends = Delivery::Kind::refused;
  sign_up("bert@example.org");
  EXPECT_EQ(rows(Table::outbox), 0U);
}

TEST_F(MailerTest, OperatorsSeeHowManyMailsWaitAndWhatBecameOfThem) {
  const auto tried = [&](const char* outcome) { return meters->mail_tried(outcome).Value(); };
  script.mail_ends = Delivery::Kind::later;
  sign_up(kAnna);
  sign_up("bert@example.org");
  EXPECT_EQ(meters->mails_waiting.Value(), 2);
  EXPECT_EQ(tried("later"), 2);
  script.mail_ends = Delivery::Kind::accepted;
  advance(kMinute_ms);
  EXPECT_EQ(meters->mails_waiting.Value(), 0);
  EXPECT_EQ(tried("sent"), 2);
  script.mail_ends = Delivery::Kind::refused;
  sign_up("carl@example.org");
  EXPECT_EQ(tried("given up"), 1);
  EXPECT_EQ(tried("later"), 2);
}

TEST_F(MailerTest, AMailWaitsForTheNextProgram) {
  script.mail_ends = Delivery::Kind::later;
  sign_up(kAnna);
  script.mail_ends = Delivery::Kind::accepted;
  now_ms += kHour_ms;
  restart();
  EXPECT_EQ(script.posted.size(), 2U);
  EXPECT_EQ(rows(Table::outbox), 0U);
}

TEST_F(MailerTest, AMailThatIsOutIsNotSentAgainWhileTheDiskRefuses) {
  script.mail_ends = Delivery::Kind::later;
  sign_up(kAnna);
  script.mail_ends = Delivery::Kind::accepted;
  script.disk_refuses = true;
  advance(kMinute_ms);
  for (int i = 0; i < 10; ++i) advance(10'000);
  EXPECT_EQ(script.posted.size(), 2U);
  EXPECT_EQ(rows(Table::outbox), 1U);
  script.disk_refuses = false;
  advance(10'000);
  EXPECT_EQ(script.posted.size(), 2U);
  EXPECT_EQ(rows(Table::outbox), 0U);
}

TEST_F(MailerTest, AClockThatIsSetBackLetsNoMailLie) {
  for (const std::int64_t back_ms : {30 * kMinute_ms, 365 * kDay_ms}) {
    script.mail_ends = Delivery::Kind::later;
    sign_up("p" + std::to_string(back_ms) + "@example.org");
    script.mail_ends = Delivery::Kind::accepted;
    now_ms -= back_ms;
    for (int i = 0; i < 60; ++i) advance(kMinute_ms);
    EXPECT_EQ(rows(Table::outbox), 0U) << back_ms;
  }
}

TEST(MailersLog, NamesNoAddress) {
  EXPECT_EQ(without_addresses("550 5.1.1 <anna@example.org>: Recipient address rejected: unknown"),
            "550 5.1.1 <...>: Recipient address rejected: unknown");
  EXPECT_EQ(without_addresses("450 anna+roof@example.org"), "450 ...");
  EXPECT_EQ(without_addresses("\"anna b\"@example.org, x@y"), "\"anna b\"..., ...");
  EXPECT_EQ(without_addresses("421 try again"), "421 try again");
  EXPECT_EQ(without_addresses(""), "");
}

}  // namespace
