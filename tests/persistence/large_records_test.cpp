// Results and pictures lie in files of their own: what a damaged byte or a file that is gone takes with it,
// and what it must not take.
#include <algorithm>
#include <fstream>
#include <random>

#include "persistence/keys.hpp"
#include "tests/persistence/store_fixture.hpp"

namespace {

using namespace persistence;

/// Large records in a file of their own, of which one is harmed as the disk might.
struct LargeRecords : test::StoreTest {
  enum class Harm { flipped, gone };
  std::filesystem::path file;

  static std::string large(int i) {
    std::mt19937 random(static_cast<unsigned>(i));
    std::string text(1U << 20U, '\0');
    std::generate(text.begin(), text.end(), [&] { return static_cast<char>(random()); });
    return text;
  }
  void harm(Harm how) {
    for (int i = 0; i < 4; ++i) put(Table::results, "old " + std::to_string(i), large(i));
    put(Table::projects, "p", "small");
    reopen();  // from the log into a blob file
    store.reset();
    for (const auto& entry : std::filesystem::directory_iterator(directory + "/store"))
      if (entry.path().extension() == ".blob") file = entry.path();
    ASSERT_FALSE(file.empty());
    if (how == Harm::gone) {
      std::filesystem::remove(file);
    } else {
      std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
      bytes.seekp(1000);
      bytes.put('y');
    }
    open();
    ASSERT_EQ(get(Table::results, "old 0"), "(unreadable)");
  }
  /// As a day does: results come, and what expires goes.
  void live_on() {
    constexpr int kRounds = 12, kEach = 16;
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < kEach; ++i)
        ASSERT_TRUE(store->commit({{Table::results, std::to_string(round * kEach + i), large(i)}}))
            << round << ": " << store->last_fault();
      for (int i = 1; i < 4; ++i)
        ASSERT_TRUE(store->commit({erased(Table::results, "old " + std::to_string(i))}));
      for (int i = 0; i < kEach && round > 1; ++i)
        ASSERT_TRUE(store->commit({erased(Table::results, std::to_string((round - 2) * kEach + i))}));
    }
  }
};

TEST_F(LargeRecords, OfWhichOneIsDamagedStopNoWriteHoweverMuchFollows) {
  harm(Harm::flipped);
  live_on();
  EXPECT_EQ(get(Table::results, "old 0"), "(unreadable)");
}

TEST_F(LargeRecords, InAFileThatIsGoneStopNoWriteHoweverMuchFollows) {
  harm(Harm::gone);
  live_on();
  EXPECT_TRUE(store->lost_files());
}

TEST_F(LargeRecords, ThatAreLostKeepBackupsFromBeingMadeUntilTheyAreGivenUp) {
  harm(Harm::gone);
  put(Table::results, "new", large(9));
  const auto failed = store->copy_to(folder.file("first"));
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().find(file.filename()), std::string::npos) << failed.error();
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(store->commit({erased(Table::results, "old " + std::to_string(i))}));
  ASSERT_TRUE(store->drop_lost_files());
  EXPECT_FALSE(store->lost_files());
  ASSERT_TRUE(store->copy_to(folder.file("second")));
  directory = folder.file("second");
  reopen();
  EXPECT_TRUE(get(Table::results, "new") == large(9));
  EXPECT_EQ(get(Table::projects, "p"), "small");
}

TEST_F(LargeRecords, InAFileWithADamagedEndAreGoneAndCanBeGivenUp) {
  harm(Harm::flipped);
  store.reset();
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp(-20, std::ios::end);
  bytes.put('y');
  bytes.close();
  open();
  const auto value = store->get_unverified(Table::results, "old 2");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error(), StoreFault::gone);
}

TEST_F(LargeRecords, WhoseTableIsDamagedNeitherEndsTheProgramNorGivesWrongBytes) {
  constexpr std::uint64_t kRecords = 20;
  const auto value = [](std::uint64_t i) { return std::string(3000, static_cast<char>('a' + i)); };
  for (std::uint64_t i = 0; i < kRecords; ++i) put(Table::results, number_key(i), value(i));
  reopen();
  store.reset();
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/store")) {
    if (entry.path().extension() != ".sst") continue;
    for (std::uintmax_t at = 0; at < entry.file_size(); at += 1 + entry.file_size() / 80) {
      test::flip(entry.path(), at, 0x80);
      if (auto opened = Store::open(directory)) {
        store = std::move(*opened);
        for (std::uint64_t i = 0; i < kRecords; ++i) {
          const auto unverified = store->get_unverified(Table::results, number_key(i));
          EXPECT_TRUE(!unverified || (*unverified && **unverified == value(i))) << at;
          EXPECT_TRUE(unverified || unverified.error() == StoreFault::unreadable) << "no file is gone";
          const auto verified = store->get(Table::results, number_key(i));
          EXPECT_TRUE(!verified || (*verified && **verified == value(i))) << at << ": never missing";
        }
        store.reset();
      }
      test::flip(entry.path(), at, 0x80);
    }
  }
  open();
  EXPECT_FALSE(store->damaged_table());
}

TEST_F(LargeRecords, ThatAreDamagedAreGivenOnlyToWhoAsksForThemUnverified) {
  const std::string large(100'000, 'x');
  put(Table::results, "r", large);
  reopen();  // from the log into a blob file
  store.reset();
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/store"))
    if (entry.path().extension() == ".blob") {
      std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
      file.put('y');
    }
  open();
  EXPECT_EQ(get(Table::results, "r"), "(unreadable)");
  const auto bytes = store->get_unverified(Table::results, "r");
  ASSERT_TRUE(bytes && *bytes);
  EXPECT_EQ((*bytes)->size(), large.size());
  EXPECT_EQ(std::count((*bytes)->begin(), (*bytes)->end(), 'y'), 1);
}

}  // namespace
