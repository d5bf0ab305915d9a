// Network addresses as people write them: in options, and as proxies report them.
#pragma once
#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace http {

/// "192.0.2.7", "192.0.2.7:5678", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:443". Ignores spaces around
/// it and an interface's name ("fe80::1%eth0"); "::ffff:192.0.2.7" is 192.0.2.7. Nothing for any other text
/// ("unknown", "_hidden").
std::optional<boost::asio::ip::address> read_address(std::string_view text);

/// The parts between commas, in order, without spaces around them and without empty ones.
std::vector<std::string_view> between_commas(std::string_view text);

/// Addresses and networks ("10.0.0.0/8"), separated by commas.
class AddressList {
 public:
  AddressList() = default;
  explicit AddressList(std::string_view text);
  bool contains(const boost::asio::ip::address& address) const;
  bool empty() const { return networks_.empty(); }
  /// The first part that is neither an address nor a network; empty when all are valid.
  const std::string& fault() const { return fault_; }

 private:
  struct Network {
    boost::asio::ip::address address;
    int bits = 0;  ///< length of the network's prefix
  };
  std::vector<Network> networks_;
  std::string fault_;
};

}  // namespace http
