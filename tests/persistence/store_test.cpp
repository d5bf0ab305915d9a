// The store's promises: all or nothing, what is acknowledged survives, order of scans, numbers never given
// twice.
#include "tests/persistence/store_fixture.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <future>
#include <random>
#include <set>
#include <thread>

#include "persistence/keys.hpp"
#include "tests/full_disk.hpp"

namespace {

using namespace persistence;
using Order = Store::Order;
using Keys = std::vector<std::string>;
struct StoreData : test::StoreTest {};

std::string bytes(std::initializer_list<int> values) { return {values.begin(), values.end()}; }

TEST_F(StoreData, KeepsTheTablesApart) {
  for (std::size_t i = 0; i < kTables; ++i)
    put(static_cast<Table>(i), "same key", "table " + std::to_string(i));
  reopen();
  for (std::size_t i = 0; i < kTables; ++i)
    EXPECT_EQ(get(static_cast<Table>(i), "same key"), "table " + std::to_string(i));
}

TEST_F(StoreData, TellsNothingStoredFromAnEmptyValue) {
  put(Table::expiry, "empty", "");
  EXPECT_EQ(get(Table::expiry, "empty"), "");
  EXPECT_EQ(get(Table::expiry, "missing"), "(none)");
}

TEST_F(StoreData, TakesAnyBytesForKeysAndValues) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  put(Table::addresses, all, all);
  put(Table::addresses, std::string(1, '\0'), "nul");
  reopen();
  EXPECT_EQ(get(Table::addresses, all), all);
  EXPECT_EQ(get(Table::addresses, std::string(1, '\0')), "nul");
  EXPECT_EQ(get(Table::addresses, std::string(2, '\0')), "(none)");
}

TEST_F(StoreData, KeepsLargeValuesInBlobFiles) {
  const std::string large(5'000'000, 'x');
  put(Table::results, "r", large);
  reopen();
  EXPECT_EQ(get(Table::results, "r"), large);
}

TEST_F(StoreData, GetsEachOfManyKeysAsGetGivesIt) {
  std::vector<std::string> asked;
  for (int i = 0; i < 300; ++i) {
    const std::string key = "k" + std::to_string(i * 7919 % 300);
    if (i % 3 != 0) put(Table::runs, key, std::string(50, 'v') + key);
    asked.push_back(key);
    if (i % 50 == 0) asked.push_back(key);  // twice
  }
  const auto expect_as_get = [&] {
    const auto each = store->get_each(Table::runs, asked);
    ASSERT_EQ(each.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) EXPECT_EQ(each[i], store->get(Table::runs, asked[i]));
  };
  expect_as_get();
  reopen();  // from the log into a table file
  put(Table::runs, asked[7], "newer");
  expect_as_get();
  EXPECT_TRUE(store->get_each(Table::runs, {}).empty());
}

TEST_F(StoreData, NamesEveryTable) {
  for (std::size_t table = 0; table < kTables; ++table) {
    const auto key = std::to_string(table);
    put(static_cast<Table>(table), key, key);
  }
  reopen();
  for (std::size_t table = 0; table < kTables; ++table)
    EXPECT_EQ(get(static_cast<Table>(table), std::to_string(table)), std::to_string(table));
}

TEST_F(StoreData, AppliesABatchInOrder) {
  ASSERT_TRUE(store->commit({{Table::runs, "a", "1"},
                             {Table::runs, "a", "2"},
                             erased(Table::runs, "a"),
                             {Table::runs, "b", "1"},
                             erased(Table::runs, "b"),
                             {Table::runs, "b", "2"},
                             erased(Table::runs, "never there")}));
  EXPECT_EQ(get(Table::runs, "a"), "(none)");
  EXPECT_EQ(get(Table::runs, "b"), "2");
}

TEST_F(StoreData, TakesAnEmptyBatch) { EXPECT_TRUE(store->commit({})); }

