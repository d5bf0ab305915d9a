#include "http/wire/calling_address.hpp"

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

TEST(CallingAddress, IsTheSameWhateverPortAProxyReportsWithIt) {
  const CallingAddress behind("10.0.0.1");
  for (const char* reported : {"198.51.100.1", "198.51.100.1:5678", "198.51.100.1:1", " 198.51.100.1\t",
                               "::ffff:198.51.100.1", "[::ffff:198.51.100.1]:443"})
    EXPECT_EQ(behind.of(from("10.0.0.1", {reported})), "198.51.100.1") << reported;
  for (const char* reported : {"2001:db8:1:2::1", "[2001:db8:1:2::1]", "[2001:db8:1:2::1]:443",
                               "2001:db8:1:2::1%eth0", "[2001:db8:1:2::9%25eth0]:1"})
    EXPECT_EQ(behind.of(from("10.0.0.1", {reported})), "2001:db8:1:2::/64") << reported;
}

TEST(CallingAddress, IsTheProxysOwnWhenItReportsNoAddress) {
  const CallingAddress behind("10.0.0.1, 10.0.0.2");
  for (const char* reported : {"unknown", "_hidden", "_SEVKISEK", "1.2.3", "nonsense", "1.2.3.4:http", "[::1",
                               "198.51.100.1, unknown", "\"198.51.100.1\""})
    EXPECT_EQ(behind.of(from("10.0.0.1", {reported})), "10.0.0.1") << reported;
  EXPECT_EQ(behind.of(from("10.0.0.1", {"unknown, 10.0.0.2"})), "10.0.0.2") << "of the farthest that is ours";
}

TEST(CallingAddress, KnowsAProxyByItsMappedAddressAndByItsNetwork) {
  EXPECT_EQ(CallingAddress("127.0.0.1").of(from("::ffff:127.0.0.1", {"198.51.100.1"})), "198.51.100.1");
  EXPECT_EQ(CallingAddress("::ffff:127.0.0.1").of(from("127.0.0.1", {"198.51.100.1"})), "198.51.100.1");
  const CallingAddress networks("10.0.0.0/8, 2001:db8::/33");
  EXPECT_EQ(networks.of(from("10.9.8.7", {"198.51.100.1, 10.1.1.1"})), "198.51.100.1");
  EXPECT_EQ(networks.of(from("2001:db8:7fff::1", {"198.51.100.1"})), "198.51.100.1");
  EXPECT_EQ(networks.of(from("2001:db8:8000::1", {"198.51.100.1"})), "2001:db8:8000::/64");
  EXPECT_EQ(networks.of(from("11.0.0.1", {"198.51.100.1"})), "11.0.0.1");
}

TEST(CallingAddress, LeavesTheForwardedHeaderAlone) {
  http::Request request = from("10.0.0.1");
  request.headers.emplace_back("forwarded", "for=198.51.100.1");
  EXPECT_EQ(CallingAddress("10.0.0.1").of(request), "10.0.0.1");
}

TEST(AddressList, NamesThePartThatIsNoAddress) {
  EXPECT_EQ(http::AddressList("10.0.0.1, 10.0.0.0/8, ::1, 2001:db8::/32, ").fault(), "");
  for (const char* wrong : {"proxy.example", "10.0.0.0/33", "10.0.0.0/", "::1/129", "10.0.0.0/8x", "10.0.0"})
    EXPECT_EQ(http::AddressList(std::string("10.0.0.1,") + wrong).fault(), wrong);
}

TEST(CallingAddress, CountsIpv6ByItsNetworkOf64Bits) {
  EXPECT_EQ(CallingAddress::counted("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(CallingAddress::counted("2001:db8:1:2:ffff::1"), "2001:db8:1:2::/64");
  EXPECT_EQ(CallingAddress::counted("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(CallingAddress::counted("no address"), "no address");
}

}  // namespace
