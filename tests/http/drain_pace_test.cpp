#include "http/wire/drain_pace.hpp"

#include <gtest/gtest.h>

namespace {

using http::DrainPace;
using std::chrono::seconds;

constexpr std::size_t kPicture = 2'000'000;
const DrainPace::Time kStart = DrainPace::Time() + std::chrono::hours(1);

/// After how many seconds a client that takes `bytes` every `every_s` seconds is given up; 0: it gets all.
int given_up_after(std::size_t bytes, int every_s, std::uint32_t pace = 4096) {
  DrainPace drain(pace, seconds(30));
  std::size_t waiting = kPicture;
  drain.sent(0, waiting, kStart);
  for (int second = 1; second < 10'000; ++second) {
    if (second % every_s == 0) {
      const std::size_t taken = std::min(bytes, waiting);
      waiting -= taken;
      drain.sent(taken, waiting, kStart + seconds(second));
    }
    if (waiting == 0) return 0;
    if (drain.stalled(kStart + seconds(second))) return second;
  }
  return 10'000;
}

TEST(DrainPace, AByteNowAndThenIsNotTakingAnAnswer) {
  EXPECT_EQ(given_up_after(1, 70), 31);
  EXPECT_EQ(given_up_after(1, 1), 31);
  EXPECT_EQ(given_up_after(1000, 1), 40);
}

TEST(DrainPace, ASlowLineAndAPauseAreNoReasonToClose) {
  EXPECT_EQ(given_up_after(5000, 1), 0);
  EXPECT_EQ(given_up_after(25 * 5000, 25), 0);
}

TEST(DrainPace, APaceOfZeroIsOff) { EXPECT_EQ(given_up_after(1, 1, 0), 10'000); }

TEST(DrainPace, ATimeWithoutAnswersDoesNotCount) {
  DrainPace drain(4096, seconds(30));
  drain.sent(100, 0, kStart);
  EXPECT_FALSE(drain.stalled(kStart + seconds(1000)));
  drain.sent(0, 100, kStart + seconds(1000));
  EXPECT_FALSE(drain.stalled(kStart + seconds(1030)));
  EXPECT_TRUE(drain.stalled(kStart + seconds(1031)));
}

}  // namespace
