// Mails: who can get one, what their bytes are, and what becomes of them at a server that takes them, refuses
// them, is silent, hangs up or does not speak TLS as it says.
#include "actors/mail/mail.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include "actors/email.hpp"
#include "actors/mail/email_address.hpp"
#include "actors/mail/smtp.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using actors::Delivery;
using actors::email_address;
using actors::Mail;
using actors::mail_text;
using actors::send_mail;
using actors::SmtpOptions;
using actors::Starttls;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Tcp = boost::asio::ip::tcp;
using std::chrono::milliseconds;

// E-mail addresses

TEST(EmailAddresses, AreSentToAsGivenAndComparedInSmallLetters) {
  const auto address = email_address("  Anna.Huber+dach@Example.ORG ");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->shown, "Anna.Huber+dach@Example.ORG");
  EXPECT_EQ(address->sending, "Anna.Huber+dach@example.org");
  EXPECT_EQ(address->key, "anna.huber+dach@example.org");
  EXPECT_EQ(address->key, actors::normal_email("Anna.Huber+dach@Example.ORG")) << "as accounts have them";
}

TEST(EmailAddresses, MayHaveADomainOfAnyLanguage) {
  for (const char* text : {"anna@Dächer.example", "anna@DÄCHER.example", "anna@da\u0308cher.example",
                           "anna@xn--dcher-gra.example", "ANNA@dächer。example"}) {
    const auto address = email_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->key, "anna@xn--dcher-gra.example") << text;
    EXPECT_EQ(address->shown, text);
  }
  EXPECT_EQ(email_address("a@straße.example")->sending, "a@xn--strae-oqa.example") << "not strasse";
}

TEST(EmailAddresses, AreANameAndADomainOfTwoLabels) {
  for (const char* good : {"a@b.de", "o'brien@example.org", "a-b_c=d@a-b.example.org", "a@1.2.3.example",
                           "a@1und1.de", "a@ab--cd.example.org"})
    EXPECT_TRUE(email_address(good)) << good;
  for (const char* none : {"",
                           " ",
                           "nobody",
                           "@example.org",
                           "anna@",
                           "anna@example",
                           "anna@huber@example.org",
                           "anna@.org",
                           "anna@example.",
                           "anna@example..org",
                           ".anna@example.org",
                           "anna.@example.org",
                           "an..na@example.org",
                           "anna@-example.org",
                           "anna@example-.org",
                           "anna@exa_mple.org",
                           "anna@192.0.2.1",
                           "anna@[192.0.2.1]",

                           "anna@exa%6dple.org",
                           "anna@example.org.",
                           "jörg@example.org",
                           "\"anna\"@example.org",
                           "anna@\xff.org",
                           "anna@\u200b.org"})
    EXPECT_FALSE(email_address(none)) << none;
}

TEST(EmailAddresses, HoldNoSpacesNorControlCharacters) {
  for (const std::string& none :
       {std::string("an na@example.org"), std::string("anna@example.org\n"),
        std::string("anna\t@example.org"), std::string("anna@exam\u00a0ple.org"),
        std::string("anna@exam\0ple.org", 17), std::string("anna@example.org\r\nRCPT TO:<b@example.org>"),
        std::string("anna@example.org\u2028"), std::string("anna@example.org, b@example.org"),
        std::string("<anna@example.org>")})
    EXPECT_FALSE(email_address(none)) << none;
}

TEST(EmailAddresses, AreOnlySoLong) {
  const std::string local(64, 'a'), label(61, 'b');
  const std::string domain = "@" + label + "." + label + "." + label + ".de";  // 189 bytes
  EXPECT_TRUE(email_address(local + domain));
  EXPECT_FALSE(email_address(local + "a" + domain));
  EXPECT_TRUE(email_address("a@" + std::string(63, 'b') + ".de"));
  EXPECT_FALSE(email_address("a@" + std::string(64, 'b') + ".de"));
  EXPECT_TRUE(email_address(local + domain + "x"));
  EXPECT_FALSE(email_address(local + domain + "xy"));
  EXPECT_FALSE(email_address(std::string(1'000'000, 'a') + "@example.org"));
}

// The bytes of a mail

Mail some_mail() {
  return {.id = "4711.a-b_c",
          .written_ms = 1'795'535'631'999,
          .from = {"Dachanalyse", "dach@example.org"},
          .to = {"", "anna@example.org"},
          .subject = "Bitte bestaetigen",
          .text = "Guten Tag\n"};
}
std::string bytes_of(const Mail& mail) { return mail_text(mail).value_or("no mail"); }

