// A client for tests that need no sockets: bytes go into a Connection, requests and answers come out of it.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "http/wire/connection.hpp"

namespace test {

/// A connection whose requests are collected; the test answers them, or `answer_at_once` does.
class Client {
 public:
  explicit Client(http::ConnectionLimits limits = {})
      : connection(
            "192.0.2.7", limits,
            [this](http::Request&& request, std::uint64_t number) {
              requests.push_back(std::move(request));
              numbers.push_back(number);
              if (answer_at_once) connection.answer(number, answer_at_once(requests.back()), now);
            },
            [this](http::WireFault kind, const std::string&) {
              faults.push_back(kind);
              return http::Response{.status = 400, .body = "fault"};
            }) {}

  void send(std::string_view bytes) { connection.receive(bytes, now); }
  void answer(std::size_t nth, std::string body, int status = 200) {
    connection.answer(numbers.at(nth), http::Response{.status = status, .body = std::move(body)}, now);
  }
  /// What has come back since the last look.
  std::string received() { return std::exchange(connection.output(), {}); }

  http::Connection::Time now = http::Connection::Time() + std::chrono::hours(1);
  std::function<http::Response(const http::Request&)> answer_at_once;
  std::vector<http::Request> requests;
  std::vector<std::uint64_t> numbers;
  std::vector<http::WireFault> faults;
  http::Connection connection;
};

/// How often `part` stands in `text`.
inline std::size_t count_of(std::string_view part, std::string_view text) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

}  // namespace test
