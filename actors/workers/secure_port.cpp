#include "actors/workers/secure_port.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <optional>
#include <thread>

namespace actors {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using TlsStream = asio::ssl::stream<tcp::socket>;

constexpr std::chrono::seconds kHandshake{5};
constexpr std::chrono::milliseconds kNoDescriptor{100};
constexpr std::size_t kPart_bytes = 64U << 10U;

/// Reads the headers of CAF 0.17's protocol (BASP) as the bytes pass: 32 bytes, of which those from the fifth
/// to the eighth are the length of what follows, the highest first.
class FrameLimit {
 public:
  explicit FrameLimit(std::size_t most) : most_(most) {}
  /// False when a header announces more than is allowed.
  bool pass(const unsigned char* bytes, std::size_t size) {
    while (size > 0) {
      if (payload_ > 0) {
        const std::size_t part = std::min(size, payload_);
        payload_ -= part, bytes += part, size -= part;
        continue;
      }
      header_[filled_++] = *bytes++, --size;
      if (filled_ < header_.size()) continue;
      filled_ = 0;
      payload_ = std::size_t{header_[4]} << 24U | std::size_t{header_[5]} << 16U |
                 std::size_t{header_[6]} << 8U | std::size_t{header_[7]};
      if (payload_ > most_) return false;
    }
    return true;
  }

 private:
  std::size_t most_, payload_ = 0, filled_ = 0;
  std::array<unsigned char, 32> header_{};
};

asio::ssl::context context_of(const MutualTlsPtr& tls) {
  SSL_CTX_up_ref(tls->get());  // the object made here gives it back
  return asio::ssl::context(tls->get());
}

/// Carries bytes between a TLS connection and a local socket. Each direction holds one part and reads the
/// next when that has been taken: whoever does not read is not read for.
class Relay : public std::enable_shared_from_this<Relay> {
 public:
  Relay(TlsStream outside, asio::local::stream_protocol::socket inside, std::size_t frame_max,
        std::function<void()> on_end)
      : outside_(std::move(outside)),
        inside_(std::move(inside)),
        limit_(frame_max),
        on_end_(std::move(on_end)) {}

  /// Bytes that have come through already.
  bool has_passed(const unsigned char* bytes, std::size_t size) { return limit_.pass(bytes, size); }
  void start() {
    read_outside();
    read_inside();
  }
  void end() {
    error_code ignored;
    outside_.lowest_layer().close(ignored);
    inside_.close(ignored);
    if (const auto told = std::exchange(on_end_, nullptr)) told();
  }

 private:
  void read_outside() {
    outside_.async_read_some(asio::buffer(in_),
                             [self = shared_from_this()](const error_code& error, std::size_t n) {
                               if (error || !self->limit_.pass(self->in_.data(), n)) return self->end();
                               asio::async_write(self->inside_, asio::buffer(self->in_, n),
                                                 [self](const error_code& failed, std::size_t) {
                                                   if (failed) return self->end();
                                                   self->read_outside();
                                                 });
                             });
  }
  void read_inside() {
    inside_.async_read_some(asio::buffer(out_),
                            [self = shared_from_this()](const error_code& error, std::size_t n) {
                              if (error) return self->end();
                              asio::async_write(self->outside_, asio::buffer(self->out_, n),
                                                [self](const error_code& failed, std::size_t) {
                                                  if (failed) return self->end();
                                                  self->read_inside();
                                                });
                            });
  }
  TlsStream outside_;
  asio::local::stream_protocol::socket inside_;
  FrameLimit limit_;
  std::function<void()> on_end_;
  std::array<unsigned char, kPart_bytes> in_, out_;
};

/// A pair of local sockets: one for the relay, one to hand on.
struct Inside {
  asio::local::stream_protocol::socket ours;
  int theirs;
};
std::optional<Inside> local_pair(asio::io_context& context) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) return {};
  return Inside{{context, asio::local::stream_protocol(), ends[0]}, ends[1]};
}

/// A dead peer is noticed by CAF's heartbeats; small messages are not held back.
void tune(tcp::socket& socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
}