TEST_F(StoreData, StoresNothingOfABatchThatTheDiskRefuses) {
  put(Table::runs, "before", "1");
  bool stored = true;
  {
    const test::FullDisk full;
    stored = store->commit({{Table::runs, "a", "1"}, {Table::projects, "b", std::string(100'000, 'x')}})
                 .has_value();
  }
  EXPECT_FALSE(stored);
  EXPECT_EQ(get(Table::runs, "a"), "(none)");
  crash();
  EXPECT_EQ(get(Table::runs, "before"), "1");
  EXPECT_EQ(get(Table::runs, "a"), "(none)");
  EXPECT_EQ(get(Table::projects, "b"), "(none)");
}

TEST_F(StoreData, WritesAgainAsSoonAsThereIsRoomAgain) {
  for (int round = 0; round < 3; ++round) {
    {
      const test::FullDisk full;
      for (int i = 0; i < 3; ++i) EXPECT_FALSE(store->commit({{Table::runs, "refused", "x"}}));
    }
    const std::string key = "round " + std::to_string(round);
    ASSERT_TRUE(store->commit({{Table::runs, key, "x"}}));
    crash();
    EXPECT_EQ(get(Table::runs, key), "x");
    EXPECT_EQ(get(Table::runs, "refused"), "(none)");
  }
}

/// A standby's side, as the store sees it.
struct OfferedBatches : persistence::BatchFollower {
  std::vector<std::string> batches;
  int withdrawn = 0;
  void offer(std::uint64_t, std::uint64_t, std::shared_ptr<const std::string> batch) override {
    batches.push_back(*batch);
  }
  void withdraw() override { ++withdrawn; }
  void await(std::uint64_t) override {}
  bool have(const std::string& text) const {
    return std::any_of(batches.begin(), batches.end(),
                       [&](const std::string& batch) { return batch.find(text) != std::string::npos; });
  }
};

TEST_F(StoreData, AStretchThatTheDiskRefusesIsNeverTakenForTheOneThatComesInItsPlace) {
  OfferedBatches offered;
  ASSERT_TRUE(store->begin_epoch(5, offered));
  {
    const test::FullDisk full;
    EXPECT_FALSE(store->commit({{Table::runs, "first", "refused"}}));
  }
  EXPECT_EQ(offered.withdrawn, 1);
  {
    const test::FullDisk full(3'000'000);  // the store opens again and refuses the next one
    EXPECT_FALSE(store->commit({{Table::runs, "second", std::string(8'000'000, 'x')}}));
  }
  ASSERT_TRUE(store->commit({{Table::runs, "third", "x"}}));
  for (const char* batch : {"first", "second", "third"}) EXPECT_TRUE(offered.have(batch)) << batch;
  EXPECT_EQ(offered.withdrawn, 2);
  const auto history = store->history();
  ASSERT_EQ(history.size(), 2U);
  const persistence::Stretch& last = history.back();
  const auto said = [&](std::uint64_t mark) { return number_key(last.first) + number_key(mark); };
  EXPECT_FALSE(offered.batches.end()[-2].find(said(last.mark)) != std::string::npos)
      << "what a standby may have";
  EXPECT_TRUE(offered.batches.back().find(said(last.mark)) != std::string::npos);
  store.reset();  // before whom it tells of its batches
}

TEST_F(StoreData, ReadsWhileTheDiskIsFull) {
  put(Table::runs, "a", "1");
  const test::FullDisk full;
  EXPECT_FALSE(store->commit({{Table::runs, "b", "1"}}));
  EXPECT_EQ(get(Table::runs, "a"), "1");
  EXPECT_EQ(keys(Table::runs, "", Order::ascending), Keys{"a"});
}

TEST_F(StoreData, KeepsEveryAcknowledgedBatchWhenItIsKilled) {
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 20; ++i)
      put(Table::projects, number_key(static_cast<std::uint64_t>(20 * round + i)), "p");
    crash();
    EXPECT_EQ(keys(Table::projects, "", Order::ascending).size(), static_cast<std::size_t>(20 * (round + 1)));
  }
}

TEST_F(StoreData, LosesAtMostTheTornEndOfItsLog) {
  put(Table::runs, "first", "1");
  for (int i = 0; i < 50; ++i)
    ASSERT_TRUE(store->commit(
        {{Table::runs, "a" + std::to_string(i), "x"}, {Table::line, "b" + std::to_string(i), "x"}}));
  const std::string copy = folder.file("torn");
  std::filesystem::copy(directory, copy, std::filesystem::copy_options::recursive);
  std::filesystem::path log;
  for (const auto& entry : std::filesystem::directory_iterator(copy + "/store"))
    if (entry.path().extension() == ".log" && entry.file_size() > 0) log = entry.path();
  ASSERT_FALSE(log.empty());
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 7);
  store.reset();
  directory = copy;
  open();
  EXPECT_EQ(get(Table::runs, "first"), "1");
  EXPECT_EQ(keys(Table::runs, "a", Order::ascending).size(), 49U);
  EXPECT_EQ(keys(Table::line, "b", Order::ascending).size(), 49U);  // the torn batch is gone as a whole
}

// ---- scans --------------------------------------------------------------------------------------------

TEST_F(StoreData, ScansAPrefixInBothOrders) {
  for (const char* key : {"a", "b1", "b2", "b3", "c"}) put(Table::meta, key, key);
  EXPECT_EQ(keys(Table::meta, "b", Order::ascending), (Keys{"b1", "b2", "b3"}));
  EXPECT_EQ(keys(Table::meta, "b", Order::descending), (Keys{"b3", "b2", "b1"}));
  EXPECT_EQ(keys(Table::meta, "x", Order::ascending), Keys{});
  EXPECT_EQ(keys(Table::meta, "x", Order::descending), Keys{});
}

TEST_F(StoreData, ScansFromAKeyOnAscendingAndBelowItDescending) {
  for (const char* key : {"b1", "b3", "b5"}) put(Table::runs, key, "");
  EXPECT_EQ(keys(Table::runs, "b", Order::ascending, "b3"), (Keys{"b3", "b5"}));
  EXPECT_EQ(keys(Table::runs, "b", Order::ascending, "b2"), (Keys{"b3", "b5"}));
  EXPECT_EQ(keys(Table::runs, "b", Order::descending, "b3"), (Keys{"b1"}));
  EXPECT_EQ(keys(Table::runs, "b", Order::descending, "b4"), (Keys{"b3", "b1"}));
  EXPECT_EQ(keys(Table::runs, "b", Order::descending, "b1"), Keys{});
}

TEST_F(StoreData, ScansThePrefixAlsoFromAKeyOutsideOfIt) {
  for (const char* key : {"a9", "b1", "b3", "c1", "d1"}) put(Table::runs, key, "");
  EXPECT_EQ(keys(Table::runs, "b", Order::ascending, "a"), (Keys{"b1", "b3"}));
  EXPECT_EQ(keys(Table::runs, "b", Order::descending, "d"), (Keys{"b3", "b1"}));
  EXPECT_EQ(keys(Table::runs, "b", Order::ascending, "c"), Keys{});
  EXPECT_EQ(keys(Table::runs, "b", Order::descending, "b"), Keys{});
}

TEST_F(StoreData, ScansPrefixesThatEndInTheGreatestByte) {
  const Keys all = {bytes({0xfe}), bytes({0xff}), bytes({0xff, 0x00}), bytes({0xff, 0xff}),
                    bytes({0xff, 0xff, 0x01})};
  for (const auto& key : all) put(Table::line, key, "");
  EXPECT_EQ(keys(Table::line, bytes({0xff, 0xff}), Order::descending), (Keys{all[4], all[3]}));
  EXPECT_EQ(keys(Table::line, bytes({0xff}), Order::descending), (Keys{all[4], all[3], all[2], all[1]}));
  EXPECT_EQ(keys(Table::line, bytes({0xfe}), Order::descending), Keys{all[0]});
  EXPECT_EQ(keys(Table::line, "", Order::descending), (Keys{all[4], all[3], all[2], all[1], all[0]}));
}

TEST_F(StoreData, DoesNotMistakeThePrefixsEndForAKeyOfIt) {
  put(Table::line, bytes({0x01, 0xff}), "");
  put(Table::line, bytes({0x02}), "");  // exactly the first key after the prefix
  EXPECT_EQ(keys(Table::line, bytes({0x01, 0xff}), Order::descending), Keys{bytes({0x01, 0xff})});
  EXPECT_EQ(keys(Table::line, bytes({0x01}), Order::descending), Keys{bytes({0x01, 0xff})});
}

TEST_F(StoreData, StopsAScanWhenTheVisitorHasSeenEnough) {
  for (const char* key : {"a", "b", "c"}) put(Table::keys, key, "");
  int visited = 0;
  EXPECT_TRUE(store->scan(Table::keys, "", Order::ascending, "", [&](auto, auto) { return ++visited < 2; }));
  EXPECT_EQ(visited, 2);
}

TEST_F(StoreData, ScansLikeAnOrderedSetWhateverTheKeys) {
  std::mt19937 random(3);
  const auto random_key = [&](std::size_t longest) {
    std::string key;
    for (std::size_t length = random() % (longest + 1); key.size() < length;)
      key += bytes({std::array{0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff}[random() % 6]});
    return key;
  };
  std::set<std::string> model;
  for (int i = 0; i < 300; ++i) {
    const std::string key = random_key(4);
    model.insert(key);
    put(Table::keys, key, "");
  }
  for (int i = 0; i < 2000; ++i) {
    const std::string prefix = random_key(3), from = random_key(4);
    Keys up, down;
    for (const auto& key : model) {
      if (!key.starts_with(prefix)) continue;
      if (from.empty() || key >= from) up.push_back(key);
      if (from.empty() || key < from) down.insert(down.begin(), key);
    }
    ASSERT_EQ(keys(Table::keys, prefix, Order::ascending, from), up);
    ASSERT_EQ(keys(Table::keys, prefix, Order::descending, from), down);
  }
}

// ---- numbers ------------------------------------------------------------------------------------------

TEST_F(StoreData, NumbersGrowFromOneAndEachSequenceByItself) {
  for (std::uint64_t i = 1; i <= 250; ++i) ASSERT_EQ(*store->next_id("run"), i);
  EXPECT_EQ(*store->next_id("project"), 1U);
}

TEST_F(StoreData, NumbersAreNeverGivenTwiceAcrossReopeningAndKills) {
  std::uint64_t last = 0;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 37 * round % 250; ++i) {
      const std::uint64_t id = *store->next_id("run");
      ASSERT_GT(id, last);
      last = id;
      put(Table::line, number_key(id), "");
    }
    round % 2 == 0 ? reopen() : crash();
  }
  EXPECT_GT(last, 0U);
}

