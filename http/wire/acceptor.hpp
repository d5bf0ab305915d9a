// The listening socket and its thread, which accepts connections. The socket can be closed while accepted
// connections go on, which Pistache 0.0.5's listener cannot do.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace http {

class Acceptor {
 public:
  /// Takes over a new connection's non-blocking descriptor; `address` is the other end's. Called from the
  /// acceptor's thread.
  using OnConnection = std::function<void(int descriptor, const std::string& address)>;

  /// Listens when it returns; throws std::exception when the address is not available. `address`: a name, an
  /// address, "*" for all.
  Acceptor(const std::string& address, std::uint16_t port, OnConnection on_connection);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  std::uint16_t port() const;
  /// Stops listening; after it returns no new connection comes.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace http
