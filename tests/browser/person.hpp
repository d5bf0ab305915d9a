// Somebody with an e-mail address: a mail server on loopback takes what the service sends, and its links can
// be opened.
//   Person anna("anna@example.org");
//   RunningService service(anna.service_options());
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tests/smtp_server.hpp"

namespace test {

class Person {
 public:
  explicit Person(std::string email = "anna@example.org");
  /// Somebody else whose mail comes to the same server.
  Person(std::string email, const Person& at_same_server);

  const std::string& email() const { return email_; }
  const std::string password = "grünes Haus am Hang";

  /// For the service whose mails shall come here.
  std::vector<std::string> service_options() const;
  /// All mails to this person, oldest first, their text decoded.
  std::vector<std::string> mails() const;
  /// Waits for a mail that link_in_last_mail() has not answered from yet; fails the test when none comes.
  std::string link_in_last_mail();

 private:
  std::shared_ptr<SmtpServer> server_;
  std::string email_;
  std::size_t read_ = 0;
};

/// RFC 2045, 6.7.
std::string from_quoted_printable(const std::string& text);

}  // namespace test
