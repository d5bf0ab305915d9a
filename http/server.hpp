// The listening side: Pistache's listener and reactor threads carry the bytes, Connection makes requests of
// them, and answers may come from any thread.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "http/connection.hpp"
#include "http/request.hpp"
#include "http/response.hpp"

namespace http {

class Outbox;  // where a reactor thread takes answers from
struct Wire;   // a connection and its descriptor

/// The right and the duty to answer one request. Whoever lets go of it without answering answers 500 by that.
class Responder {
 public:
  using Fallback = std::function<Response(const std::string& request_id)>;
  Responder(std::shared_ptr<Outbox> outbox, std::weak_ptr<Wire> wire, std::uint64_t number,
            std::string request_id, std::shared_ptr<const Fallback> fallback);
  Responder(Responder&&) = default;
  Responder& operator=(Responder&&) = delete;
  ~Responder();

  void send(Response response);
  const std::string& request_id() const { return request_id_; }

 private:
  std::shared_ptr<Outbox> outbox_;  // null once answered
  std::weak_ptr<Wire> wire_;
  std::uint64_t number_;
  std::string request_id_;
  std::shared_ptr<const Fallback> fallback_;
};

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;
  std::uint32_t threads = 2;
  std::uint32_t connections_max = 10'000;
  std::string tls_cert, tls_key;  ///< PEM files; both empty: plain HTTP
  ConnectionLimits limits;
};

/// What a server does with requests; all called from its reactor threads.
struct ServerHandlers {
  std::function<void(Request&&, Responder)> on_request;
  Connection::OnFault on_fault;
  Responder::Fallback on_silence;  ///< nobody answered
};

class Server {
 public:
  /// Listens when it returns. The error is one sentence: the address is not to be had, a TLS file is of no
  /// use.
  static tl::expected<std::unique_ptr<Server>, std::string> start(const ServerOptions& options,
                                                                  ServerHandlers handlers);
  ~Server();

  std::uint16_t port() const;
  /// Closes the listener and every connection.
  void stop();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace http
