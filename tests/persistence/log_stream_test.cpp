// The log from a primary's store to a standby's: every batch, and none acknowledged that the standby lacks.
#include <rocksdb/write_batch.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>

#include "tests/persistence/log_stream_fixture.hpp"

namespace {

using namespace std::chrono_literals;
using namespace persistence;
using test::LogStream;
using ::testing::HasSubstr;

TEST_F(LogStream, ABatchIsAcknowledgedOnlyWhenTheStandbyHasIt) {
  follow();
  ASSERT_TRUE(in_sync());
  follower.reset();
  auto acknowledged = std::async(std::launch::async, [this] { put(1); });
  EXPECT_EQ(acknowledged.wait_for(300ms), std::future_status::timeout);
  follow();
  EXPECT_EQ(acknowledged.wait_for(20s), std::future_status::ready);
  expect_equal();
}

TEST_F(LogStream, AfterAnAbsenceTheLogSuffices) {
  follow();
  ASSERT_TRUE(in_sync());
  lose_standby();
  for (int n = 0; n < 2'000; ++n) put(n, 20'000);  // more than is held in memory
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U);
  expect_equal();
}

// What waits for the standby is written in one piece.
TEST_F(LogStream, BatchesThatWereMissedTakeEffectInTheirOrder) {
  follow();
  ASSERT_TRUE(in_sync());
  lose_standby();
  const std::uint64_t missed = newest() + 1;
  for (int n = 0; n < 3'000; ++n) {
    const std::string key = "key" + std::to_string(n % 7);
    ASSERT_TRUE(store->commit(
        {n % 5 == 0 ? erased(Table::projects, key) : Write{Table::projects, key, std::to_string(n)}}));
  }
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U) << "the first";
  lose_standby();
  EXPECT_LT(pieces_of_log(standby, missed), 300U);
  expect_equal();
}

TEST_F(LogStream, WhoEndsWithinAPieceThatTheOtherHasWrittenAtOnceBecomesEqualAllTheSame) {
  const std::string halfway = folder.file("halfway"), whole = standby;
  const auto follow_in = [this](const std::string& directory) {
    standby = directory;
    follow();
    ASSERT_TRUE(in_sync());
    lose_standby();
  };
  follow_in(whole);
  std::filesystem::copy(whole, halfway, std::filesystem::copy_options::recursive);
  const std::uint64_t missed = newest() + 1;
  for (int n = 0; n < 100; ++n) put(n);
  follow_in(halfway);
  for (int n = 100; n < 200; ++n) put(n);
  follow_in(whole);
  end_primary();
  EXPECT_LT(pieces_of_log(whole, missed), 20U);
  primary = whole;
  standby = halfway;
  lead(2);
  put(200);
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U) << "of this server";
  expect_equal();
}

