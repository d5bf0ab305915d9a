#include "persistence/channel.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "persistence/keys.hpp"

namespace persistence {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kFrameHeader = 9;
constexpr std::size_t kReadAtOnce = 256U << 10U, kWriteAtOnce = 64U << 10U, kKept = 1U << 20U;

std::string four_bytes(std::uint32_t number) { return number_key(number).substr(4); }
std::uint32_t four_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint32_t>(number_at(bytes.substr(at, 4), 0));
}

std::uint32_t frame_sum(char kind, std::string_view payload) {
  const uLong sum = ::crc32(0, reinterpret_cast<const Bytef*>(&kind), 1);
  if (payload.empty()) return static_cast<std::uint32_t>(sum);  // a null pointer would begin anew
  return static_cast<std::uint32_t>(
      ::crc32_z(sum, reinterpret_cast<const Bytef*>(payload.data()), payload.size()));
}

std::string of_errno() { return std::generic_category().message(errno); }

struct Addresses {
  addrinfo* first = nullptr;
  ~Addresses() {
    if (first) ::freeaddrinfo(first);
  }
};

bool look_up_host(const std::string& host, std::uint16_t port, Addresses& found, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  return ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found.first) == 0;
}

}  // namespace

void Channel::Deleter::operator()(ssl_st* session) const { SSL_free(session); }

Channel::Channel(int socket, std::shared_ptr<const MutualTls> tls, std::chrono::milliseconds patience)
    : socket_(socket), tls_(std::move(tls)), session_(SSL_new(tls_->get())), patience_(patience) {
  if (!session_) throw std::bad_alloc();
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  SSL_set_mode(session_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_set_fd(session_.get(), socket_);
}

Channel::~Channel() {
  session_.reset();
  ::close(socket_);
}

tl::expected<std::unique_ptr<Channel>, std::string> Channel::connect(const std::string& host,
                                                                     std::uint16_t port,
                                                                     std::shared_ptr<const MutualTls> tls,
                                                                     std::chrono::milliseconds patience) {
  const std::string where = host + ":" + std::to_string(port) + ": ";
  Addresses found;
  if (!look_up_host(host, port, found, 0)) return tl::make_unexpected(where + "the host is not known");
  const int socket = ::socket(found.first->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return tl::make_unexpected(where + of_errno());
  std::unique_ptr<Channel> channel(new Channel(socket, std::move(tls), patience));
  if (::connect(socket, found.first->ai_addr, found.first->ai_addrlen) != 0 && errno != EINPROGRESS)
    return tl::make_unexpected(where + of_errno());
  int fault = 0;
  socklen_t size = sizeof fault;
  if (!channel->wait(POLLOUT, patience)) return tl::make_unexpected(where + "nobody answers");
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &fault, &size);
  if (fault != 0) return tl::make_unexpected(where + std::generic_category().message(fault));
  channel->expect(host);
  // Much comes from whom one connects to: not two system calls for every 16 kB.
  SSL_set_read_ahead(channel->session_.get(), 1);
  SSL_set_default_read_buffer_len(channel->session_.get(), kReadAtOnce);
  SSL_set_connect_state(channel->session_.get());
  while (!channel->shakes_hands()) {
    if (channel->over_) return tl::make_unexpected(where + channel->fault_);
    channel->wait(SSL_want_write(channel->session_.get()) ? POLLOUT : POLLIN, 100ms);
  }
  return channel;
}

std::unique_ptr<Channel> Channel::accepted(int socket, const std::string& host,
                                           std::shared_ptr<const MutualTls> tls,
                                           std::chrono::milliseconds patience) {
  std::unique_ptr<Channel> channel(new Channel(socket, std::move(tls), patience));
  channel->expect(host);
  SSL_set_accept_state(channel->session_.get());
  return channel;
}

void Channel::expect(const std::string& host) {
  X509_VERIFY_PARAM* const rules = SSL_get0_param(session_.get());
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  const bool numeric = ::inet_pton(AF_INET, host.c_str(), ignored.data()) == 1 ||
                       ::inet_pton(AF_INET6, host.c_str(), ignored.data()) == 1;
  if ((numeric ? X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str())
               : X509_VERIFY_PARAM_set1_host(rules, host.c_str(), host.size())) != 1)
    throw std::bad_alloc();
}

bool Channel::shakes_hands() {
  ERR_clear_error();
  const int done = SSL_do_handshake(session_.get());
  if (done == 1) return true;
  const int why = SSL_get_error(session_.get(), done);
  if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) {
    if (std::chrono::steady_clock::now() - begun_ > patience_) give_up("no TLS in time");
    return false;
  }
  const long verified = SSL_get_verify_result(session_.get());
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  give_up(verified != X509_V_OK
              ? "its certificate is refused (" + std::string(X509_verify_cert_error_string(verified)) + ")"
              : "no TLS (" + std::string(reason ? reason : "the connection has ended") + ")");
  return false;
}

void Channel::give_up(std::string why) {
  if (over_) return;
  over_ = true;
  fault_ = std::move(why);
}

bool Channel::wait(short events, std::chrono::milliseconds most, int wake) {
  std::array<pollfd, 2> places{{{socket_, events, 0}, {wake, POLLIN, 0}}};
  return ::poll(places.data(), wake < 0 ? 1 : 2, static_cast<int>(most.count())) > 0;
}

