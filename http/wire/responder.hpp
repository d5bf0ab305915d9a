// The right and the duty to answer one request, from any thread.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "http/wire/response.hpp"

namespace http {

struct Route;  // routes.hpp
class Outbox;  // where a reactor thread takes answers from
struct Wire;   // a connection and its descriptor

/// What is known of a request beside its answer, for the log and the figures. Never a key or an address.
struct Exchange {
  std::string id;
  const Route* route = nullptr;  ///< null: no such path
  std::string_view method;       ///< the route's; empty: not a method of the path
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

/// The right and the duty to answer one request. If it is destroyed without an answer, it answers 500.
class Responder {
 public:
  /// The rules for all answers of a server.
  struct Rules {
    std::function<Response(const std::string& request_id)> on_silence;
    std::function<void(const Exchange&, const Response&)> on_answered;
    std::atomic<std::int64_t> under_way{0};
  };
  Responder(std::shared_ptr<Outbox> outbox, std::weak_ptr<Wire> wire, std::uint64_t number,
            std::string request_id, std::shared_ptr<Rules> rules);
  Responder(Responder&&) = default;
  Responder& operator=(Responder&&) = delete;
  ~Responder();

  void send(Response response);
  /// Where the request leads.
  void leads_to(const Route* route, std::string_view method) {
    exchange_.route = route;
    exchange_.method = method;
  }
  const std::string& request_id() const { return exchange_.id; }

 private:
  std::shared_ptr<Outbox> outbox_;  // null once answered
  std::weak_ptr<Wire> wire_;
  std::uint64_t number_;
  Exchange exchange_;
  std::shared_ptr<Rules> rules_;
};

/// An outbox that nobody empties: for tests of code that holds a Responder.
std::shared_ptr<Outbox> unconnected_outbox();

}  // namespace http