TEST_F(StoreData, NumbersAreNeverGivenTwiceToThreadsThatAskAtOnce) {
  std::vector<std::vector<std::uint64_t>> given(4);
  std::vector<std::thread> threads;
  for (auto& mine : given)
    threads.emplace_back([&mine, this] {
      for (int i = 0; i < 500; ++i) mine.push_back(*store->next_id("run"));
    });
  for (auto& thread : threads) thread.join();
  std::set<std::uint64_t> all;
  for (const auto& mine : given) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), 2000U);
}

TEST_F(StoreData, NumbersGoOnWithoutAGapWhereTheyWereStored) {
  for (std::uint64_t i = 1; i <= 5; ++i) put(Table::line, number_key(*store->next_id("run")), "");
  reopen();
  EXPECT_EQ(*store->next_id("run"), 6U);
}

TEST_F(StoreData, NumbersOfRefusedRecordsAreNotRepeatedWhenThereIsRoomAgain) {
  put(Table::line, number_key(*store->next_id("run")), "");
  {
    const test::FullDisk full;
    for (std::uint64_t i = 2; i <= 200; ++i) {
      const auto id = store->next_id("run");
      EXPECT_EQ(*id, i);
      EXPECT_FALSE(store->commit({{Table::line, number_key(*id), ""}}));
    }
  }
  const auto id = *store->next_id("run");
  EXPECT_EQ(id, 201U);
  put(Table::line, number_key(id), "");
  crash();
  EXPECT_EQ(*store->next_id("run"), 202U);
}

