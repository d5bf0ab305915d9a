// Somebody who signs up and in, and reads the mails.
#pragma once
#include "actors/sign_in/secret.hpp"
#include "tests/actors/fixture.hpp"

namespace test {

inline constexpr auto kPassword = "grünes Haus am Hang";
inline constexpr auto kOtherPassword = "blaues Boot im Hafen";
inline constexpr auto kAnna = "anna@example.org";

struct MemberFixture : ActorsTest {
  actors::MemberFault sign_up(const std::string& email, const std::string& from = "192.0.2.7") {
    return deed(actors::SignUp{email, kPassword, from}).value().fault;
  }
  /// The last link of the last mail that has one.
  std::string token() const {
    for (auto mail = script.posted.rbegin(); mail != script.posted.rend(); ++mail)
      for (const std::string page : {"/bestaetigen/", "/passwort/", "/konto/email/"})
        if (const auto at = mail->text.find(page); at != std::string::npos) {
          const auto begin = at + page.size();
          return mail->text.substr(begin, mail->text.find_first_of("\r\n", begin) - begin);
        }
    return {};
  }
  /// The session of a new account.
  std::string join(const std::string& email = kAnna) {
    EXPECT_EQ(sign_up(email), actors::MemberFault::none);
    const auto reply = deed(actors::ConfirmSignUp{token(), kPassword, "192.0.2.7", "Firefox"}).value();
    EXPECT_EQ(reply.fault, actors::MemberFault::none);
    return reply.session;
  }
  actors::MemberReply sign_in(const std::string& email, const std::string& password,
                              const std::string& from = "192.0.2.7") {
    return deed(actors::SignIn{email, password, from, "Firefox"}).value();
  }
  actors::SessionState who(const std::string& session) {
    return asked<actors::SessionState>(members(), actors::ReadSession{session}).value();
  }
  std::uint64_t id_of(const std::string& session) { return who(session).person.account; }
};

}  // namespace test
