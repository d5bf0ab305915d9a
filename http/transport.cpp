#include "http/transport.hpp"

#include <pistache/net.h>
#include <pistache/peer.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <optional>
#include <set>
#include <vector>

#include "http/outbox.hpp"

namespace http {

namespace pi = Pistache;
using SteadyClock = std::chrono::steady_clock;

struct Wire {
  pi::Fd fd = -1;
  std::unique_ptr<Connection> connection;
  std::unique_ptr<TlsSession> tls;                     // null without TLS
  bool broken = false;                                 // the other end speaks no TLS that we understand
  std::optional<SteadyClock::time_point> half_closed;  // we have said all; the other end has not hung up yet
  SteadyClock::time_point refused_since;               // begin of the second in which refusals are counted
  int refusals = 0;

  /// Refusals tell when to come again. Whoever asks again and again within a second does not read them.
  bool insists(int status, SteadyClock::time_point now) {
    constexpr int kPatience = 4;
    if (status != 429 && status != 503) return false;
    if (now - refused_since > std::chrono::seconds(1)) {
      refused_since = now;
      refusals = 0;
    }
    return ++refusals > kPatience;
  }
};

namespace {

constexpr auto kWireKey = "wire";
constexpr auto kTick = std::chrono::milliseconds(500);
constexpr auto kLinger = std::chrono::seconds(2);

Wire& wire_of(const pi::Tcp::Peer& peer) { return *static_cast<Wire*>(peer.getData(kWireKey).get()); }

/// What is beyond the bound is refused before it costs anything, so that the others keep their pace.
void hand_over(const Reactors& reactors, Request&& request, Responder responder) {
  try {
    if (reactors.rules->under_way > reactors.options.requests_max)
      return responder.send(reactors.handlers.on_fault(WireFault::overloaded, request.id));
    reactors.handlers.on_request(std::move(request), std::move(responder));
  } catch (const std::exception&) {
    // The responder, let go of, has answered.
  }
}

/// Pistache's view of what to do with bytes; one a reactor thread.
class WireHandler : public pi::Tcp::Handler {
 public:
  explicit WireHandler(std::shared_ptr<Reactors> reactors)
      : reactors_(std::move(reactors)), outbox_(std::make_shared<Outbox>()) {}
  std::shared_ptr<pi::Tcp::Handler> clone() const override {
    return std::make_shared<WireHandler>(reactors_);
  }

  void onConnection(const std::shared_ptr<pi::Tcp::Peer>& peer) override {
    auto wire = std::make_shared<Wire>();
    wire->fd = peer->fd();
    wire->connection = std::make_unique<Connection>(
        peer->address().host(), reactors_->options.limits,
        [reactors = reactors_, outbox = outbox_, weak = std::weak_ptr(wire)](Request&& request,
                                                                             std::uint64_t number) {
          Responder responder(outbox, weak, number, request.id, reactors->rules);
          hand_over(*reactors, std::move(request), std::move(responder));
        },
        [reactors = reactors_](WireFault kind, const std::string& id) {
          Response response = reactors->handlers.on_fault(kind, id);
          if (reactors->rules->on_answered) reactors->rules->on_answered({.id = id}, response);
          return response.with("X-Request-Id", id);
        });
    if (reactors_->tls) wire->tls = std::make_unique<TlsSession>(reactors_->tls);
    peer->putData(kWireKey, wire);
    if (++reactors_->connections > reactors_->options.connections_max)
      wire->connection->fault(WireFault::overloaded, SteadyClock::now());
    touched_.insert(wire->fd);
  }

  void onDisconnection(const std::shared_ptr<pi::Tcp::Peer>&) override { --reactors_->connections; }

  void onInput(const char* bytes, std::size_t length, const std::shared_ptr<pi::Tcp::Peer>& peer) override {
    Wire& wire = wire_of(*peer);
    std::string_view text(bytes, length);
    std::string plain;
    if (wire.tls) {
      wire.broken |= !wire.tls->receive(text, plain);
      text = plain;
    }
    if (!text.empty()) wire.connection->receive(text, SteadyClock::now());
    touched_.insert(peer->fd());
  }

  Outbox& outbox() { return *outbox_; }
  /// Descriptors that may have something to send since the last look.
  std::set<pi::Fd>& touched() { return touched_; }

 private:
  std::shared_ptr<Reactors> reactors_;
  std::shared_ptr<Outbox> outbox_;
  std::set<pi::Fd> touched_;
};

/// One reactor thread. Pistache's transport accepts and reads; writing, time-outs and closing are done here,
/// in the thread that owns the descriptors, and only after Pistache's own pass over the events.
class WireTransport : public pi::Tcp::Transport {
 public:
  explicit WireTransport(const std::shared_ptr<WireHandler>& handler)
      : Transport(handler), handler_(handler) {}
  ~WireTransport() override {
    if (timer_ >= 0) ::close(timer_);
  }

  std::shared_ptr<pi::Aio::Handler> clone() const override {
    return std::make_shared<WireTransport>(std::static_pointer_cast<WireHandler>(handler_->clone()));
  }

  void registerPoller(pi::Polling::Epoll& poller) override {
    Transport::registerPoller(poller);
    timer_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    const timespec tick{0, std::chrono::nanoseconds(kTick).count()};
    const itimerspec every{tick, tick};
    ::timerfd_settime(timer_, 0, &every, nullptr);
    for (const pi::Fd fd : {timer_, handler_->outbox().event()})
      poller.addFd(fd, pi::Flags<pi::Polling::NotifyOn>(pi::Polling::NotifyOn::Read), pi::Polling::Tag(fd));
  }

