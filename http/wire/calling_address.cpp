#include "http/wire/calling_address.hpp"

#include <algorithm>
#include <vector>

namespace http {
namespace {

namespace ip = boost::asio::ip;

std::string counted_as(const ip::address& address) {
  if (address.is_v4()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return ip::address_v6(bytes).to_string() + "/64";
}

/// The addresses that the proxies report, the nearest proxy's last; each appends the address it was called
/// from.
std::vector<std::string_view> forwarded_for(const Request& request) {
  std::vector<std::string_view> all;
  for (const auto& [name, value] : request.headers)
    if (name == "x-forwarded-for")
      for (const std::string_view part : between_commas(value)) all.push_back(part);
  return all;
}

}  // namespace

std::string CallingAddress::of(const Request& request) const {
  // The usual case: an IPv4 address without proxies counts unchanged.
  const bool v4 = request.peer.find(':') == std::string::npos;
  if (v4 && trusted_.empty()) return request.peer;
  const auto peer = read_address(request.peer);
  if (!peer) return request.peer;
  ip::address caller = *peer;
  if (!trusted_.empty() && trusted_.contains(caller)) {
    // Read from the right, the first address that is none of our proxies is the caller. Where one of our
    // proxies reports no address, the proxy itself counts: what stands farther left cannot be believed.
    const auto heard = forwarded_for(request);
    for (auto it = heard.rbegin(); it != heard.rend() && trusted_.contains(caller); ++it) {
      const auto reported = read_address(*it);
      if (!reported) break;
      caller = *reported;
    }
  }
  return counted_as(caller);
}

std::string CallingAddress::counted(std::string_view address) {
  const auto read = read_address(address);
  return read ? counted_as(*read) : std::string(address);
}

}  // namespace http
