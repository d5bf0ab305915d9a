#include "tests/free_port.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

TEST(FreePort, IsGivenToOneAskerAlone) {
  std::set<std::uint16_t> given;
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(given.insert(test::free_port()).second);
}

}  // namespace
