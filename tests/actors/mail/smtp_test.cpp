// What becomes of a mail at a server that takes it, refuses it, is silent, hangs up or does not speak TLS as
// it says.
#include "actors/mail/smtp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/actors/mail/some_mail.hpp"
#include "tests/smtp_server.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using actors::Delivery;
using actors::Mail;
using actors::send_mail;
using actors::SmtpOptions;
using actors::Starttls;
using std::chrono::milliseconds;
using test::bytes_of;
using test::SmtpScript;
using test::SmtpServer;
using test::some_mail;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

SmtpOptions options_for(const SmtpServer& server, Starttls starttls = Starttls::none) {
  return {.url = server.url(),
          .starttls = starttls,
          .connect_timeout = milliseconds(5'000),
          .timeout = milliseconds(10'000)};
}

Delivery delivery_by(SmtpScript script) {
  const SmtpServer server(std::move(script));
  return send_mail(some_mail(), options_for(server));
}

void expect_later(const Delivery& delivery, const std::string& words) {
  EXPECT_EQ(delivery.kind, Delivery::Kind::later);
  EXPECT_THAT(delivery.words, HasSubstr(words));
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(Smtp, DeliversAMailAsItWasWritten) {
  const SmtpServer server({});
  Mail mail = some_mail();
  mail.text = ".\n..\n.a\nÜber\n";
  const Delivery delivery = send_mail(mail, options_for(server));
  EXPECT_EQ(delivery.kind, Delivery::Kind::accepted);
  EXPECT_EQ(delivery.words, "250 queued as 4711");
  EXPECT_EQ(server.message(), bytes_of(mail));
  EXPECT_THAT(server.commands(), Contains("EHLO client.example.org"));
  EXPECT_THAT(server.commands(), Contains(StartsWith("MAIL FROM:<dach@example.org>")));
  EXPECT_THAT(server.commands(), Contains("RCPT TO:<anna@example.org>"));
}

TEST(Smtp, TriesAgainWhatTheServerPutsOff) {
  for (const char* step : {"greeting", "MAIL", "RCPT", "DATA", "message"})
    expect_later(delivery_by({.answers = {{step, "451 4.3.2 not now"}}}), "451 4.3.2 not now");
}

TEST(Smtp, GivesUpOnARecipientThatDoesNotExist) {
  const Delivery delivery =
      delivery_by({.answers = {{"RCPT", "550-5.1.1 no such user\r\n550 5.1.1 really"}}});
  EXPECT_EQ(delivery.kind, Delivery::Kind::refused);
  EXPECT_EQ(delivery.words, "550-5.1.1 no such user  550 5.1.1 really");
}

TEST(Smtp, GivesUpOnAMailThatIsNotTaken) {
  for (const char* step : {"DATA", "message"}) {
    const Delivery delivery = delivery_by({.answers = {{step, "554 5.7.1 spam"}}});
    EXPECT_EQ(delivery.kind, Delivery::Kind::refused) << step;
    EXPECT_EQ(delivery.words, "554 5.7.1 spam");
  }
}

TEST(Smtp, TriesAgainWhenItMayNotSendAtAll) {
  expect_later(delivery_by({.answers = {{"RCPT", "554 5.7.1 relay access denied"}}}), "relay access denied");
  expect_later(delivery_by({.answers = {{"RCPT", "530 sign in first"}}}), "530 sign in first");
  for (const char* step : {"greeting", "MAIL"})
    expect_later(delivery_by({.answers = {{step, "554 you are on a list"}}}), "554 you are on a list");
  expect_later(delivery_by({.answers = {{"EHLO", "554 no"}, {"HELO", "554 no"}}}), "554 no");
}

TEST(Smtp, RefusesWhatIsNoMailWithoutAsking) {
  const SmtpServer server({});
  Mail mail = some_mail();
  mail.to.address = "anna@example.org>\r\nRCPT TO:<b@example.org";
  EXPECT_EQ(send_mail(mail, options_for(server)).kind, Delivery::Kind::refused);
  EXPECT_TRUE(server.commands().empty());
}

TEST(Smtp, TriesAgainWhenTheServerIsSilent) {
  for (const char* step : {"greeting", "EHLO", "RCPT", "DATA", "message"}) {
    const SmtpServer server({.silent_at = step});
    SmtpOptions options = options_for(server);
    options.timeout = milliseconds(400);
    const double took_s = seconds_of([&] { expect_later(send_mail(some_mail(), options), "timed out"); });
    EXPECT_LT(took_s, 3) << step;
  }
}

TEST(Smtp, HasDeliveredWhenOnlyTheGoodbyeIsMissing) {
  const SmtpServer silent({.silent_at = "QUIT"}), closing({.closes_at = "QUIT"});
  EXPECT_EQ(send_mail(some_mail(), options_for(closing)).kind, Delivery::Kind::accepted);
  SmtpOptions options = options_for(silent);
  options.timeout = milliseconds(1'000);
  const double took_s =
      seconds_of([&] { EXPECT_EQ(send_mail(some_mail(), options).kind, Delivery::Kind::accepted); });
  EXPECT_LT(took_s, 4) << "libcurl alone waits two minutes";
}

TEST(Smtp, TriesAgainWhenTheServerHangsUp) {
  for (const char* step : {"greeting", "EHLO", "MAIL", "RCPT", "DATA", "message"})
    EXPECT_EQ(delivery_by({.closes_at = step}).kind, Delivery::Kind::later) << step;
}

TEST(Smtp, TriesAgainWhenNobodyListens) {
  std::string url;
  { url = SmtpServer({}).url(); }
  expect_later(send_mail(some_mail(), {.url = url, .starttls = Starttls::none}), "connect");
}

TEST(Smtp, WaitsForASlowGreetingWithinItsTime) {
  EXPECT_EQ(delivery_by({.greets_after = milliseconds(300)}).kind, Delivery::Kind::accepted);
  const SmtpServer server({.greets_after = milliseconds(60'000)});
  SmtpOptions options = options_for(server);
  options.connect_timeout = milliseconds(300);
  EXPECT_LT(seconds_of([&] { expect_later(send_mail(some_mail(), options), "timed out"); }), 3);
}

TEST(Smtp, SpeaksNoOtherProtocol) {
  for (const char* url :
       {"http://127.0.0.1:1/", "file:///etc/passwd", "smtp://user:geheim@127.0.0.1:1", ""}) {
    const Delivery delivery = send_mail(some_mail(), {.url = url});
    EXPECT_EQ(delivery.kind, Delivery::Kind::later) << url;
    EXPECT_THAT(delivery.words, Not(HasSubstr("geheim")));
    EXPECT_NE(delivery.words, "");
  }
}

TEST(Smtp, WritesTheServersWordsOnOneLineOfAscii) {
  const Delivery delivery =
      delivery_by({.answers = {{"RCPT", "550 \x1b[31mno\t\xc3\xbc " + std::string(5'000, 'x')}}});
  EXPECT_THAT(delivery.words, StartsWith("550  [31mno"));
  EXPECT_LE(delivery.words.size(), 500U);
  for (const char c : delivery.words) EXPECT_TRUE(c >= ' ' && c <= '~');
}

TEST(SmtpSignIn, SendsUserAndPassword) {
  const SmtpServer server({.extensions = {"AUTH PLAIN"}});
  SmtpOptions options = options_for(server);
  options.user = "dach";
  options.password = "geheim";
  EXPECT_EQ(send_mail(some_mail(), options).kind, Delivery::Kind::accepted);
  EXPECT_THAT(server.commands(), Contains("AGRhY2gAZ2VoZWlt")) << "NUL dach NUL geheim";
}

TEST(SmtpSignIn, RefusedIsTriedAgainAndTellsNoPassword) {
  for (const char* step : {"AUTH", "credentials"}) {
    const SmtpServer server({.answers = {{step, "535 5.7.8 not with geheim nor AGRhY2gAZ2VoZWlt"}},
                             .extensions = {"AUTH PLAIN"}});
    SmtpOptions options = options_for(server);
    options.user = "dach";
    options.password = "geheim";
    const Delivery delivery = send_mail(some_mail(), options);
    EXPECT_EQ(delivery.kind, Delivery::Kind::later);
    EXPECT_EQ(delivery.words, "535 5.7.8 at the sign-in");
  }
}

TEST(SmtpSignIn, NeverSendsThePasswordInTheClearUnlessTold) {
  const SmtpServer server({.extensions = {"AUTH PLAIN LOGIN"}});
  for (const Starttls starttls : {Starttls::if_offered, Starttls::required}) {
    SmtpOptions options = options_for(server, starttls);
    options.user = "dach";
    options.password = "geheim";
    EXPECT_EQ(send_mail(some_mail(), options).kind, Delivery::Kind::later);
  }
  EXPECT_THAT(server.commands(), Not(Contains(StartsWith("AUTH"))));
}

struct SmtpTls : testing::Test {
  SmtpScript secure() const { return {.extensions = {"STARTTLS"}, .pem = pem}; }
  SmtpOptions trusting(const SmtpServer& server, Starttls starttls) const {
    SmtpOptions options = options_for(server, starttls);
    options.ca_file = pem.certificate;
    return options;
  }
  test::TemporaryFolder folder;
  test::PemFiles pem = test::make_certificate(folder.file("smtp"));
};

TEST_F(SmtpTls, IsUsedWhenTheServerOffersIt) {
  for (const Starttls starttls : {Starttls::if_offered, Starttls::required}) {
    const SmtpServer server(secure());
    EXPECT_EQ(send_mail(some_mail(), trusting(server, starttls)).kind, Delivery::Kind::accepted);
    EXPECT_THAT(server.commands(), Contains("STARTTLS"));
    EXPECT_EQ(server.message(), bytes_of(some_mail()));
  }
}

TEST_F(SmtpTls, StandsFromTheFirstByteWithSmtps) {
  const SmtpServer server({.pem = pem, .speaks_tls_first = true});
  EXPECT_EQ(send_mail(some_mail(), trusting(server, Starttls::required)).kind, Delivery::Kind::accepted);
}

TEST_F(SmtpTls, TrustsNoCertificateButThoseNamed) {
  const SmtpServer server(secure());
  for (const Starttls starttls : {Starttls::if_offered, Starttls::required})
    expect_later(send_mail(some_mail(), options_for(server, starttls)), "certificate");
  SmtpOptions options = trusting(server, Starttls::required);
  options.url = "smtp://localhost" + server.url().substr(std::string("smtp://127.0.0.1").size());
  expect_later(send_mail(some_mail(), options), "certificate");
  EXPECT_THAT(server.commands(), Not(Contains(StartsWith("MAIL"))));
}

TEST_F(SmtpTls, IsMissedOnlyWhereItIsRequired) {
  const SmtpServer server({});
  EXPECT_EQ(send_mail(some_mail(), options_for(server, Starttls::if_offered)).kind, Delivery::Kind::accepted);
  EXPECT_EQ(send_mail(some_mail(), options_for(server, Starttls::required)).kind, Delivery::Kind::later);
}

TEST_F(SmtpTls, ThatIsOfferedWronglySendsNothingInTheClear) {
  const SmtpServer refusing({.answers = {{"STARTTLS", "454 4.7.0 not now"}}, .extensions = {"STARTTLS"}});
  expect_later(send_mail(some_mail(), options_for(refusing, Starttls::required)), "454 4.7.0");
  const SmtpServer babbling({.extensions = {"STARTTLS"}});
  for (const Starttls starttls : {Starttls::if_offered, Starttls::required})
    EXPECT_EQ(send_mail(some_mail(), options_for(babbling, starttls)).kind, Delivery::Kind::later);
  const SmtpServer hasty(
      {.answers = {{"STARTTLS", "220 now\r\n250 and already fine"}}, .extensions = {"STARTTLS"}, .pem = pem});
  EXPECT_EQ(send_mail(some_mail(), trusting(hasty, Starttls::required)).kind, Delivery::Kind::later);
  for (const auto* server : {&refusing, &babbling, &hasty})
    EXPECT_THAT(server->commands(), Not(Contains(StartsWith("MAIL"))));
}

}  // namespace
