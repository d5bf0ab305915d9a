// A proxy on loopback that cuts what passes: one way or both ways, and changes a byte when it is told to.
// What stands for a network where a test has none of its own.
#pragma once
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <list>
#include <thread>
#include <vector>

namespace test {

class CuttingProxy {
 public:
  /// Listens on 127.0.0.1 and passes on to `port` there.
  explicit CuttingProxy(std::uint16_t port) : target_(port), listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in here = at(0);
    static_cast<void>(::bind(listening_, reinterpret_cast<sockaddr*>(&here), sizeof here));
    socklen_t size = sizeof here;
    ::getsockname(listening_, reinterpret_cast<sockaddr*>(&here), &size);
    port_ = ntohs(here.sin_port);
    ::listen(listening_, 16);
    thread_ = std::thread([this] { run(); });
  }
  ~CuttingProxy() {
    ending_ = true;
    thread_.join();
    ::close(listening_);
  }
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  std::uint16_t port() const { return port_; }
  /// What whoever has connected says, or hears, gets lost from now on; the connections stay open.
  std::atomic<bool> to_target_cut = false, from_target_cut = false;
  void cut(bool off) { to_target_cut = from_target_cut = off; }
  /// The next byte from the target has a bit changed.
  std::atomic<bool> flip = false;
  std::atomic<std::uint64_t> passed = 0;

 private:
  struct Link {
    int client = -1, target = -1;
  };
  static sockaddr_in at(std::uint16_t port) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return place;
  }

  void run() {
    std::list<Link> links;
    while (!ending_) {
      std::vector<pollfd> places{{listening_, POLLIN, 0}};
      for (const Link& link : links) {
        places.push_back({link.client, static_cast<short>(to_target_cut ? 0 : POLLIN), 0});
        places.push_back({link.target, static_cast<short>(from_target_cut ? 0 : POLLIN), 0});
      }
      ::poll(places.data(), places.size(), 20);
      std::size_t i = 1;
      for (auto link = links.begin(); link != links.end(); i += 2) {
        const bool alive = pass(places[i], link->target, false) && pass(places[i + 1], link->client, true);
        if (!alive) {
          ::close(link->client);
          ::close(link->target);
        }
        link = alive ? std::next(link) : links.erase(link);
      }
      if (places[0].revents & POLLIN) connect(links);
    }
    for (const Link& link : links) {
      ::close(link.client);
      ::close(link.target);
    }
  }

  void connect(std::list<Link>& links) const {
    const int client = ::accept(listening_, nullptr, nullptr);
    const int target = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in there = at(target_);
    if (::connect(target, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0) {
      links.push_back({client, target});
      return;
    }
    ::close(client);
    ::close(target);
  }

  bool pass(const pollfd& from, int to, bool from_target) {
    if (!(from.revents & POLLIN)) return !(from.revents & (POLLHUP | POLLERR)) || from.events == 0;
    char bytes[65'536];
    const ssize_t got = ::recv(from.fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got <= 0) return false;
    if (from_target && flip.exchange(false)) bytes[got / 2] ^= 4;
    passed += static_cast<std::uint64_t>(got);
    for (ssize_t sent = 0; sent < got;) {
      const ssize_t n = ::send(to, bytes + sent, static_cast<std::size_t>(got - sent), MSG_NOSIGNAL);
      if (n <= 0) return false;
      sent += n;
    }
    return true;
  }

  std::uint16_t target_, port_ = 0;
  int listening_;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

}  // namespace test
