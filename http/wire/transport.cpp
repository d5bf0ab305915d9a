#include "http/wire/transport.hpp"

#include <pistache/net.h>
#include <pistache/peer.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <set>
#include <utility>

#include "http/wire/client.hpp"

namespace http {

namespace pi = Pistache;
using SteadyClock = std::chrono::steady_clock;

void Reactors::add(const std::shared_ptr<Outbox>& outbox) {
  const std::lock_guard guard(mutex_);
  outboxes_.push_back(outbox);
}

void Reactors::finish() {
  finishing = true;
  const std::lock_guard guard(mutex_);
  for (const auto& weak : outboxes_)
    if (const auto outbox = weak.lock()) outbox->wake();
}

namespace {

constexpr auto kWireKey = "wire";
constexpr auto kTick = std::chrono::milliseconds(500);
constexpr std::size_t kReadBytes = 16 * 1024;
constexpr int kReadsAtOnce = 8;  // from one connection, before the others get their turn
constexpr std::size_t kMegabyte = 1U << 20U;

Wire& wire_of(const pi::Tcp::Peer& peer) { return *static_cast<Wire*>(peer.getData(kWireKey).get()); }

/// A request beyond a bound is refused before it costs anything, so that the others keep their pace.
void hand_over(const Reactors& reactors, Request&& request, Responder responder) {
  try {
    if (reactors.rules->under_way > reactors.options.requests_max ||
        reactors.held > reactors.options.output_mb * kMegabyte)
      return responder.send(reactors.handlers.on_fault(WireFault::overloaded, request.id));
    reactors.handlers.on_request(std::move(request), std::move(responder));
  } catch (const std::exception&) {
    // The responder was destroyed and has answered by that.
  }
}

/// Gets new connections from Pistache; one for each reactor thread.
class WireHandler : public pi::Tcp::Handler {
 public:
  explicit WireHandler(std::shared_ptr<Reactors> reactors)
      : reactors_(std::move(reactors)), outbox_(std::make_shared<Outbox>()) {
    reactors_->add(outbox_);
  }
  std::shared_ptr<pi::Tcp::Handler> clone() const override {
    return std::make_shared<WireHandler>(reactors_);
  }

  void onConnection(const std::shared_ptr<pi::Tcp::Peer>& peer) override {
    const auto now = SteadyClock::now();
    auto place = std::static_pointer_cast<const ConnectionPlaces::Place>(peer->getData(kPlaceKey));
    auto wire = std::make_shared<Wire>(peer->fd(), place, reactors_->options.limits, now);
    wire->connection = std::make_unique<Connection>(
        place->address(), reactors_->options.limits,
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
    if (auto tls = reactors_->tls.load()) wire->tls = std::make_unique<TlsSession>(std::move(tls));
    peer->putData(kWireKey, wire);
    if (!place->served()) wire->connection->fault(WireFault::overloaded, now);
    if (reactors_->finishing) wire->connection->finish();
    touched_.insert(wire->fd);
  }

  /// The transport reads, not Pistache.
  void onInput(const char*, std::size_t, const std::shared_ptr<pi::Tcp::Peer>&) override {}

  Reactors& reactors() { return *reactors_; }
  Outbox& outbox() { return *outbox_; }
  /// Descriptors with events since the last look.
  std::set<pi::Fd>& touched() { return touched_; }

 private:
  std::shared_ptr<Reactors> reactors_;
  std::shared_ptr<Outbox> outbox_;
  std::set<pi::Fd> touched_;
};

/// One reactor thread. Only the events and the queue of new connections are Pistache's. Its own transport
/// reads without an end, closes a connection whose other end has only finished sending, and ends the process
/// at an event for an unknown descriptor.
class WireTransport : public pi::Tcp::Transport {
 public:
  explicit WireTransport(const std::shared_ptr<WireHandler>& handler)
      : Transport(handler), handler_(handler) {}
  ~WireTransport() override {
    if (timer_ >= 0) ::close(timer_);
    for (const auto& [fd, peer] : peers) ::close(fd);
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
    for (const auto& entry : fds) {
      const auto fd = static_cast<pi::Fd>(entry.getTag().value());
      if (fd == timer_)
        tick = true;
      else if (fd == handler_->outbox().event())
        answers = true;
      else if (const auto it = peers.find(fd); it != peers.end())
        happened(*it->second);
      else
        leave_to_pistache(entry);
    }
    if (tick) give_held_back();
    if (answers) take_answers();
    if (handler_->reactors().finishing && !std::exchange(finishing_, true)) finish_all();
    std::set<pi::Fd>& touched = handler_->touched();
    for (const pi::Fd fd : touched) serve(fd);
    touched.clear();
    if (tick) look_for_overdue_ones();
  }

 private:
  void happened(const pi::Tcp::Peer& peer) {
    wire_of(peer).readable = true;
    handler_->touched().insert(peer.fd());
  }

