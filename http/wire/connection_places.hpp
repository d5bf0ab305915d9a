// Bounds the connections: in all and per address, so that nobody takes the others' places. A few more
// connections are refused with an answer; beyond those they are closed without one.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "http/wire/address_list.hpp"

namespace http {

class ConnectionPlaces {
 public:
  struct Bounds {
    std::uint32_t all = 10'000;
    std::uint32_t of_address = 0;  ///< per IPv6 network of 64 bits; four times as many of 48; 0: no bound
    AddressList unbounded;         ///< proxies: many clients share their address
  };
  /// Connections beyond the bounds that get an answer saying so.
  static constexpr std::uint32_t kToldInAll = 64;
  static constexpr std::uint32_t kToldOfAddress = 8;

  /// A connection's place, until it goes.
  class Place {
   public:
    Place(ConnectionPlaces& places, std::string address, bool served)
        : places_(places), address_(std::move(address)), served_(served) {}
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    const std::string& address() const { return address_; }
    /// False: the connection gets only the answer that there is no place for it.
    bool served() const { return served_; }

   private:
    ConnectionPlaces& places_;
    std::string address_;
    bool served_;
  };

  explicit ConnectionPlaces(Bounds bounds) : bounds_(std::move(bounds)) {}
  /// A place for a connection from `address`; null: there is not even one for a refusal.
  std::shared_ptr<Place> take(const std::string& address);
  std::uint32_t taken() const;

 private:
  struct Excess {
    bool served = true;
    bool told = true;
  };
  Excess excess_of(const std::string& network, std::uint32_t bound) const;
  void count(const std::string& address, int change);
  bool bounded(const std::string& address) const;

  Bounds bounds_;
  mutable std::mutex mutex_;
  std::uint32_t taken_ = 0;
  std::map<std::string, std::uint32_t> by_network_;
};

}  // namespace http