// ---- a disk that takes its time -----------------------------------------------------------------------

/// A store whose writing thread is blocked while it checks whether a full disk has room again: the probe file
/// that it writes is a pipe that nobody empties until go_on().
struct SlowDisk : test::StoreTest {
  static constexpr auto kLastResort = std::chrono::seconds(60);
  std::future<bool> writing;
  int pipe = -1;

  void hold_the_writer() {
    put(Table::runs, "a", "1");
    {
      const test::FullDisk full;
      EXPECT_FALSE(store->commit({{Table::runs, "b", "1"}}));
    }
    ASSERT_EQ(::mkfifo((directory + "/probe").c_str(), S_IRWXU), 0);
    writing = std::async(std::launch::async, [this] {
      return store->commit({{Table::runs, "c", "1"}}).has_value();
    });
    pipe = ::open((directory + "/probe").c_str(), O_RDONLY);  // comes back when the writer has opened it too
    ASSERT_GE(pipe, 0);
  }
  void go_on() {
    std::array<char, 65536> some{};
    while (::read(pipe, some.data(), some.size()) > 0) {
    }
    ::close(pipe);
  }
  /// Whether the work is done while the writer is blocked.
  template <class Work>
  bool done_meanwhile(Work work) {
    auto doing = std::async(std::launch::async, work);
    const bool done = doing.wait_for(kLastResort) == std::future_status::ready;
    go_on();
    return done;
  }
};

