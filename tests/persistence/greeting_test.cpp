// Which standby can follow a log, and how it says what it has.
#include "persistence/greeting.hpp"

#include <gtest/gtest.h>

#include "persistence/channel.hpp"
#include "persistence/keys.hpp"

namespace {

using namespace persistence;

TEST(Greeting, ALogIsTheBeginningOfAnotherWhenTheyShareTheirLastStretch) {
  const std::vector<Stretch> one{{1, 1}, {2, 50}};
  EXPECT_TRUE(is_beginning({{1, 1}}, 49, one, 90));
  EXPECT_FALSE(is_beginning({{1, 1}}, 50, one, 90))
      << "the first primary had written more than the second knew";
  EXPECT_TRUE(is_beginning(one, 90, one, 90));
  EXPECT_FALSE(is_beginning(one, 91, one, 90));
  EXPECT_FALSE(is_beginning({{1, 1}, {2, 51}}, 60, one, 90));
  EXPECT_FALSE(is_beginning({}, 0, one, 90)) << "nothing that was ever a part of it";
  EXPECT_FALSE(is_beginning({{1, 1, 5}}, 49, {{1, 1, 6}}, 90)) << "the same place of another log";
}

TEST(Greeting, AnOldPrimaryUnderstandsTheOldGreeting) {
  const std::string bytes = old_greeting_bytes({.name = "b",
                                                .group = "g",
                                                .schema = 2,
                                                .newest = 90,
                                                .history = {{1, 2, 77}, {3, 4, 88}},
                                                .tables = "meta=1,"});
  FrameReader reader(bytes);
  EXPECT_EQ(reader.number(), 1U);
  EXPECT_EQ(reader.text(), "b");
  EXPECT_EQ(reader.number(), 90U);
  EXPECT_EQ(reader.text(), number_key(1) + number_key(2) + number_key(3) + number_key(4));
  EXPECT_EQ(reader.text(), "meta=1,");
  EXPECT_TRUE(reader.whole());
}

TEST(Greeting, AStandbyMayHaveMoreTablesButNoneByAnotherNumber) {
  EXPECT_TRUE(has_tables("default=0,meta=1,keys=2,", "default=0,meta=1,"));
  EXPECT_FALSE(has_tables("default=0,meta=1,", "default=0,meta=1,keys=2,"));
  EXPECT_FALSE(has_tables("default=0,meta=11,", "default=0,meta=1,"));
}

}  // namespace