TEST(MailText, IsAMessageOfRfc5322) {
  EXPECT_EQ(bytes_of(some_mail()),
            "Date: Tue, 24 Nov 2026 15:53:51 +0000\r\n"
            "From: \"Dachanalyse\" <dach@example.org>\r\n"
            "To: <anna@example.org>\r\n"
            "Message-ID: <4711.a-b_c@example.org>\r\n"
            "Subject: Bitte bestaetigen\r\n"
            "Auto-Submitted: auto-generated\r\n"
            "MIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Transfer-Encoding: quoted-printable\r\n"
            "\r\n"
            "Guten Tag\r\n");
}

TEST(MailText, EncodesUmlautsInTheHeader) {
  Mail mail = some_mail();
  mail.subject = "Bestätigung";
  mail.from.name = "Dächer";
  EXPECT_THAT(bytes_of(mail), HasSubstr("\r\nSubject: =?UTF-8?B?QmVzdMOkdGlndW5n?=\r\n"));
  EXPECT_THAT(bytes_of(mail), HasSubstr("\r\nFrom: =?UTF-8?B?RMOkY2hlcg==?=\r\n <dach@example.org>\r\n"));
}

TEST(MailText, QuotesNamesThatWouldReadAsSomethingElse) {
  Mail mail = some_mail();
  mail.to.name = "Huber, \"Anna\" <x\\y>";
  EXPECT_THAT(bytes_of(mail), HasSubstr("To: \"Huber, \\\"Anna\\\" <x\\\\y>\" <anna@example.org>\r\n"));
  mail.subject = "=?UTF-8?B?QQ==?=";
  EXPECT_THAT(bytes_of(mail), HasSubstr("Subject: =?UTF-8?B?PT9VVEYtOD9CP1FRPT0/PQ==?=\r\n"));
}

TEST(MailText, HasNoLineOfMoreThan78CharactersAndNothingButAscii) {
  Mail mail = some_mail();
  for (int i = 0; i < 30; ++i)
    mail.subject += "ü€🏠x", mail.text += "Überhänge € 🏠 = ", mail.to.name += "Huber ";
  mail.text += std::string(500, 'a') + " \n\t\nEnde";
  std::istringstream lines(bytes_of(mail));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 79U) << line;
    EXPECT_EQ(line.back(), '\r');
    for (const char c : line) EXPECT_TRUE((c >= ' ' && c <= '~') || c == '\r') << line;
  }
}

TEST(MailText, NeverDividesACharacterBetweenTwoWords) {
  Mail mail = some_mail();
  mail.subject = std::string(38, 'a') + "ü";
  EXPECT_THAT(bytes_of(mail),
              HasSubstr("Subject: =?UTF-8?B?YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=?=\r\n"
                        " =?UTF-8?B?w7w=?=\r\n"));
}

TEST(MailText, WritesItsTextAsQuotedPrintable) {
  Mail mail = some_mail();
  mail.text = "a = ü \r\n\tb\t\rc\n\nhttps://dach.example.org/bestaetigen/abc?x=1";
  EXPECT_THAT(bytes_of(mail), HasSubstr("\r\n\r\na =3D =C3=BC=20\r\n\tb=09\r\nc\r\n\r\n"
                                        "https://dach.example.org/bestaetigen/abc?x=3D1\r\n"));
  mail.text = std::string(77, 'a');
  EXPECT_THAT(bytes_of(mail), HasSubstr("\r\n\r\n" + std::string(75, 'a') + "=\r\naa\r\n"));
}

TEST(MailText, LetsNobodySmuggleInALine) {
  for (const std::string& smuggled :
       {std::string("a\r\nBcc: b@example.org"), std::string("a\nb"), std::string("a\rb"),
        std::string("a\0b", 3), std::string("a\u0085b"), std::string("a\u2028b"), std::string("a\xff")}) {
    for (const auto& place : std::vector<std::function<std::string&(Mail&)>>{
             [](Mail& m) -> std::string& { return m.subject; }, [](Mail& m) -> std::string& { return m.id; },
             [](Mail& m) -> std::string& { return m.to.name; },
             [](Mail& m) -> std::string& { return m.from.name; },
             [](Mail& m) -> std::string& { return m.to.address; },
             [](Mail& m) -> std::string& { return m.from.address; }}) {
      Mail mail = some_mail();
      place(mail) += smuggled;
      EXPECT_FALSE(mail_text(mail)) << smuggled;
    }
  }
  Mail mail = some_mail();
  mail.text = "a\r\n.\r\nMAIL FROM:<b@example.org>\r\n\xff";
  EXPECT_FALSE(mail_text(mail));
}

