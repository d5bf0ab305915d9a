// Ports for programs that tests start.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <random>

namespace test {

/// A port on loopback, below those that the kernel gives to whoever asks for any. Other test programs pick
/// theirs at the same time, and between the picking and the listening it looks free. So the UDP port of the
/// same number is taken as a mark, until this process ends; benchmarks/load/service.py does the same.
inline std::uint16_t free_port() {
  std::random_device random;
  while (true) {
    const auto port = std::uniform_int_distribution<std::uint16_t>(20'000, 32'000)(random);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    place.sin_port = htons(port);
    const auto is_bound = [&place](int socket) {
      return ::bind(socket, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0;
    };
    const int mark = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const int trial = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool free = is_bound(mark) && is_bound(trial);
    ::close(trial);
    if (free) return port;
    ::close(mark);
  }
}

}  // namespace test
