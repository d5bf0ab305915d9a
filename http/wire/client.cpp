#include "http/wire/client.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace http {
namespace {

constexpr auto kLinger = std::chrono::seconds(2);
/// Of TLS's own messages, such as answers to a client that changes keys all the time.
constexpr std::size_t kTlsBytesMax = 1U << 20U;

/// Sends what the other end takes of `output`, and returns the number of bytes. `gone`: the connection is
/// broken.
std::size_t write_all(int fd, std::string& output, bool& gone) {
  std::size_t sent = 0;
  while (sent < output.size()) {
    const ssize_t n = ::send(fd, output.data() + sent, output.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    gone |= n < 0 && errno != EAGAIN && errno != EWOULDBLOCK;
    if (n <= 0) break;
    sent += static_cast<std::size_t>(n);
  }
  output.erase(0, sent);
  return sent;
}

}  // namespace

void Wire::receive(std::string_view bytes, Time now) {
  std::string plain;
  if (tls) {
    broken |= !tls->receive(bytes, plain);
    bytes = plain;
  }
  if (!bytes.empty()) connection->receive(bytes, now);
}

bool Wire::wants_input() const {
  return !gone && !ended && connection->wants_input() && (!tls || tls->held() < kTlsBytesMax);
}

bool Wire::send(Time now) {
  bool any = false;
  while (true) {
    const std::size_t sent = write_all(fd, outgoing(), gone);
    stuck = !outgoing().empty();
    pace.sent(sent, outgoing().size(), now);
    if (sent == 0) return any;
    any = true;
    connection->drained(now);  // there is room again: waiting requests may be answered at once
  }
}

/// With TLS, text is encrypted only when all earlier bytes have been sent. What a slow reader does not take
/// stays in the connection, which is bounded.
std::string& Wire::outgoing() {
  std::string& text = connection->output();
  if (!tls) return text;
  if (tls->wire().empty() && !text.empty()) {
    tls->send(text);
    text.clear();
  }
  return tls->wire();
}

bool Wire::finished() const {
  if (broken) return true;
  const bool said = connection->output().empty() && (!tls || tls->held() == 0);
  return said && connection->closing() && !connection->busy();
}

void Wire::half_close(Time now) {
  if (half_closed) return;
  if (tls && !broken) {
    tls->close();
    write_all(fd, tls->wire(), gone);
  }
  half_closed = now;
  ::shutdown(fd, SHUT_WR);
}

bool Wire::overdue(Time now) const {
  if (half_closed) return now - *half_closed > kLinger;
  if (tls && !tls->established() && now - opened > header_timeout) return true;
  return pace.stalled(now) || connection->overdue(now) == Connection::Overdue::idle;
}

std::size_t Wire::held() const { return connection->held() + (tls ? tls->held() : 0); }

std::ptrdiff_t Wire::newly_held() {
  const std::size_t now = held();
  return static_cast<std::ptrdiff_t>(now) - static_cast<std::ptrdiff_t>(std::exchange(accounted_, now));
}

bool Wire::insists(int status, Time now) {
  constexpr int kPatience = 4;
  if (status != 429 && status != 503) return false;
  if (now - refused_since_ > std::chrono::seconds(1)) {
    refused_since_ = now;
    refusals_ = 0;
  }
  return ++refusals_ > kPatience;
}

}  // namespace http
