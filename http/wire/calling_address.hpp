// The caller's address, for the limits per calling address: the other end of the connection, or, behind
// proxies that the operator has named, the address that they report. An IPv6 address counts as its network of
// 64 bits, since one subscriber has all of it.
#pragma once
#include <string>
#include <string_view>

#include "http/wire/address_list.hpp"
#include "http/wire/request.hpp"

namespace http {

class CallingAddress {
 public:
  /// Addresses and networks of proxies whose X-Forwarded-For is believed, separated by commas; empty: none.
  explicit CallingAddress(std::string_view trusted_proxies) : trusted_(trusted_proxies) {}

  std::string of(const Request& request) const;

  /// "192.0.2.7" unchanged, "2001:db8:1:2:3::4" as "2001:db8:1:2::/64", "::ffff:192.0.2.7" as "192.0.2.7"; a
  /// text that is no address unchanged.
  static std::string counted(std::string_view address);

 private:
  AddressList trusted_;
};

}  // namespace http