TEST(MailText, NeedsAddressesAndAnId) {
  for (const char* none :
       {"", "anna", "anna@example.org>", " anna@example.org", "jörg@example.org", "a@b, c@d"}) {
    Mail mail = some_mail();
    mail.to.address = none;
    EXPECT_FALSE(mail_text(mail)) << none;
  }
  Mail mail = some_mail();
  mail.from.address = "roofd@localhost";
  EXPECT_TRUE(mail_text(mail)) << "a network of one's own";
  mail.id = "";
  EXPECT_FALSE(mail_text(mail));
}

// A server on loopback

struct Pem {
  std::string certificate, key;
};

/// A certificate for 127.0.0.1, signed by itself.
Pem make_certificate(const test::TemporaryFolder& folder) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  X509* const x = certificate.get();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), -60);
  X509_gmtime_adj(X509_getm_notAfter(x), 3600);
  X509_set_pubkey(x, key.get());
  const auto* text = reinterpret_cast<const unsigned char*>("127.0.0.1");
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(x));
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> place(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1"), X509_EXTENSION_free);
  X509_add_ext(x, place.get(), -1);
  X509_sign(x, key.get(), EVP_sha256());
  Pem files{folder.file("smtp.crt"), folder.file("smtp.key")};
  const std::unique_ptr<FILE, decltype(&fclose)> out(fopen(files.certificate.c_str(), "w"), fclose);
  PEM_write_X509(out.get(), x);
  const std::unique_ptr<FILE, decltype(&fclose)> secret(fopen(files.key.c_str(), "w"), fclose);
  PEM_write_PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return files;
}

/// What the server does, step by step. Steps are the client's verbs, "greeting", "credentials" (after AUTH)
/// and "message" (after its last line).
struct Script {
  std::map<std::string, std::string> answers;  ///< other than the usual ones
  std::vector<std::string> extensions;         ///< that EHLO names
  std::string silent_at;                       ///< the step from which on it says nothing
  std::string closes_at;                       ///< the step at which it hangs up
  milliseconds greets_after{0};
  Pem pem;  ///< empty: what it says after STARTTLS's answer is no TLS
  bool speaks_tls_first = false;
};

class SmtpServer {
 public:
  explicit SmtpServer(Script script)
      : script_(std::move(script)), acceptor_(io_, {boost::asio::ip::address_v4::loopback(), 0}) {
    port_ = acceptor_.local_endpoint().port();
    if (!script_.pem.key.empty()) {
      tls_.use_certificate_file(script_.pem.certificate, boost::asio::ssl::context::pem);
      tls_.use_private_key_file(script_.pem.key, boost::asio::ssl::context::pem);
    }
    thread_ = std::thread([this] { serve(); });
  }
  ~SmtpServer() {
    end();
    thread_.join();
  }
  SmtpServer(const SmtpServer&) = delete;
  SmtpServer& operator=(const SmtpServer&) = delete;

  std::string url() const {
    return (script_.speaks_tls_first ? "smtps://127.0.0.1:" : "smtp://127.0.0.1:") + std::to_string(port_) +
           "/client.example.org";
  }
  std::vector<std::string> commands() const {
    const std::lock_guard guard(mutex_);
    return commands_;
  }
  /// As it was before dots were doubled.
  std::string message() const {
    const std::lock_guard guard(mutex_);
    return message_;
  }

 private:
  using Secure = boost::asio::ssl::stream<Tcp::socket&>;

  void end() {
    {
      const std::lock_guard guard(mutex_);
      ended_ = true;
      boost::system::error_code ignored;
      if (socket_) socket_->shutdown(Tcp::socket::shutdown_both, ignored);
    }
    changed_.notify_all();
    boost::system::error_code ignored;
    Tcp::socket last(io_);
    last.connect({boost::asio::ip::address_v4::loopback(), port_}, ignored);
  }

  void serve() {
    for (;;) {
      boost::system::error_code error;
      Tcp::socket socket(io_);
      acceptor_.accept(socket, error);
      {
        const std::lock_guard guard(mutex_);
        if (ended_ || error) return;
        socket_ = &socket;
      }
      Secure secure(socket, tls_);
      if (!script_.speaks_tls_first || handshake(secure)) converse(socket, secure);
      const std::lock_guard guard(mutex_);
      socket_ = nullptr;
    }
  }

