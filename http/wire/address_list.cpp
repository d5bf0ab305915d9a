#include "http/wire/address_list.hpp"

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <utility>

namespace http {
namespace {

namespace ip = boost::asio::ip;

std::string_view trimmed(std::string_view text) { return boost::trim_copy_if(text, boost::is_any_of(" \t")); }

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The address without brackets and port; empty when the port is invalid.
std::string_view without_port(std::string_view text) {
  const bool bracketed = text.starts_with('[');
  const auto end = bracketed ? text.find(']') : text.find(':');
  if (end == std::string_view::npos) return bracketed ? std::string_view() : text;
  if (!bracketed && text.find(':', end + 1) != std::string_view::npos) return text;  // IPv6: several colons
  const std::string_view behind = text.substr(end + (bracketed ? 1 : 0));
  const bool port = behind.starts_with(':') && is_number(behind.substr(1));
  if (!behind.empty() && !port) return {};
  return bracketed ? text.substr(1, end - 1) : text.substr(0, end);
}

int width_of(const ip::address& address) { return address.is_v4() ? 32 : 128; }

template <class Bytes>
bool same_start(const Bytes& a, const Bytes& b, int bits) {
  const auto whole = static_cast<std::size_t>(bits / 8);
  if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(whole), b.begin())) return false;
  const int rest = bits % 8;
  return rest == 0 || (a[whole] ^ b[whole]) >> (8 - rest) == 0;
}

}  // namespace

std::optional<ip::address> read_address(std::string_view text) {
  text = without_port(trimmed(text));
  if (text.find(':') != std::string_view::npos) text = text.substr(0, text.find('%'));
  boost::system::error_code error;
  const ip::address address = ip::make_address(std::string(text), error);
  if (error) return {};
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  return address;
}

std::vector<std::string_view> between_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto comma = text.find(',');
    if (const auto part = trimmed(text.substr(0, comma)); !part.empty()) parts.push_back(part);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return parts;
}

AddressList::AddressList(std::string_view text) {
  for (const std::string_view part : between_commas(text)) {
    const auto slash = part.find('/');
    const auto address = read_address(part.substr(0, slash));
    int bits = address ? width_of(*address) : 0;
    bool fits = address.has_value();
    if (fits && slash != std::string_view::npos) {
      const std::string_view digits = part.substr(slash + 1);
      const int most = std::exchange(bits, -1);
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
      fits = is_number(digits) && read.ec == std::errc() && bits <= most;
    }
    if (fits)
      networks_.push_back({*address, bits});
    else if (fault_.empty())
      fault_ = part;
  }
}

bool AddressList::contains(const ip::address& address) const {
  return std::any_of(networks_.begin(), networks_.end(), [&](const Network& network) {
    if (network.address.is_v4() != address.is_v4()) return false;
    return address.is_v4()
               ? same_start(network.address.to_v4().to_bytes(), address.to_v4().to_bytes(), network.bits)
               : same_start(network.address.to_v6().to_bytes(), address.to_v6().to_bytes(), network.bits);
  });
}

}  // namespace http
