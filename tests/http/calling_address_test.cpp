#include "http/calling_address.hpp"

#include <gtest/gtest.h>

namespace {

using http::CallingAddress;

http::Request from(const std::string& peer, const std::vector<std::string>& forwarded = {}) {
  http::Request request;
  request.peer = peer;
  for (const std::string& value : forwarded) request.headers.emplace_back("x-forwarded-for", value);
  return request;
}

TEST(CallingAddress, IsTheOtherEndWhateverAHeaderSaysWhenNoProxyIsTrusted) {
  EXPECT_EQ(CallingAddress("").of(from("192.0.2.7", {"198.51.100.1"})), "192.0.2.7");
}

TEST(CallingAddress, IsWhomTheNearestTrustedProxyReports) {
  const CallingAddress behind("10.0.0.1, 10.0.0.2");
  EXPECT_EQ(behind.of(from("10.0.0.1", {"198.51.100.1"})), "198.51.100.1");
  EXPECT_EQ(behind.of(from("10.0.0.1", {"198.51.100.1, 10.0.0.2"})), "198.51.100.1");
  EXPECT_EQ(behind.of(from("10.0.0.1", {"203.0.113.9, 198.51.100.1", "10.0.0.2"})), "198.51.100.1")
      << "what a client invents to the left does not count";
  EXPECT_EQ(behind.of(from("192.0.2.7", {"198.51.100.1"})), "192.0.2.7") << "not from a proxy of ours";
  EXPECT_EQ(behind.of(from("10.0.0.1")), "10.0.0.1");
}

TEST(CallingAddress, CountsIpv6ByItsNetworkOf64Bits) {
  EXPECT_EQ(CallingAddress::counted("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(CallingAddress::counted("2001:db8:1:2:ffff::1"), "2001:db8:1:2::/64");
  EXPECT_EQ(CallingAddress::counted("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(CallingAddress::counted("no address"), "no address");
}

}  // namespace