TEST_F(SlowDisk, KeepsNobodyFromReading) {
  hold_the_writer();
  EXPECT_TRUE(done_meanwhile([this] {
    EXPECT_EQ(get(Table::runs, "a"), "1");
    EXPECT_EQ(keys(Table::runs, "", Order::ascending), Keys{"a"});
    EXPECT_FALSE(store->takes_writes());
    EXPECT_FALSE(store->figures().empty());
  }));
  EXPECT_TRUE(writing.get());
  EXPECT_EQ(get(Table::runs, "c"), "1");
}

TEST_F(SlowDisk, KeepsNobodyFromANumber) {
  hold_the_writer();
  EXPECT_TRUE(done_meanwhile([this] { EXPECT_EQ(*store->next_id("run"), 1U); }));
  EXPECT_TRUE(writing.get());
}

TEST_F(StoreData, IsReadWithoutAFaultWhileItIsClosedAndOpenedAgain) {
  put(Table::runs, "a", "1");
  put(Table::results, "r", std::string(100'000, 'x'));
  std::atomic<bool> over = false;
  std::atomic<int> read = 0, wrong = 0;
  std::thread reader([&] {
    for (; !over; ++read)
      wrong += get(Table::runs, "a") != "1" || get(Table::results, "r").size() != 100'000 ||
               keys(Table::runs, "a", Order::ascending) != Keys{"a"};
  });
  for (int round = 0; round < 10; ++round) {
    {
      const test::FullDisk full;
      EXPECT_FALSE(store->commit({{Table::line, "refused", "x"}}));
    }
    // Refused as long as someone still reads what is to be closed.
    while (!store->commit({{Table::line, std::to_string(round), "x"}})) std::this_thread::yield();
  }
  while (read == 0) std::this_thread::yield();
  over = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(keys(Table::line, "", Order::ascending).size(), 10U);
}

// ---- keys ---------------------------------------------------------------------------------------------

TEST(Keys, StandInTheOrderOfTheirNumbers) {
  const std::vector<std::uint64_t> numbers = {0, 1, 127, 128, 255, 256, 65'535, 65'536, 1ULL << 40U, ~0ULL};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(number_at(number_key(numbers[i]), 0), numbers[i]);
    EXPECT_TRUE(i == 0 || number_key(numbers[i - 1]) < number_key(numbers[i]));
  }
}

TEST(Keys, OfAProjectAndItsExpiryAreReadBackPartByPart) {
  const std::string key = expiry_key(1'700'000'000'000, 5, 6);
  EXPECT_EQ(number_at(key, 0), 1'700'000'000'000U);
  EXPECT_EQ(number_at(key, 8), 5U);
  EXPECT_EQ(number_at(key, 16), 6U);
  EXPECT_EQ(project_key(5, 6), key.substr(8));
}

TEST(Keys, OfAddressesDoNotMixAccountsOrKinds) {
  std::set<std::string> keys;
  for (const std::uint64_t account : {1, 2})
    for (const AddressKind kind : {AddressKind::spelling, AddressKind::house})
      keys.insert(address_key(account, kind, "x"));
  EXPECT_EQ(keys.size(), 4U);
}

}  // namespace