  /// Handles Pistache's own queues. One event at a time, since its exceptions would end the process.
  void leave_to_pistache(const pi::Aio::FdSet::Entry& entry) {
    if (!entry.isReadable()) return;
    pi::Polling::Event event(entry.getTag());
    event.flags.setFlag(pi::Polling::NotifyOn::Read);
    try {
      std::vector<pi::Polling::Event> one{event};
      Transport::onReady(pi::Aio::FdSet(std::move(one)));
    } catch (const std::exception&) {
      // No memory or no place in epoll for a new connection: it is closed later as idle.
    }
  }

  /// A caller that keeps sending requests after refusals gets its next refusals only at the next tick. That
  /// slows it down and leaves the time to the others.
  void take_answers() {
    const auto now = SteadyClock::now();
    for (Outbox::Reply& reply : handler_->outbox().take()) {
      const auto wire = reply.wire.lock();
      if (!wire) continue;
      if (wire->insists(reply.response.status, now))
        held_back_.push_back(std::move(reply));
      else
        give(*wire, reply, now);
    }
  }

  void give_held_back() {
    const auto now = SteadyClock::now();
    for (const Outbox::Reply& reply : std::exchange(held_back_, {}))
      if (const auto wire = reply.wire.lock()) give(*wire, reply, now);
  }

  void give(Wire& wire, const Outbox::Reply& reply, SteadyClock::time_point now) {
    wire.connection->answer(reply.number, reply.response, now);
    handler_->touched().insert(wire.fd);
  }

  void finish_all() {
    for (const auto& [fd, peer] : peers) {
      wire_of(*peer).connection->finish();
      handler_->touched().insert(fd);
    }
  }

  /// Reads and sends what can be read and sent now.
  void serve(pi::Fd fd) {
    const auto it = peers.find(fd);
    if (it == peers.end()) return;
    const std::shared_ptr<pi::Tcp::Peer> peer = it->second;
    Wire& wire = wire_of(*peer);
    const auto now = SteadyClock::now();
    const bool had_words = wire.held() > 0 || wire.connection->busy();
    int reads = kReadsAtOnce;
    do {
      reads = read_input(wire, reads, now);
    } while (wire.send(now) && reads > 0 && wire.readable && wire.wants_input());
    if (const auto more = wire.newly_held(); more != 0)  // all threads share the sum: skip zero
      handler_->reactors().held += static_cast<std::size_t>(more);
    // With nothing left to send or to answer, the end of the service closes the connection at once.
    const bool nothing_to_wait_for = wire.ended || (finishing_ && !had_words && !wire.half_closed);
    if (wire.finished() && !nothing_to_wait_for) wire.half_close(now);
    if (wire.gone || (wire.finished() && nothing_to_wait_for)) return remove(peer);
    if (wire.stuck || (wire.readable && wire.wants_input())) ask_anew(fd);
  }

  /// Asks for an event when there is room to send or something to read: epoll reports every change only once.
  void ask_anew(pi::Fd fd) {
    using pi::Polling::NotifyOn;
    reactor()->modifyFd(key(), fd, NotifyOn::Read | NotifyOn::Write, pi::Polling::Mode::Edge);
  }

  /// Reads while the connection can use it, at most `reads` times; returns how many are left.
  static int read_input(Wire& wire, int reads, SteadyClock::time_point now) {
    std::array<char, kReadBytes> buffer;
    while (reads > 0 && wire.readable && wire.wants_input()) {
      const ssize_t got = ::recv(wire.fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (got < 0 && errno == EINTR) continue;
      if (got > 0) {
        wire.receive({buffer.data(), static_cast<std::size_t>(got)}, now);
        --reads;
        continue;
      }
      wire.readable = false;
      wire.ended = got == 0;
      wire.gone = got < 0 && errno != EAGAIN && errno != EWOULDBLOCK;
      if (wire.ended) wire.connection->end_of_input(now);
    }
    return reads;
  }

  void remove(const std::shared_ptr<pi::Tcp::Peer>& peer) {
    // Subtracts only what was added to the sum, not what was held since.
    handler_->reactors().held -= wire_of(*peer).accounted();
    removePeer(peer);
  }

  void look_for_overdue_ones() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(timer_, &count, sizeof count);
    const auto now = SteadyClock::now();
    std::vector<std::shared_ptr<pi::Tcp::Peer>> doomed;
    std::vector<pi::Fd> slow;
    for (const auto& [fd, peer] : peers) {
      const Wire& wire = wire_of(*peer);
      if (wire.overdue(now))
        doomed.push_back(peer);
      else if (wire.connection->overdue(now) == Connection::Overdue::request)
        slow.push_back(fd);
    }
    for (const pi::Fd fd : slow) {
      wire_of(*peers.at(fd)).connection->fault(WireFault::too_slow, now);
      serve(fd);
    }
    for (const auto& peer : doomed) remove(peer);
  }

  std::shared_ptr<WireHandler> handler_;
  std::vector<Outbox::Reply> held_back_;  // until the next tick
  pi::Fd timer_ = -1;
  bool finishing_ = false;  // its connections have been told
};

}  // namespace

std::shared_ptr<pi::Tcp::Transport> make_transport(const std::shared_ptr<Reactors>& reactors) {
  return std::make_shared<WireTransport>(std::make_shared<WireHandler>(reactors));
}

}  // namespace http
