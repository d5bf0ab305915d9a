#include "http/wire/connection_places.hpp"

#include <utility>

#include "actors/accounts/address_book.hpp"
#include "http/wire/calling_address.hpp"

namespace http {
namespace {

constexpr std::uint32_t kOfLargerNetwork = 4;  // times the bound of one of 64 bits

}  // namespace

ConnectionPlaces::Place::~Place() { places_.count(address_, -1); }

std::shared_ptr<ConnectionPlaces::Place> ConnectionPlaces::take(const std::string& address) {
  bool served = false;
  {
    const std::lock_guard guard(mutex_);
    served = taken_ < bounds_.all;
    bool told = taken_ < bounds_.all + kToldInAll;
    if (bounded(address)) {
      const std::string network = CallingAddress::counted(address);
      for (const auto& excess :
           {excess_of(network, bounds_.of_address),
            excess_of(actors::network_of_48_bits(network), kOfLargerNetwork * bounds_.of_address)}) {
        served &= excess.served;
        told &= excess.told;
      }
    }
    if (!told) return nullptr;
  }
  count(address, +1);
  return std::make_shared<Place>(*this, address, served);
}

std::uint32_t ConnectionPlaces::taken() const {
  const std::lock_guard guard(mutex_);
  return taken_;
}

ConnectionPlaces::Excess ConnectionPlaces::excess_of(const std::string& network, std::uint32_t bound) const {
  const auto it = by_network_.find(network);
  if (it == by_network_.end()) return {};
  return {it->second < bound, it->second < bound + kToldOfAddress};
}

void ConnectionPlaces::count(const std::string& address, int change) {
  const std::lock_guard guard(mutex_);
  taken_ += static_cast<std::uint32_t>(change);
  if (!bounded(address)) return;
  const std::string network = CallingAddress::counted(address);
  for (const std::string& counted : {network, actors::network_of_48_bits(network)}) {
    if (counted.empty()) continue;
    const auto it = by_network_.try_emplace(counted, 0).first;
    it->second += static_cast<std::uint32_t>(change);
    if (it->second == 0) by_network_.erase(it);
  }
}

bool ConnectionPlaces::bounded(const std::string& address) const {
  if (bounds_.of_address == 0) return false;
  const auto read = read_address(address);
  return !read || !bounds_.unbounded.contains(*read);
}

}  // namespace http