  static bool handshake(Secure& secure) {
    boost::system::error_code error;
    secure.handshake(Secure::server, error);
    return !error;
  }

  void converse(Tcp::socket& socket, Secure& secure) {
    bool is_secure = script_.speaks_tls_first;
    boost::asio::streambuf buffer;
    const auto say = [&](const std::string& text) {
      boost::system::error_code error;
      is_secure ? boost::asio::write(secure, boost::asio::buffer(text), error)
                : boost::asio::write(socket, boost::asio::buffer(text), error);
    };
    pause(script_.greets_after);
    std::string step = "greeting";
    while (step != script_.closes_at) {
      if (step == script_.silent_at) return pause(std::chrono::hours(1));
      const std::string answer = answer_to(step);
      say(answer + "\r\n");
      if (step == "QUIT") return;
      if (step == "STARTTLS" && answer.starts_with('2')) {
        if (script_.pem.key.empty()) return say("what is TLS?\r\n");
        if (!handshake(secure)) return;
        is_secure = true;
      }
      const auto line = [&] { return is_secure ? next_line(secure, buffer) : next_line(socket, buffer); };
      step = next_step(step, answer, line);
    }
  }

  /// What the client says next; "QUIT" also when it has gone.
  template <class Line>
  std::string next_step(const std::string& step, const std::string& answer, const Line& line) {
    if (step == "DATA" && answer.starts_with('3')) return take_message(line) ? "message" : "QUIT";
    const std::string command = line();
    const std::lock_guard guard(mutex_);
    commands_.push_back(command);
    if (step == "AUTH" && answer.starts_with('3')) return "credentials";
    return command.empty() ? "QUIT" : command.substr(0, command.find(' '));
  }

  template <class Stream>
  static std::string next_line(Stream& stream, boost::asio::streambuf& buffer) {
    boost::system::error_code error;
    boost::asio::read_until(stream, buffer, "\r\n", error);
    if (error) return {};
    std::istream in(&buffer);
    std::string line;
    std::getline(in, line);
    return line.substr(0, line.size() - 1);
  }

  /// An empty line and an end look the same to `line`: a message here ends with a line of its own.
  template <class Line>
  bool take_message(const Line& line) {
    std::string all;
    int empty = 0;
    for (std::string next = line(); next != "."; next = line()) {
      empty = next.empty() ? empty + 1 : 0;
      if (empty > 1'000) return false;
      all += (next.starts_with('.') ? next.substr(1) : next) + "\r\n";
    }
    const std::lock_guard guard(mutex_);
    message_ = all;
    return true;
  }

  std::string answer_to(const std::string& step) const {
    if (const auto given = script_.answers.find(step); given != script_.answers.end()) return given->second;
    if (step == "greeting") return "220 loopback ESMTP";
    if (step == "DATA") return "354 go on";
    if (step == "AUTH") return "334 ";
    if (step == "credentials") return "235 welcome";
    if (step == "STARTTLS") return "220 now";
    if (step == "QUIT") return "221 goodbye";
    std::string answer;
    if (step == "EHLO")
      for (const auto& extension : script_.extensions) answer += "250-" + extension + "\r\n";
    return answer + "250 " + (step == "message" ? "queued as 4711" : "fine");
  }

  void pause(milliseconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] { return ended_; });
  }

  const Script script_;
  boost::asio::io_context io_;
  boost::asio::ssl::context tls_{boost::asio::ssl::context::tls_server};
  Tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool ended_ = false;
  Tcp::socket* socket_ = nullptr;
  std::vector<std::string> commands_;
  std::string message_;
  std::thread thread_;
};

SmtpOptions options_for(const SmtpServer& server, Starttls starttls = Starttls::none) {
  return {.url = server.url(),
          .starttls = starttls,
          .connect_timeout = milliseconds(5'000),
          .timeout = milliseconds(10'000)};
}

Delivery delivery_by(Script script) {
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

// Sending

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

// TLS

struct SmtpTls : testing::Test {
  Script secure() const { return {.extensions = {"STARTTLS"}, .pem = pem}; }
  SmtpOptions trusting(const SmtpServer& server, Starttls starttls) const {
    SmtpOptions options = options_for(server, starttls);
    options.ca_file = pem.certificate;
    return options;
  }
  test::TemporaryFolder folder;
  Pem pem = make_certificate(folder);
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
