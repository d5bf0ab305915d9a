// When a standby is copied anew, and when its data must not be replaced.
#include <fstream>

#include "tests/persistence/log_stream_fixture.hpp"

namespace {

using namespace std::chrono_literals;
using namespace persistence;
using test::LogStream;
using ::testing::HasSubstr;

TEST_F(LogStream, ANewStandbyIsCopiedAndThenHasEveryBatch) {
  for (int n = 0; n < 50; ++n) put(n, 20'000);
  follow();
  ASSERT_TRUE(in_sync());
  for (int n = 50; n < 300; ++n) put(n);
  EXPECT_EQ(server->figures().answered, server->figures().newest);
  EXPECT_EQ(server->figures().copies, 1U);
  expect_equal();
}

TEST_F(LogStream, TheLogIsHeldFromACopysBeginUntilTheStandbyIsInSync) {
  constexpr std::uintmax_t kMegabyte = 1U << 20U;
  leadership.takes_in = false;
  follow();
  ASSERT_TRUE(soon([this] { return leadership.whole.load(); }));
  for (int n = 0; n < 120; ++n) put(n, kMegabyte);  // RocksDB gives up what is over 64 MB
  EXPECT_GE(log_bytes(), 120 * kMegabyte);
  leadership.takes_in = true;
  ASSERT_TRUE(in_sync());
  EXPECT_TRUE(soon([&] { return log_bytes() < 80 * kMegabyte; })) << log_bytes();
}

TEST_F(LogStream, AStandbyWithBatchesOfItsOwnIsCopiedAnew) {
  follow();
  ASSERT_TRUE(in_sync());
  put(1);
  follower.reset();
  end_primary();
  std::swap(primary, standby);  // it leads once, unseen by the other
  lead(2);
  put(2);
  server.reset();
  store.reset();
  std::swap(primary, standby);
  lead(3);
  put(3);
  put(4);
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U) << "of this server";
  expect_equal();
}

// Both begin with the same epoch and the same numbers.
TEST_F(LogStream, TheStoreOfAnotherPairThatWasSetUpAlikeIsNotTakenForABeginning) {
  follow();
  ASSERT_TRUE(in_sync());
  put(1);
  follower.reset();
  end_primary();
  std::filesystem::remove_all(primary);
  lead(1);
  for (int n = 2; n < 9; ++n) put(n);
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U);
  expect_equal();
}

TEST_F(LogStream, AStandbyThatLacksWhatIsDamagedInTheLogIsCopiedAnew) {
  follow();
  ASSERT_TRUE(in_sync());
  lose_standby();
  for (int n = 0; n < 1'500; ++n) put(n, 20'000);  // more than is held in memory
  std::filesystem::path oldest;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(primary + "/store"))
    if (entry.path().extension() == ".log" && entry.file_size() > 4U << 20U &&
        (oldest.empty() || entry.path().filename() < oldest.filename()))
      oldest = entry.path();
  ASSERT_FALSE(oldest.empty());
  {
    std::fstream log(oldest, std::ios::in | std::ios::out | std::ios::binary);
    log.seekp((2 << 20) + 1'000).put('?').put('?');
  }
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 2U);
}

TEST_F(LogStream, AStandbyKilledBetweenACopysRenamesHasItsDataBack) {
  follow();
  ASSERT_TRUE(in_sync());
  put(1);
  lose_standby();
  std::filesystem::rename(standby + "/store", standby + "/store.replaced");
  put(2);
  follow();
  ASSERT_TRUE(in_sync());
  EXPECT_EQ(server->figures().copies, 1U) << "the first";
  expect_equal();
}

TEST_F(LogStream, APrimaryOfAnOlderEpochDoesNotOverwriteTheStandby) {
  follow();
  ASSERT_TRUE(in_sync());
  put(1);
  follower.reset();
  end_primary();
  std::filesystem::remove_all(primary);  // it must copy the standby anew
  lead(1);
  leadership.least_epoch = 2;
  follow();
  EXPECT_TRUE(
      soon([this] { return follower->figures().fault.find("is not copied from") != std::string::npos; }));
  follower.reset();
  DatabasePtr kept;
  ASSERT_TRUE(open_database(standby, Access::reading, kept).ok());
  std::string value;
  EXPECT_TRUE(kept->db->Get({}, kept->handle(Table::projects), "key1", &value).ok()) << "it has its data";
}

TEST_F(LogStream, DataOfItsOwnAreNotReplaced) {
  {
    auto own = Store::open(standby);
    ASSERT_TRUE(own);
    ASSERT_TRUE((*own)->commit({{Table::projects, "mine", "precious"}}));
  }
  follow();
  EXPECT_TRUE(soon([this] { return !follower->figures().fault.empty(); }));
  EXPECT_THAT(follower->figures().fault,
              AllOf(HasSubstr("never a pair's"), HasSubstr("cluster promote --force")));
  follower.reset();
  auto own = Store::open(standby);
  ASSERT_TRUE(own);
  EXPECT_EQ(*(*own)->get(Table::projects, "mine"), "precious");
}

}  // namespace
