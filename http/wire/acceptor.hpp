// The listening socket and the thread that takes new connections from it. It can be closed while the
// connections that it has taken go on, which Pistache 0.0.5's listener cannot.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace http {

class Acceptor {
 public:
  /// Takes over a new connection's descriptor, which does not block; `address` is the other end's. Called
  /// from the acceptor's thread.
  using OnConnection = std::function<void(int descriptor, const std::string& address)>;

  /// Listens when it returns; throws std::exception when the address is not to be had. `address`: a name, an
  /// address, "*" for all.
  Acceptor(const std::string& address, std::uint16_t port, OnConnection on_connection);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  std::uint16_t port() const;
  /// Listens no more; when it returns no connection comes any more.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace http