// Otherwise the old primary would have more than the new one, and would have to be copied.
TEST_F(LogStream, WhatCameJustBeforeTheConnectionsEndIsKept) {
  follow();
  ASSERT_TRUE(in_sync());
  lose_standby();
  const std::uint64_t next = newest() + 1;
  end_primary();
  const int listening = *listen_on("127.0.0.1", port);
  follow();
  std::unique_ptr<Channel> primary_side;
  ASSERT_TRUE(soon([&] {
    if (const int socket = ::accept(listening, nullptr, nullptr); socket >= 0)
      primary_side = Channel::accepted(socket, "127.0.0.1", tls(), 2'000ms);
    return primary_side != nullptr;
  }));
  ASSERT_TRUE(soon([&] { return primary_side->shakes_hands(); }));
  ASSERT_TRUE(primary_side->receive(2'000ms)) << "the greeting";
  rocksdb::WriteBatch batch;
  batch.Put("key", std::string(50'000, 'v'));
  primary_side->add('W', FrameWriter().number(1).text("a").bytes());
  primary_side->add('B', FrameWriter().number(0).number(next).number(next).text(batch.Data()).bytes());
  primary_side->flush();
  primary_side.reset();
  ::close(listening);
  EXPECT_TRUE(soon([&] { return !follower->figures().connected && !follower->figures().fault.empty(); }));
  follower.reset();
  DatabasePtr kept;
  ASSERT_TRUE(open_database(standby, Access::reading, kept).ok());
  EXPECT_EQ(kept->db->GetLatestSequenceNumber(), next);
}

TEST_F(LogStream, WhenThePrimaryGoesTheStandbyFlushesWhatItWouldReadFromTheLog) {
  follow();
  ASSERT_TRUE(in_sync());
  for (int n = 0; n < 20; ++n) put(n, 400'000);
  const auto before = tables_in_files();
  end_primary();
  EXPECT_TRUE(soon([&] { return tables_in_files() > before; }));
}

TEST_F(LogStream, AnOrderToTakeOverIsForgottenWithItsConnection) {
  proxy = std::make_unique<test::CuttingProxy>(port);
  follow(proxy->port());
  ASSERT_TRUE(in_sync());
  proxy->cut(true);
  follower->take_over();  // on its way when nobody hears it
  ASSERT_TRUE(soon([this] { return !server->figures().connected && !follower->figures().connected; }));
  follower->take_over();
  leadership.server().diverged();
  proxy->cut(false);
  ASSERT_TRUE(in_sync());
  put(1);
  EXPECT_EQ(leadership.taken_over, 0);
  follower->take_over();
  EXPECT_TRUE(soon([this] { return leadership.taken_over == 1; }));
}

TEST_F(LogStream, AStandbyThatIsNotInSyncDoesNotTakeOver) {
  follow();
  ASSERT_TRUE(in_sync());
  {
    const std::lock_guard guard(leadership.mutex);
    leadership.in_sync.clear();  // and it is needed, so that it does not join anew
  }
  follower->take_over();
  EXPECT_TRUE(told("b is not in sync"));
  EXPECT_EQ(leadership.taken_over, 0);
}

TEST_F(LogStream, AChangedBitOnTheWayIsFoundAndSentAnew) {
  proxy = std::make_unique<test::CuttingProxy>(port);
  follow(proxy->port());
  ASSERT_TRUE(in_sync());
  for (int n = 0; n < 20; ++n) {
    if (n % 5 == 0) proxy->flip = true;
    put(n, 20'000);
  }
  EXPECT_GE(server->figures().connections, 3U);
  expect_equal();
}

TEST_F(LogStream, APrimaryOfAnOlderEpochIsNotAnswered) {
  follow();
  ASSERT_TRUE(in_sync());
  leadership.least_epoch = 2;
  auto acknowledged = std::async(std::launch::async, [this] { put(1); });
  EXPECT_EQ(acknowledged.wait_for(500ms), std::future_status::timeout);
  leadership.server().diverged();
  EXPECT_EQ(acknowledged.wait_for(5s), std::future_status::ready);
}

TEST_F(LogStream, AStandbyThatSaysNothingMoreIsGivenUpAndServedWhenItComesBack) {
  proxy = std::make_unique<test::CuttingProxy>(port);
  follow(proxy->port());
  ASSERT_TRUE(in_sync());
  proxy->cut(true);
  EXPECT_TRUE(soon([this] { return !server->figures().connected; }));
  follower.reset();
  leadership.server().diverged();
  put(1);
  follow();
  EXPECT_TRUE(in_sync());
  expect_equal();
}

TEST_F(LogStream, APairsStoreTakesNoWritesUnlessItLeadsOrHasLeftThePair) {
  server.reset();
  store.reset();
  auto alone = Store::open(primary);
  ASSERT_TRUE(alone);
  EXPECT_FALSE((*alone)->commit({{Table::projects, "x", "y"}}));
  EXPECT_THAT((*alone)->last_fault(), HasSubstr("pair"));
  ASSERT_TRUE((*alone)->leave_pair());
  EXPECT_TRUE((*alone)->commit({{Table::projects, "x", "y"}}));
}

}  // namespace
