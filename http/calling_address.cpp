#include "http/calling_address.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

namespace http {
namespace {

namespace ip = boost::asio::ip;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The parts between commas, in order, without empty ones.
std::vector<std::string> listed(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = text.find(',');
    if (const auto part = trimmed(text.substr(0, comma)); !part.empty()) parts.emplace_back(part);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return parts;
}

}  // namespace

CallingAddress::CallingAddress(std::string_view trusted_proxies) : trusted_(listed(trusted_proxies)) {}

std::string CallingAddress::of(const Request& request) const {
  std::string caller = request.peer;
  if (!trusted_.empty()) {
    // Each proxy appends whom it has heard: from the right, the first that is no proxy of ours is the caller.
    std::vector<std::string> heard;
    for (const auto& [name, value] : request.headers)
      if (name == "x-forwarded-for")
        for (std::string& part : listed(value)) heard.push_back(std::move(part));
    for (; trusted(caller) && !heard.empty(); heard.pop_back()) caller = heard.back();
  }
  return counted(caller);
}

bool CallingAddress::trusted(std::string_view address) const {
  return std::find(trusted_.begin(), trusted_.end(), address) != trusted_.end();
}

std::string CallingAddress::counted(std::string_view address) {
  boost::system::error_code error;
  const auto parsed = ip::make_address(std::string(address), error);
  if (error || parsed.is_v4()) return std::string(address);
  const ip::address_v6 v6 = parsed.to_v6();
  if (v6.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, v6).to_string();
  auto bytes = v6.to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return ip::address_v6(bytes).to_string() + "/64";
}

}  // namespace http