std::string place_of(const SecurePortOptions& options) {
  return options.host + ":" + std::to_string(options.port);
}

}  // namespace

// ---- the port ---------------------------------------------------------------------------------------------

struct SecurePort::State {
  struct Stranger {
    Stranger(asio::io_context& io, tcp::socket socket, asio::ssl::context& tls)
        : stream(std::move(socket), tls), until(io) {}
    TlsStream stream;
    asio::steady_timer until;
    bool over = false;
  };
  using StrangerPtr = std::shared_ptr<Stranger>;

  State(SecurePortOptions with, const MutualTlsPtr& shared, OnMember member, OnRefused refused)
      : options(std::move(with)),
        tls(context_of(shared)),
        on_member(std::move(member)),
        on_refused(std::move(refused)) {}

  std::optional<std::string> open() {
    error_code error;
    tcp::resolver resolver(io);
    const auto found = resolver.resolve(options.host, std::to_string(options.port), error);
    if (error || found.empty()) return error.message();
    const tcp::endpoint place = *found.begin();
    acceptor.open(place.protocol(), error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(place, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) return error.message();
    return {};
  }

  void accept() {
    acceptor.async_accept([this](const error_code& error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {  // no descriptor is left, or the stranger has gone again
        pause.expires_after(kNoDescriptor);
        pause.async_wait([this](const error_code& stopped) {
          if (!stopped) accept();
        });
        return;
      }
      greet(std::move(socket));
      accept();
    });
  }

  void greet(tcp::socket socket) {
    if (members >= options.members_max) return on_refused("places");
    if (strangers.size() >= options.strangers_max) give_up(strangers.front());
    tune(socket);
    const auto stranger = std::make_shared<Stranger>(io, std::move(socket), tls);
    strangers.push_back(stranger);
    stranger->until.expires_after(kHandshake);
    stranger->until.async_wait([this, stranger](const error_code& stopped) {
      if (!stopped) give_up(stranger);
    });
    stranger->stream.async_handshake(TlsStream::server, [this, stranger](const error_code& error) {
      if (stranger->over) return;
      if (error) return give_up(stranger);
      forget(stranger);
      let_in(std::move(stranger->stream));
    });
  }

  void give_up(const StrangerPtr& stranger) {
    if (stranger->over) return;
    error_code ignored;
    stranger->stream.lowest_layer().close(ignored);
    forget(stranger);
    on_refused("tls");
  }

  void forget(const StrangerPtr& stranger) {
    stranger->over = true;
    stranger->until.cancel();
    std::erase(strangers, stranger);
  }

  void let_in(TlsStream stream) {
    auto inside = local_pair(io);
    if (!inside) return on_refused("places");
    ++members;
    std::make_shared<Relay>(std::move(stream), std::move(inside->ours), options.frame_max, [this] {
      --members;
    })->start();
    on_member(inside->theirs);
  }

  asio::io_context io{1};  // first: all that follows lives in it
  SecurePortOptions options;
  asio::ssl::context tls;
  OnMember on_member;
  OnRefused on_refused;
  std::size_t members = 0;
  std::deque<StrangerPtr> strangers;  // the oldest first
  tcp::acceptor acceptor{io};
  asio::steady_timer pause{io};
  std::thread thread;
};

SecurePort::SecurePort(std::unique_ptr<State> state) : state_(std::move(state)) {}

SecurePort::~SecurePort() {
  state_->io.stop();
  if (state_->thread.joinable()) state_->thread.join();
}

std::uint16_t SecurePort::port() const { return state_->acceptor.local_endpoint().port(); }

tl::expected<std::unique_ptr<SecurePort>, std::string> SecurePort::listen(const SecurePortOptions& options,
                                                                          const MutualTlsPtr& tls,
                                                                          OnMember on_member,
                                                                          OnRefused on_refused) {
  auto state = std::make_unique<State>(options, tls, std::move(on_member), std::move(on_refused));
  if (const auto fault = state->open())
    return tl::make_unexpected(place_of(options) + " cannot be listened on (" + *fault + ")");
  state->accept();
  state->thread = std::thread([raw = state.get()] { raw->io.run(); });
  return std::unique_ptr<SecurePort>(new SecurePort(std::move(state)));
}

// ---- the link ---------------------------------------------------------------------------------------------

struct SecureLink::State {
  explicit State(const MutualTlsPtr& shared) : tls(context_of(shared)), stream(io, tls) {}

