// An SMTP server on loopback that does what a script says, with a certificate of its own if need be.
#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/certificate.hpp"

namespace test {

/// What the server does, step by step. Steps are the client's verbs, "greeting", "credentials" (after AUTH)
/// and "message" (after its last line).
struct SmtpScript {
  std::map<std::string, std::string> answers;  ///< other than the usual ones
  std::vector<std::string> extensions;         ///< that EHLO names
  std::string silent_at;                       ///< the step from which on it says nothing
  std::string closes_at;                       ///< the step at which it hangs up
  std::chrono::milliseconds greets_after{0};
  PemFiles pem;  ///< empty: what it says after STARTTLS's answer is no TLS
  bool speaks_tls_first = false;
};

class SmtpServer {
  using Tcp = boost::asio::ip::tcp;

 public:
  explicit SmtpServer(SmtpScript script)
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
  /// The last one, as it was before dots were doubled.
  std::string message() const {
    const std::lock_guard guard(mutex_);
    return messages_.empty() ? std::string() : messages_.back();
  }
  /// All of them, oldest first.
  std::vector<std::string> messages() const {
    const std::lock_guard guard(mutex_);
    return messages_;
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
    messages_.push_back(all);
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

  void pause(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] { return ended_; });
  }

  const SmtpScript script_;
  boost::asio::io_context io_;
  boost::asio::ssl::context tls_{boost::asio::ssl::context::tls_server};
  Tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool ended_ = false;
  Tcp::socket* socket_ = nullptr;
  std::vector<std::string> commands_;
  std::vector<std::string> messages_;
  std::thread thread_;
};

}  // namespace test