/// All bytes that have come.
void Channel::take_in() {
  if (read_ == in_.size() || read_ > kReadAtOnce) {
    in_.erase(0, read_);
    read_ = 0;
  }
  for (std::size_t taken = 0; !over_ && taken < kReadAtOnce;) {
    const std::size_t had = in_.size();
    constexpr std::size_t kPiece = 16U << 10U;
    in_.resize(had + kPiece);
    ERR_clear_error();
    const int got = SSL_read(session_.get(), in_.data() + had, static_cast<int>(kPiece));
    in_.resize(had + static_cast<std::size_t>(std::max(got, 0)));
    if (got > 0) {
      taken += static_cast<std::size_t>(got);
      continue;
    }
    const int why = SSL_get_error(session_.get(), got);
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) return;
    const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
    give_up(reason ? reason : "the other member has ended the connection");
  }
}

bool Channel::add(char kind, std::string_view payload) {
  out_ +=
      four_bytes(static_cast<std::uint32_t>(payload.size())) + kind + four_bytes(frame_sum(kind, payload));
  out_ += payload;
  return out_.size() < kWriteAtOnce ? !over_ : flush();
}

bool Channel::flush() {
  auto end = std::chrono::steady_clock::now() + patience_;
  for (std::size_t sent = 0; sent < out_.size() && !over_;) {
    ERR_clear_error();
    const int n = SSL_write(session_.get(), out_.data() + sent,
                            static_cast<int>(std::min<std::size_t>(out_.size() - sent, 1U << 20U)));
    if (n > 0) {
      sent += static_cast<std::size_t>(n);
      end = std::chrono::steady_clock::now() + patience_;
      continue;
    }
    const int why = SSL_get_error(session_.get(), n);
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) {
      give_up("the other member has ended the connection");
    } else if (std::chrono::steady_clock::now() > end) {
      give_up("the other member takes nothing");
    } else if (wait(POLLIN | POLLOUT, 100ms)) {
      take_in();  // or both could wait for each other with full buffers
    }
  }
  out_.clear();
  if (out_.capacity() > kKept) out_.shrink_to_fit();
  return !over_;
}

std::optional<Frame> Channel::frame() {
  const std::string_view have = std::string_view(in_).substr(read_);
  if (have.size() < kFrameHeader) return {};
  const std::uint32_t size = four_at(have, 0);
  if (size > frame_max_) {
    give_up("a frame of " + std::to_string(size) + " bytes is too long");
    return {};
  }
  if (have.size() < kFrameHeader + size) return {};
  Frame frame{have[4], std::string(have.substr(kFrameHeader, size))};
  if (four_at(have, 5) != frame_sum(frame.kind, frame.payload)) {
    give_up("a frame is damaged");
    return {};
  }
  read_ += kFrameHeader + size;
  return frame;
}

std::optional<Frame> Channel::receive(std::chrono::milliseconds most, int wake) {
  const auto end = std::chrono::steady_clock::now() + most;
  for (;;) {
    if (auto found = frame()) return found;  // also one that came just before the end
    if (over_) return {};
    const std::size_t had = in_.size() - read_;
    take_in();
    if (in_.size() - read_ != had) continue;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (over_ || left <= 0ms) break;
    if (!wait(POLLIN, left, wake)) break;
    pollfd woken{wake, POLLIN, 0};
    if (wake >= 0 && ::poll(&woken, 1, 0) > 0) {
      take_in();
      return frame();
    }
  }
  return frame();
}

bool Channel::has_more() const {
  if (in_.size() > read_ || SSL_has_pending(session_.get()) == 1) return true;
  pollfd place{socket_, POLLIN, 0};
  return ::poll(&place, 1, 0) > 0;
}

tl::expected<int, std::string> listen_on(const std::string& host, std::uint16_t port) {
  const std::string where = host + ":" + std::to_string(port) + " cannot be listened on (";
  Addresses found;
  if (!look_up_host(host, port, found, AI_PASSIVE)) return tl::make_unexpected(where + "not known)");
  const int socket = ::socket(found.first->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (socket < 0 || ::bind(socket, found.first->ai_addr, found.first->ai_addrlen) != 0 ||
      ::listen(socket, 16) != 0) {
    const std::string why = of_errno();
    if (socket >= 0) ::close(socket);
    return tl::make_unexpected(where + why + ")");
  }
  return socket;
}

FrameWriter& FrameWriter::number(std::uint64_t value) {
  bytes_ += number_key(value);
  return *this;
}

FrameWriter& FrameWriter::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
  return *this;
}

std::uint64_t FrameReader::number() {
  constexpr std::size_t kBytes = 8;
  if (bytes_.size() < kBytes) {
    whole_ = false;
    bytes_ = {};
    return 0;
  }
  const std::uint64_t value = number_at(bytes_, 0);
  bytes_.remove_prefix(kBytes);
  return value;
}

std::string_view FrameReader::text() {
  const std::uint64_t size = number();
  if (size > bytes_.size()) {
    whole_ = false;
    bytes_ = {};
  }
  const std::string_view value = bytes_.substr(0, size);
  bytes_.remove_prefix(value.size());
  return value;
}

}  // namespace persistence
