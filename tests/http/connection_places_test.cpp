#include "http/wire/connection_places.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "http/wire/descriptors.hpp"

namespace {

using http::AddressList;
using http::ConnectionPlaces;
using Places = std::vector<std::shared_ptr<ConnectionPlaces::Place>>;

/// How many of so many connections are served, told that there is no place, and dropped.
struct Outcome {
  int served = 0, told = 0, dropped = 0;
};
Outcome take(ConnectionPlaces& places, Places& kept, const std::string& address, int count) {
  Outcome outcome;
  for (int i = 0; i < count; ++i) {
    kept.push_back(places.take(address));
    ++(!kept.back() ? outcome.dropped : kept.back()->served() ? outcome.served : outcome.told);
  }
  return outcome;
}

TEST(ConnectionPlaces, OneAddressDoesNotTakeTheOthers) {
  ConnectionPlaces places({.all = 100, .of_address = 10});
  Places kept;
  const Outcome greedy = take(places, kept, "192.0.2.1", 50);
  EXPECT_EQ(greedy.served, 10);
  EXPECT_EQ(greedy.told, 8);
  EXPECT_EQ(greedy.dropped, 32);
  EXPECT_EQ(take(places, kept, "192.0.2.2", 10).served, 10);
  kept.clear();
  EXPECT_EQ(places.taken(), 0U);
  EXPECT_EQ(take(places, kept, "192.0.2.1", 10).served, 10) << "what has gone makes room";
}

TEST(ConnectionPlaces, CountIpv6ByItsNetworks) {
  ConnectionPlaces places({.all = 1000, .of_address = 10});
  Places kept;
  EXPECT_EQ(take(places, kept, "2001:db8:1:1::1", 6).served, 6);
  EXPECT_EQ(take(places, kept, "2001:db8:1:1::2", 6).served, 4);
  for (const char* other : {"2001:db8:1:2::1", "2001:db8:1:3::1"}) take(places, kept, other, 10);
  EXPECT_EQ(take(places, kept, "2001:db8:1:4::1", 10).served, 8)
      << "40 of the network of 48 bits, 2 were told";
  EXPECT_EQ(take(places, kept, "2001:db8:2:1::1", 10).served, 10);
  EXPECT_EQ(take(places, kept, "::ffff:192.0.2.1", 6).served + take(places, kept, "192.0.2.1", 6).served, 10);
}

TEST(ConnectionPlaces, OfAProxyAreBoundedInAllOnly) {
  ConnectionPlaces places({.all = 50, .of_address = 10, .unbounded = AddressList("10.0.0.0/8")});
  Places kept;
  const Outcome outcome = take(places, kept, "10.0.0.1", 200);
  EXPECT_EQ(outcome.served, 50);
  EXPECT_EQ(outcome.told, 64);
  EXPECT_EQ(outcome.dropped, 86);
}

TEST(ConnectionPlaces, ABoundOfZeroIsOff) {
  ConnectionPlaces places({.all = 500, .of_address = 0});
  Places kept;
  EXPECT_EQ(take(places, kept, "192.0.2.1", 500).served, 500);
}

TEST(Descriptors, LeaveRoomForTheFilesBesideTheConnections) {
  EXPECT_EQ(http::connections_that_fit(10'000, 65'536), 10'000U);
  EXPECT_EQ(http::connections_that_fit(10'000, 1024), 320U);
  EXPECT_EQ(http::connections_that_fit(10'000, 100), 0U);
  EXPECT_EQ(http::connections_that_fit(10'000, http::descriptors_for(10'000)), 10'000U);
  EXPECT_EQ(http::connections_that_fit(10'000, http::descriptors_for(10'000) - 1), 9'999U);
}

}  // namespace
