// One client's descriptor with all that belongs to it: TLS if used, the connection, the pace at which the
// client takes answers. Belongs to one reactor thread.
#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/wire/connection.hpp"
#include "http/wire/connection_places.hpp"
#include "http/wire/drain_pace.hpp"
#include "http/wire/tls.hpp"

namespace http {

struct Wire {
  using Time = std::chrono::steady_clock::time_point;

  Wire(int descriptor, std::shared_ptr<const ConnectionPlaces::Place> its_place,
       const ConnectionLimits& limits, Time now)
      : fd(descriptor),
        place(std::move(its_place)),
        header_timeout(limits.header_timeout),
        opened(now),
        pace(limits.drain_bytes_per_s, limits.drain_pause) {}

  int fd;
  std::shared_ptr<const ConnectionPlaces::Place> place;
  std::unique_ptr<Connection> connection;
  std::unique_ptr<TlsSession> tls;  ///< null without TLS

  bool readable = false;            ///< there may be more to read
  bool ended = false;               ///< the other end has sent all that it will
  bool stuck = false;               ///< the other end takes no bytes now, but some are ready
  bool gone = false;                ///< the other end will never take bytes again
  bool broken = false;              ///< the other end breaks the TLS protocol
  std::optional<Time> half_closed;  ///< since then: all is sent, the other end has not closed

  /// Processes bytes that were read.
  void receive(std::string_view bytes, Time now);
  /// False: answers must be sent first.
  bool wants_input() const;
  /// Sends what the other end takes; true when that was something.
  bool send(Time now);
  /// Nothing more will be sent.
  bool finished() const;
  /// Closes the sending side and waits: closing both at once could make the kernel discard the last answer.
  void half_close(Time now);
  /// Whether to close it without an answer: it is idle or too slow.
  bool overdue(Time now) const;
  /// Bytes that wait to be sent, or for answers before them.
  std::size_t held() const;
  /// The change of held() since the last call, and held() as of the last call.
  std::ptrdiff_t newly_held();
  std::size_t accounted() const { return accounted_; }
  /// Whether a client keeps asking within a second although refusals tell when to come again. Counts
  /// refusals.
  bool insists(int status, Time now);

 private:
  std::string& outgoing();

  std::chrono::seconds header_timeout;
  Time opened;
  DrainPace pace;
  std::size_t accounted_ = 0;
  Time refused_since_;  // start of the second in which refusals are counted
  int refusals_ = 0;
};

}  // namespace http
