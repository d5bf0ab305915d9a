#include "tests/http/service/raw_client.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "tests/http/service/description_check.hpp"

namespace test {

namespace {

/// Takes the first whole answer from the bytes; nothing when it has not arrived yet.
std::optional<Reply> take_reply(std::string& bytes, bool head) {
  const auto end = bytes.find("\r\n\r\n");
  if (end == std::string::npos || !bytes.starts_with("HTTP/1.1 ")) return {};
  Reply reply;
  std::istringstream lines(bytes.substr(0, end + 2));
  std::string line;
  std::getline(lines, line);
  reply.status = std::stoi(line.substr(9, 3));
  while (std::getline(lines, line)) {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    reply.headers[name] = line.substr(colon + 2, line.size() - colon - 3);
  }
  const auto length = reply.headers.find("content-length");
  const std::size_t size = head || length == reply.headers.end() ? 0 : std::stoul(length->second);
  if (bytes.size() < end + 4 + size) return {};
  reply.body = bytes.substr(end + 4, size);
  bytes.erase(0, end + 4 + size);
  return reply;
}

}  // namespace

RawClient::RawClient(std::uint16_t port, const std::string& from)
    : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  ::inet_pton(AF_INET, from.c_str(), &address.sin_addr);
  const auto* const as_socket = reinterpret_cast<const sockaddr*>(&address);
  const bool bound = ::bind(fd_, as_socket, sizeof address) == 0;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bound && ::connect(fd_, as_socket, sizeof address) == 0) return;
  ::close(fd_);
  fd_ = -1;
}

RawClient::~RawClient() {
  if (fd_ >= 0) ::close(fd_);
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void RawClient::say_no_more() { ::shutdown(fd_, SHUT_WR); }

void RawClient::hang_up() {
  const linger at_once{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(fd_);
  fd_ = -1;
}

RawClient::Heard RawClient::hear(std::size_t most, std::chrono::milliseconds patience,
                                 const std::vector<std::size_t>& heads) {
  Heard heard;
  const auto end = std::chrono::steady_clock::now() + patience;
  while (heard.replies.size() < most) {
    const bool head = std::count(heads.begin(), heads.end(), heard.replies.size()) > 0;
    if (auto reply = take_reply(bytes_, head)) {
      if (reply->status != 100) {
        EXPECT_EQ(description().faults_of_any(*reply), "") << reply->body;
      }
      heard.statuses.push_back(reply->status);
      heard.replies.push_back(std::move(*reply));
      continue;
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd readable{fd_, POLLIN, 0};
    if (left <= 0 || ::poll(&readable, 1, static_cast<int>(left)) <= 0) break;
    std::array<char, 65536> buffer{};
    const ssize_t got = ::recv(fd_, buffer.data(), buffer.size(), 0);
    if (got <= 0) {
      heard.closed = true;
      break;
    }
    bytes_.append(buffer.data(), static_cast<std::size_t>(got));
  }
  heard.rest = bytes_;
  return heard;
}

}  // namespace test
