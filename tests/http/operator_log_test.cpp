// The operators' log on a descriptor: time and level before each line, and a reader who reads nothing holds
// up nobody.
#include "http/operators/operator_log.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "tests/http/service/running_service.hpp"

namespace {

using namespace http;
using actors::LogLevel;
using actors::LogLine;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// Both ends of a pipe.
struct Pipe {
  Pipe() { EXPECT_EQ(::pipe(ends.data()), 0); }
  ~Pipe() {
    close_reader();
    ::close(ends[1]);
  }
  void close_reader() {
    if (ends[0] >= 0) ::close(std::exchange(ends[0], -1));
  }
  std::string read_what_is_there() const {
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    std::string text(1U << 20U, '\0');
    const ssize_t n = ::read(ends[0], text.data(), text.size());
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }
  std::array<int, 2> ends{-1, -1};
};

std::string written(LogLevel least, LogLevel level, bool priorities = false) {
  const Pipe pipe;
  {
    OperatorLog(least, pipe.ends[1], priorities)
        .write(level, LogLine("run failed").field("project", std::uint64_t{17}));
  }
  return pipe.read_what_is_there();
}

TEST(OperatorLogs, ALineBeginsWithTimeAndLevel) {
  EXPECT_THAT(written(LogLevel::info, LogLevel::error),
              MatchesRegex("time=20..-..-..T..:..:..\\....Z level=error msg=\"run failed\" project=17\n"));
  EXPECT_THAT(written(LogLevel::info, LogLevel::warning), HasSubstr(" level=warning "));
  EXPECT_THAT(written(LogLevel::info, LogLevel::info), HasSubstr(" level=info "));
}

TEST(OperatorLogs, LinesBelowTheChosenLevelAreNotWritten) {
  EXPECT_EQ(written(LogLevel::warning, LogLevel::info), "");
  EXPECT_THAT(written(LogLevel::warning, LogLevel::warning), HasSubstr("level=warning"));
  EXPECT_EQ(written(LogLevel::off, LogLevel::error), "");
  EXPECT_FALSE(log_level_of("loud"));
  EXPECT_EQ(log_level_of("warning"), LogLevel::warning);
}

TEST(OperatorLogs, TheJournalIsToldTheLinesPriority) {
  EXPECT_THAT(written(LogLevel::info, LogLevel::error, true), MatchesRegex("<3>time=.*\n"));
  EXPECT_THAT(written(LogLevel::info, LogLevel::warning, true), MatchesRegex("<4>time=.*\n"));
  EXPECT_THAT(written(LogLevel::info, LogLevel::info, true), MatchesRegex("<6>time=.*\n"));
}

TEST(OperatorLogs, TheJournalIsKnownByWhatSystemdSaysOfIt) {
  const Pipe pipe;
  EXPECT_FALSE(is_journal(pipe.ends[1]));
  struct stat found {};
  ASSERT_EQ(::fstat(pipe.ends[1], &found), 0);
  const test::Environment named("JOURNAL_STREAM",
                                std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino));
  EXPECT_TRUE(is_journal(pipe.ends[1]));
  EXPECT_FALSE(is_journal(STDIN_FILENO)) << "redirected since";
}

TEST(OperatorLogs, WhatHasGatheredIsWrittenInItsOrderBeforeTheLogEnds) {
  const Pipe pipe;
  {
    OperatorLog log(LogLevel::info, pipe.ends[1]);
    for (std::uint64_t i = 0; i < 500; ++i) log.write(LogLevel::info, LogLine("x").field("i", i));
    log.write(LogLevel::info, LogLine("last"));
  }
  const std::string text = pipe.read_what_is_there();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 501) << text;
  EXPECT_LT(text.find(" i=7\n"), text.find(" i=8\n"));
  EXPECT_THAT(text, EndsWith("msg=last\n"));
}

TEST(OperatorLogs, LinesThatNobodyTakesAreDroppedAndCountedAndHoldUpNobodyNotEvenTheEnd) {
  const Pipe pipe;  // takes 64 KiB and then blocks, for the reader never reads
  std::uint64_t dropped = 0;
  {
    OperatorLog log(LogLevel::info, pipe.ends[1]);
    const LogLine line = LogLine("x").field("text", std::string(100, 'y'));
    for (int i = 0; i < 200'000; ++i) log.write(LogLevel::info, line);
    dropped = log.dropped();
  }
  EXPECT_GT(dropped, 100'000U);  // 33 MB, of which 8 MB wait at most
  EXPECT_LT(dropped, 200'000U);
}

TEST(OperatorLogs, AReaderThatHasGoneEndsNothing) {
  Pipe pipe;
  ::signal(SIGPIPE, SIG_IGN);
  OperatorLog log(LogLevel::info, pipe.ends[1]);
  pipe.close_reader();
  log.write(LogLevel::error, LogLine("nobody hears it"));
}

}  // namespace
