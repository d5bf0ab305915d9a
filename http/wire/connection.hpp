// One client connection: bytes in, requests out, answers in the order of the requests, bytes out. Knows
// neither sockets nor Pistache, so that tests can feed it bytes. Boost.Beast parses the requests: Pistache
// 0.0.5's own parser answers plain text, refuses harmless header fields and mixes up pipelined requests.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "http/wire/request.hpp"
#include "http/wire/response.hpp"

namespace http {

struct ConnectionLimits {
  std::size_t header_bytes = 16 * 1024;
  std::size_t body_bytes = 64 * 1024;
  std::size_t output_bytes = 256 * 1024;    ///< answers not taken yet; beyond: no request is read
  std::size_t pipelined = 16;               ///< requests that may be open at once; further ones wait
  std::chrono::seconds header_timeout{10};  ///< from a request's first byte to its header's last
  std::chrono::seconds body_timeout{15};    ///< from there to the body's last byte
  std::chrono::seconds idle_timeout{75};    ///< between requests, and for a client that takes no answer
  std::chrono::seconds drain_pause{30};     ///< how long a client may take nothing of its answers
  std::uint32_t drain_bytes_per_s = 4096;   ///< that it must take on average; 0: any pace will do
};

/// Why bytes did not become a request.
enum class WireFault {
  malformed,
  too_large,
  too_slow,
  overloaded,  ///< too many connections or open requests
};

class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// Takes a request; its answer comes back through answer(number, ...).
  using OnRequest = std::function<void(Request&&, std::uint64_t number)>;
  /// Makes the answer to bytes that are not a request.
  using OnFault = std::function<Response(WireFault, const std::string& request_id)>;

  Connection(std::string peer, const ConnectionLimits& limits, OnRequest on_request, OnFault on_fault);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Processes received bytes. The reader asks wants_input() first, so that bytes that cannot be used yet
  /// stay with the sender.
  void receive(std::string_view bytes, Time now);
  /// False: answers must be sent first. Bytes after the last request are read and discarded, because closing
  /// with unread bytes would discard the answer.
  bool wants_input() const { return closing_ || !blocked(); }
  /// The other end will send no more; it may still wait for answers.
  void end_of_input(Time now);
  /// Reads no new request, but completes one that has begun to arrive.
  void finish();
  void answer(std::uint64_t number, const Response& response, Time now);
  /// Answers bytes that cannot become a request, and reads no more.
  void fault(WireFault kind, Time now);

  /// Bytes ready to be sent, oldest first. The sender removes what it has sent and calls drained().
  std::string& output() { return output_; }
  /// Bytes of answers that have not been sent, ready or not.
  std::size_t held() const { return output_.size() + answered_bytes_; }
  void drained(Time now);
  /// True: once the output is empty the connection is to be closed.
  bool closing() const { return closing_; }
  /// True: some requests are not answered yet.
  bool busy() const { return !slots_.empty(); }
  /// `request`: a request takes too long to arrive; it must be answered by a fault. `idle`: nothing happens;
  /// the connection must be closed.
  enum class Overdue { no, request, idle };
  Overdue overdue(Time now) const;

 private:
  struct Parser;
  struct Slot {
    bool head = false;
    bool keep_alive = true;
    bool answered = false;
    std::string bytes;
  };
  void parse(Time now);
  bool parse_some(Time now);
  bool header_fits() const;
  void dispatch(Time now);
  void release_answers();
  bool blocked() const { return slots_.size() >= limits_.pipelined || held() >= limits_.output_bytes; }
  void read_no_more();

  std::string peer_;
  ConnectionLimits limits_;
  OnRequest on_request_;
  OnFault on_fault_;
  std::unique_ptr<Parser> parser_;
  std::string input_;
  std::string output_;
  std::map<std::uint64_t, Slot> slots_;  // requests that are not answered yet, by number
  std::size_t answered_bytes_ = 0;       // of answers that wait for earlier ones
  std::uint64_t next_number_ = 0;
  bool closing_ = false;    // no more requests are read
  bool last_ = false;       // finish() was called
  bool ended_ = false;      // end_of_input() was called
  bool parsing_ = false;    // inside parse()
  bool continued_ = false;  // 100 Continue was sent for the request being read
  bool partial_ = false;    // a request has begun to arrive
  bool in_body_ = false;    // its header has arrived
  Time last_event_;
  Time part_began_;  // of the header, or of the body
};

}  // namespace http
