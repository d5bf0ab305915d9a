// Whoever asks for a key that is taken waits for its turn, unless the one before is late.
#include "actors/projects/one_at_a_time.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using OneLine = actors::OneAtATime<std::string, int>;
using Names = std::vector<int>;

TEST(OneAtATime, GivesAKeyToTheFirstAndKeepsTheOthersInTheirOrder) {
  OneLine line;
  EXPECT_EQ(line.take("Gasse 1", 1), OneLine::Turn::mine);
  EXPECT_EQ(line.take("Gasse 1", 2), OneLine::Turn::waits);
  EXPECT_EQ(line.take("Gasse 1", 3), OneLine::Turn::waits);
  EXPECT_EQ(line.take("Gasse 2", 4), OneLine::Turn::mine) << "another key is another matter";
  const auto ended = line.end("Gasse 1");
  EXPECT_FALSE(ended.late);
  EXPECT_EQ(ended.waiting, (Names{2, 3}));
  EXPECT_EQ(line.take("Gasse 1", 5), OneLine::Turn::mine) << "it is free again";
}

TEST(OneAtATime, HandsOutThoseThatWaitWhenTheOneBeforeIsLate) {
  OneLine line;
  line.take("Gasse 1", 1);
  line.take("Gasse 1", 2);
  EXPECT_EQ(line.late("Gasse 1"), Names{2});
  EXPECT_EQ(line.take("Gasse 1", 3), OneLine::Turn::late) << "still nobody else's";
  EXPECT_EQ(line.late("Gasse 1"), Names{}) << "each is handed out once";
  const auto ended = line.end("Gasse 1");
  EXPECT_TRUE(ended.late);
  EXPECT_EQ(ended.waiting, Names{});
  EXPECT_EQ(line.take("Gasse 1", 4), OneLine::Turn::mine);
}

}  // namespace
