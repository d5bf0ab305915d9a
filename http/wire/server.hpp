// The listening side: an acceptor and Pistache's reactor threads carry the bytes, Connection turns them into
// requests, and answers may come from any thread.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "http/wire/connection.hpp"
#include "http/wire/request.hpp"
#include "http/wire/responder.hpp"
#include "http/wire/response.hpp"

namespace http {

struct ServerOptions {
  std::string group = "http";  ///< the options' group, for error sentences
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;
  std::uint32_t threads = 2;
  std::uint32_t connections_max = 10'000;
  std::uint32_t connections_per_address = 100;  ///< 0: no bound
  std::string proxies;                          ///< addresses and networks without that bound
  std::uint32_t requests_max = 4096;            ///< not answered yet, of all connections; beyond: overloaded
  std::uint32_t output_mb = 256;  ///< answers not taken yet, of all connections; beyond: overloaded
  std::string tls_cert, tls_key;  ///< PEM files; both empty: plain HTTP
  ConnectionLimits limits;
};

/// What a server does with requests; all called from its reactor threads.
struct ServerHandlers {
  std::function<void(Request&&, Responder)> on_request;
  Connection::OnFault on_fault;
  std::function<Response(const std::string& request_id)> on_silence;  ///< for a request that nobody answered
  /// Called after every answer, in the thread that gave it; may be empty.
  std::function<void(const Exchange&, const Response&)> on_answered = {};
};

class Server {
 public:
  /// Listens when it returns. The error is one sentence: the address is not available, or a TLS file is not
  /// usable.
  static tl::expected<std::unique_ptr<Server>, std::string> start(const ServerOptions& options,
                                                                  ServerHandlers handlers);
  ~Server();

  /// Reads the TLS files anew for the connections to come; does nothing without TLS. When they are of no use
  /// those of before stay. The error is a sentence.
  tl::expected<void, std::string> renew_certificate();
  /// Of the certificate in use; nothing without TLS.
  std::optional<std::chrono::system_clock::time_point> certificate_ends() const;

  std::uint16_t port() const;
  /// Open connections, and requests that are not answered yet.
  std::uint32_t connections() const;
  std::int64_t under_way() const;
  /// Bytes of answers that clients have not taken yet.
  std::size_t untaken_bytes() const;
  /// Accepts no new connections; existing ones go on.
  void close_listener();
  /// Waits until every open request is answered and every answer taken, but at most for `most`. Connections
  /// close after their last answer.
  void finish(std::chrono::milliseconds most);
  /// Closes the listener and ends the reactor threads.
  void stop();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace http
