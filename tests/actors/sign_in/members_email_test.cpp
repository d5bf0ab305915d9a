// E-mail addresses: changed, confirmed.
#include "tests/actors/sign_in/member_fixture.hpp"

namespace {

using namespace actors;
using test::kAnna;
using test::kOtherPassword;
using test::kPassword;

using MembersTest = test::MemberFixture;

TEST_F(MembersTest, AnotherEmailAddressHoldsAfterItsOwnersClick) {
  const std::string session = join();
  const auto id = id_of(session);
  EXPECT_EQ(deed(ChangeEmail{id, kPassword, "neu@example.org"}).value().fault, MemberFault::none);
  EXPECT_EQ(sign_in("neu@example.org", kPassword).fault, MemberFault::wrong);
  EXPECT_EQ(deed(ConfirmEmail{token()}).value().fault, MemberFault::none);
  EXPECT_EQ(who(session).person.email, "neu@example.org");
  EXPECT_EQ(sign_in("neu@example.org", kPassword).fault, MemberFault::none);
  EXPECT_EQ(sign_in(kAnna, kPassword).fault, MemberFault::wrong);
  EXPECT_EQ(add_account(kAnna).rfind("refused", 0), std::string::npos);
}

TEST_F(MembersTest, TheOldAddressIsToldWhenAnotherHasTakenItsPlace) {
  const auto id = id_of(join());
  deed(ChangeEmail{id, kPassword, "neu@example.org"});
  EXPECT_EQ(deed(ConfirmEmail{token()}).value().fault, MemberFault::none);
  EXPECT_EQ(script.posted.back().to.address, kAnna);
  EXPECT_NE(script.posted.back().text.find("neu@example.org"), std::string::npos);
}

TEST_F(MembersTest, ANewPasswordEndsAChangeOfTheEmailAddressThatWaits) {
  const auto state = who(join());
  const auto id = state.person.account;
  deed(ChangeEmail{id, kPassword, "dieb@example.org"});
  const std::string link = token();
  advance(1);  // passwords are told apart by when they were set
  EXPECT_TRUE(asked<MailLink>(members(), ReadMailLink{link})->valid);
  ASSERT_EQ(deed(ChangePassword{id, kPassword, kOtherPassword, state.fingerprint}).value().fault,
            MemberFault::none);
  EXPECT_FALSE(asked<MailLink>(members(), ReadMailLink{link})->valid);
  EXPECT_EQ(deed(ConfirmEmail{link}).value().fault, MemberFault::dead_link);
  EXPECT_EQ(sign_in(kAnna, kOtherPassword).fault, MemberFault::none);
}

TEST_F(MembersTest, OneAccountSendsFiveMailsAnHourToOtherAddresses) {
  const auto id = id_of(join());
  const auto bert = id_of(join("bert@example.org"));
  const auto ask = [&](std::uint64_t who_asks, const std::string& address) {
    return deed(ChangeEmail{who_asks, kPassword, address}).value().fault;
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(ask(id, std::to_string(i) + "@example.org"), MemberFault::none);
  const std::size_t posted = script.posted.size();
  EXPECT_EQ(ask(id, "5@example.org"), MemberFault::too_many);
  EXPECT_EQ(script.posted.size(), posted);
  EXPECT_EQ(ask(bert, "6@example.org"), MemberFault::none);
  advance(kHour_ms);
  EXPECT_EQ(ask(id, "5@example.org"), MemberFault::none);
}

TEST_F(MembersTest, AnEmailAddressThatHasAnAccountIsNotTakenOver) {
  const std::string anna = join();
  join("bert@example.org");
  const std::size_t before = script.posted.size();
  EXPECT_EQ(deed(ChangeEmail{id_of(anna), kPassword, "bert@example.org"}).value().fault, MemberFault::none);
  for (std::size_t i = before; i < script.posted.size(); ++i)
    EXPECT_EQ(script.posted[i].text.find("/konto/email/"), std::string::npos);
}

}  // namespace
