#include "tests/browser/person.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <chrono>
#include <regex>
#include <thread>

namespace test {
namespace {

constexpr auto kMailComes = std::chrono::seconds(60);

bool is_to(const std::string& mail, const std::string& email) {
  const auto field = mail.find("\r\nTo: ");
  const auto address = mail.find("<" + email + ">");
  return field != std::string::npos && address != std::string::npos && address < mail.find("\r\n\r\n");
}

std::string body_of(const std::string& mail) {
  const auto end = mail.find("\r\n\r\n");
  return end == std::string::npos ? std::string() : from_quoted_printable(mail.substr(end + 4));
}

}  // namespace

std::string from_quoted_printable(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') {
      out += text[i];
      continue;
    }
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text.compare(i, 3, "=\r\n") != 0 && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2)
      out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

Person::Person(std::string email)
    : server_(std::make_shared<SmtpServer>(SmtpScript{})), email_(std::move(email)) {}

Person::Person(std::string email, const Person& at_same_server)
    : server_(at_same_server.server_), email_(std::move(email)) {}

std::vector<std::string> Person::service_options() const {
  return {"--mail.smtp-url=" + server_->url(), "--mail.tls=none"};
}

std::vector<std::string> Person::mails() const {
  std::vector<std::string> all;
  for (const std::string& mail : server_->messages())
    if (is_to(mail, email_)) all.push_back(body_of(mail));
  return all;
}

std::string Person::link_in_last_mail() {
  static const std::regex kLink(R"(https?://\S+)");
  const auto until = std::chrono::steady_clock::now() + kMailComes;
  while (std::chrono::steady_clock::now() < until) {
    const auto all = mails();
    std::smatch link;
    if (all.size() > read_) {
      read_ = all.size();
      if (std::regex_search(all.back(), link, kLink)) return link.str();
      ADD_FAILURE() << "no link in the mail to " << email_ << ": " << all.back();
      return {};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "no mail to " << email_;
  return {};
}

}  // namespace test
