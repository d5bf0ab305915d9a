// The bytes of a mail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/actors/mail/some_mail.hpp"

namespace {

using actors::Mail;
using actors::mail_text;
using test::bytes_of;
using test::some_mail;
using testing::HasSubstr;

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

}  // namespace