  void onReady(const pi::Aio::FdSet& fds) override {
    bool tick = false;
    bool answers = false;
    std::set<pi::Fd>& touched = handler_->touched();
    for (const auto& entry : fds) {
      const auto fd = static_cast<pi::Fd>(entry.getTag().value());
      tick |= fd == timer_;
      answers |= fd == handler_->outbox().event();
      if (entry.isWritable()) touched.insert(fd);
    }
    Transport::onReady(fds);
    if (tick) give(std::exchange(held_back_, {}));
    if (answers) take_answers();
    for (const pi::Fd fd : touched) send_output(fd);
    touched.clear();
    if (tick) close_idle_ones();
  }

 private:
  /// A caller that floods us with what was refused gets its refusals at the next tick: it waits for them, and
  /// the time that answering it would cost is left to the others.
  void take_answers() {
    const auto now = SteadyClock::now();
    std::vector<Outbox::Reply> at_once;
    for (Outbox::Reply& reply : handler_->outbox().take()) {
      const auto wire = reply.wire.lock();
      if (wire)
        (wire->insists(reply.response.status, now) ? held_back_ : at_once).push_back(std::move(reply));
    }
    give(at_once);
  }

  void give(const std::vector<Outbox::Reply>& replies) {
    const auto now = SteadyClock::now();
    for (const Outbox::Reply& reply : replies) {
      const auto wire = reply.wire.lock();
      if (!wire) continue;
      wire->connection->answer(reply.number, reply.response, now);
      handler_->touched().insert(wire->fd);
    }
  }

  void send_output(pi::Fd fd) {
    const auto it = peers.find(fd);
    if (it == peers.end()) return;
    Wire& wire = wire_of(*it->second);
    const pi::Tcp::Peer& peer = *it->second;
    for (std::size_t sent = write_all(peer, outgoing(wire)); sent > 0; sent = write_all(peer, outgoing(wire)))
      // Room again: requests that waited for it may be answered at once.
      wire.connection->drained(SteadyClock::now());
    using pi::Polling::NotifyOn;
    if (!outgoing(wire).empty())
      reactor()->modifyFd(key(), fd, NotifyOn::Read | NotifyOn::Write, pi::Polling::Mode::Edge);
    else if ((wire.broken || (wire.connection->closing() && !wire.connection->busy())) && !wire.half_closed)
      half_close(wire, peer);
  }

  /// What the wire has to carry next. With TLS, text becomes bytes only when the bytes before it are gone:
  /// what a slow reader leaves waits in the connection, which is bounded.
  static std::string& outgoing(Wire& wire) {
    std::string& text = wire.connection->output();
    if (!wire.tls) return text;
    if (wire.tls->wire().empty() && !text.empty()) {
      wire.tls->send(text);
      text.clear();
    }
    return wire.tls->wire();
  }

  /// Half-close and wait: a close at once could make the kernel throw away the answer that is under way.
  static void half_close(Wire& wire, const pi::Tcp::Peer& peer) {
    if (wire.tls && !wire.broken) {
      wire.tls->close();
      write_all(peer, wire.tls->wire());
    }
    wire.half_closed = SteadyClock::now();
    ::shutdown(wire.fd, SHUT_WR);
  }

  /// Takes from `output` what the other end takes; how many bytes that were.
  static std::size_t write_all(const pi::Tcp::Peer& peer, std::string& output) {
    std::size_t sent = 0;
    while (sent < output.size()) {
      const ssize_t n =
          ::send(peer.fd(), output.data() + sent, output.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n <= 0) break;
      sent += static_cast<std::size_t>(n);
    }
    output.erase(0, sent);
    return sent;
  }

  void close_idle_ones() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(timer_, &count, sizeof count);
    const auto now = SteadyClock::now();
    std::vector<std::shared_ptr<pi::Tcp::Peer>> doomed;
    std::vector<pi::Fd> slow;
    for (const auto& [fd, peer] : peers) {
      const Wire& wire = wire_of(*peer);
      using Overdue = Connection::Overdue;
      const Overdue overdue = wire.connection->overdue(now);
      if (overdue == Overdue::idle || (wire.half_closed && now - *wire.half_closed > kLinger))
        doomed.push_back(peer);
      else if (overdue == Overdue::request)
        slow.push_back(fd);
    }
    for (const pi::Fd fd : slow) {
      wire_of(*peers.at(fd)).connection->fault(WireFault::too_slow, now);
      send_output(fd);
    }
    for (const auto& peer : doomed) {
      handler_->onDisconnection(peer);
      removePeer(peer);
    }
  }

  std::shared_ptr<WireHandler> handler_;
  std::vector<Outbox::Reply> held_back_;  // until the next tick
  pi::Fd timer_ = -1;
};

}  // namespace

std::shared_ptr<pi::Tcp::Transport> make_transport(const std::shared_ptr<Reactors>& reactors) {
  return std::make_shared<WireTransport>(std::make_shared<WireHandler>(reactors));
}

std::shared_ptr<pi::Tcp::Handler> make_handler(const std::shared_ptr<Reactors>& reactors) {
  return std::make_shared<WireHandler>(reactors);
}

}  // namespace http