  /// Runs what has been begun, at most until the time is over.
  bool in_time(error_code& result, std::chrono::steady_clock::time_point until) {
    io.restart();
    result = asio::error::would_block;
    while (result == asio::error::would_block)
      if (io.run_one_until(until) == 0) {
        error_code ignored;
        stream.lowest_layer().close(ignored);
        io.run();  // what was begun ends, aborted
        result = asio::error::timed_out;
      }
    return !result;
  }

  /// TCP, TLS, and the home's first word, which it says when it has seen our certificate. The error is what
  /// was not reached.
  std::optional<std::string> reach(const tcp::endpoint& place) {
    const auto until = std::chrono::steady_clock::now() + kHandshake;
    error_code error;
    stream.lowest_layer().async_connect(place, [&](const error_code& e) { error = e; });
    if (!in_time(error, until)) return "cannot be reached (" + error.message() + ")";
    tune(stream.next_layer());
    stream.async_handshake(TlsStream::client, [&](const error_code& e) { error = e; });
    if (!in_time(error, until)) return "does not show a certificate of cluster.ca (" + error.message() + ")";
    stream.async_read_some(asio::buffer(first),
                           [&](const error_code& e, std::size_t n) { error = e, got = n; });
    if (!in_time(error, until)) return "does not take this machine's certificate (" + error.message() + ")";
    return {};
  }

  std::optional<std::string> start(std::size_t frame_max) {
    auto inside = local_pair(io);
    if (!inside) return std::string("no descriptor is left");
    descriptor = inside->theirs;
    error_code error;
    asio::write(inside->ours, asio::buffer(first, got), error);  // an empty socket takes a header's size
    if (error) return error.message();
    relay = std::make_shared<Relay>(std::move(stream), std::move(inside->ours), frame_max, nullptr);
    if (!relay->has_passed(first.data(), got)) return std::string("it announces a message that is too large");
    relay->start();
    io.restart();
    thread = std::thread([this] { io.run(); });
    return {};
  }

  asio::io_context io{1};
  asio::ssl::context tls;
  TlsStream stream;
  std::array<unsigned char, 4096> first{};
  std::size_t got = 0;
  int descriptor = -1;
  std::shared_ptr<Relay> relay;
  std::thread thread;
};

SecureLink::SecureLink(std::unique_ptr<State> state) : state_(std::move(state)) {}

SecureLink::~SecureLink() {
  asio::post(state_->io, [relay = state_->relay] { relay->end(); });
  state_->thread.join();
  if (state_->descriptor >= 0) ::close(state_->descriptor);
}

int SecureLink::take_descriptor() { return std::exchange(state_->descriptor, -1); }

tl::expected<std::unique_ptr<SecureLink>, std::string> SecureLink::connect(const SecurePortOptions& to,
                                                                           const MutualTlsPtr& tls) {
  error_code error;
  asio::io_context names;
  const auto places = tcp::resolver(names).resolve(to.host, std::to_string(to.port), error);
  if (error) return tl::make_unexpected(place_of(to) + ": " + error.message());
  std::string fault;
  for (const auto& place : places) {
    auto state = std::make_unique<State>(tls);
    if (const auto not_reached = state->reach(place.endpoint())) {
      fault = place_of(to) + " " + *not_reached;
      continue;
    }
    if (const auto not_started = state->start(to.frame_max)) {
      fault = place_of(to) + ": " + *not_started;
      continue;
    }
    return std::unique_ptr<SecureLink>(new SecureLink(std::move(state)));
  }
  return tl::make_unexpected(fault);
}

}  // namespace actors
