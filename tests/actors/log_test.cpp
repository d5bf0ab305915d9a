// A line of the log: one event, one line, whatever is in it.
#include "actors/log.hpp"

#include <gtest/gtest.h>

namespace {

using actors::LogLine;

TEST(LogLines, AreLogfmtInTheOrderOfTheirFields) {
  EXPECT_EQ(LogLine("run failed").field("id", "0a1b").field("project", std::uint64_t{17}).text(),
            "msg=\"run failed\" id=0a1b project=17");
}

TEST(LogLines, QuoteWhatIsNoPlainWord) {
  EXPECT_EQ(LogLine("x").field("reason", "a \"b\" \\ c=d").text(), R"(msg=x reason="a \"b\" \\ c=d")");
}

TEST(LogLines, StayOneLineWhateverTheyAreGiven) {
  EXPECT_EQ(LogLine("x").field("reason", "a\nlevel=error msg=b\t\x01").text(),
            "msg=x reason=\"a level=error msg=b  \"");
}

TEST(LogLines, LeaveOutWhatIsEmpty) { EXPECT_EQ(LogLine("x").field("reason", "").text(), "msg=x"); }

TEST(LogLines, TellTimesInMillisecondsWithThreeDecimals) {
  EXPECT_EQ(LogLine("x").milliseconds("ms", std::chrono::microseconds(1'500)).text(), "msg=x ms=1.500");
  EXPECT_EQ(LogLine("x").milliseconds("ms", std::chrono::microseconds(7)).text(), "msg=x ms=0.007");
}

}  // namespace
