// The reactor threads: Pistache's transport waits for events and keeps the connections. Reading, writing,
// time-outs and closing are done here, in the thread that owns the descriptors.
#pragma once
#include <pistache/tcp.h>
#include <pistache/transport.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "http/wire/connection_places.hpp"
#include "http/wire/outbox.hpp"
#include "http/wire/server.hpp"
#include "http/wire/tls.hpp"

namespace http {

/// What all reactor threads of a server share.
struct Reactors {
  explicit Reactors(ConnectionPlaces::Bounds bounds) : places(std::move(bounds)) {}

  ServerOptions options;
  std::atomic<std::shared_ptr<const TlsContext>> tls;  ///< of new connections; null without TLS
  ServerHandlers handlers;
  std::shared_ptr<Responder::Rules> rules;
  ConnectionPlaces places;
  std::atomic<std::size_t> held{0};  ///< bytes of answers that have not been sent, of all connections
  std::atomic<bool> finishing{false};

  /// From now on connections close after their open requests are answered.
  void finish();
  void add(const std::shared_ptr<Outbox>& outbox);

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<Outbox>> outboxes_;  // one a thread
};

/// The key under which a new connection's Pistache peer keeps its ConnectionPlaces::Place.
inline constexpr auto kPlaceKey = "place";

/// The transport that Pistache's reactor clones for every thread.
std::shared_ptr<Pistache::Tcp::Transport> make_transport(const std::shared_ptr<Reactors>& reactors);

}  // namespace http
