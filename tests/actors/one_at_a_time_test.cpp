// Whoever asks for a key that is taken waits for its turn, unless the one before is late.
#include "actors/one_at_a_time.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using Line = actors::OneAtATime<std::string, int>;
using Names = std::vector<int>;

TEST(OneAtATime, GivesAKeyToTheFirstAndKeepsTheOthersInTheirOrder) {
  Line line;
  EXPECT_EQ(line.take("Gasse 1", 1), Line::Turn::mine);
  EXPECT_EQ(line.take("Gasse 1", 2), Line::Turn::waits);
  EXPECT_EQ(line.take("Gasse 1", 3), Line::Turn::waits);
  EXPECT_EQ(line.take("Gasse 2", 4), Line::Turn::mine) << "another key is another matter";
  const auto ended = line.end("Gasse 1");
  EXPECT_FALSE(ended.late);
  EXPECT_EQ(ended.waiting, (Names{2, 3}));
  EXPECT_EQ(line.take("Gasse 1", 5), Line::Turn::mine) << "it is free again";
}

TEST(OneAtATime, HandsOutThoseThatWaitWhenTheOneBeforeIsLate) {
  Line line;
  line.take("Gasse 1", 1);
  line.take("Gasse 1", 2);
  EXPECT_EQ(line.late("Gasse 1"), Names{2});
  EXPECT_EQ(line.take("Gasse 1", 3), Line::Turn::late) << "still nobody else's";
  EXPECT_EQ(line.late("Gasse 1"), Names{}) << "each is handed out once";
  const auto ended = line.end("Gasse 1");
  EXPECT_TRUE(ended.late);
  EXPECT_EQ(ended.waiting, Names{});
  EXPECT_EQ(line.take("Gasse 1", 4), Line::Turn::mine);
}

}  // namespace
