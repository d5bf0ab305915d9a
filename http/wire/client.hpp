// One client's descriptor with what stands behind it: TLS where it is spoken, the connection, the pace at
// which answers are taken. Belongs to one reactor thread.
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
  bool stuck = false;               ///< bytes are ready that it does not take now
  bool gone = false;                ///< it takes nothing either
  bool broken = false;              ///< it speaks no TLS that we understand
  std::optional<Time> half_closed;  ///< we have said all; the other end has not hung up yet

  /// Takes what was read.
  void receive(std::string_view bytes, Time now);
  /// False: what was sent must be taken first.
  bool wants_input() const;
  /// Sends what the other end takes; true when that was something.
  bool send(Time now);
  /// Nothing more will be said.
  bool finished() const;
  /// Half-close and wait: a close at once could make the kernel throw away the answer that is under way.
  void half_close(Time now);
  /// To be closed without a word: nothing happens, or too slowly.
  bool overdue(Time now) const;
  /// What waits to be sent, or for answers before it.
  std::size_t held() const;
  /// The change of held() since the last time, and what it was then.
  std::ptrdiff_t newly_held();
  std::size_t accounted() const { return accounted_; }
  /// Refusals tell when to come again. Whoever asks again and again within a second does not read them.
  bool insists(int status, Time now);

 private:
  std::string& outgoing();

  std::chrono::seconds header_timeout;
  Time opened;
  DrainPace pace;
  std::size_t accounted_ = 0;
  Time refused_since_;  // begin of the second in which refusals are counted
  int refusals_ = 0;
};

}  // namespace http
