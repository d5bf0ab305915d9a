// The one writer: many commits become one batch, every one is acknowledged, and a bad one fails alone.
#include "tests/actors/fixture.hpp"
#include "tests/full_disk.hpp"

namespace {

using namespace actors;
using persistence::Table;
using persistence::Writes;

struct JournalTest : test::ActorsTest {
  Journal journal;
  std::vector<std::string> acknowledged;  // in the order of the answers: key, and "!" when it was refused

  void SetUp() override {
    start();
    journal = spawn_journal();
  }
  void TearDown() override {
    caf::anon_send_exit(journal, caf::exit_reason::kill);
    run();
  }
  void commit(const std::string& key, const std::string& value = "v") {
    ask_journal(journal, Writes{{Table::meta, key, value}}, [this, key](bool stored) {
      acknowledged.push_back(stored ? key : key + "!");
      // What is acknowledged is in the store at once.
      EXPECT_TRUE(!stored || store->get(Table::meta, key)->has_value());
    });
  }
};

TEST_F(JournalTest, AcknowledgesEveryoneInTheOrderOfAsking) {
  std::vector<std::string> expected;
  for (int i = 0; i < 100; ++i) {
    expected.push_back("k" + std::to_string(i));
    commit(expected.back());
  }
  run();
  EXPECT_EQ(acknowledged, expected);
}

TEST_F(JournalTest, MakesOneBatchOfWhatHasGathered) {
  for (int i = 0; i < 100; ++i) commit("k" + std::to_string(i));
  while (acknowledged.empty()) scheduler().run_once();
  // The first answer has come, and the hundredth's bytes are on disk with it.
  EXPECT_TRUE(store->get(Table::meta, "k99")->has_value());
  run();
  EXPECT_EQ(acknowledged.size(), 100U);
}

TEST_F(JournalTest, WritesAgainAfterABatch) {
  for (int i = 0; i < 3; ++i) {
    commit("k" + std::to_string(i));
    run();
    EXPECT_EQ(acknowledged.size(), static_cast<std::size_t>(i + 1));
  }
}

TEST_F(JournalTest, KeepsTheOrderOfWritesToOneKey) {
  commit("k", "first");
  commit("k", "second");
  commit("k", "third");
  run();
  EXPECT_EQ(**store->get(Table::meta, "k"), "third");
}

TEST_F(JournalTest, TakesNoOtherAlongWithOneBadWrite) {
  commit("before");
  commit("huge", std::string(8'000'000, 'x'));
  commit("after");
  {
    const test::FullDisk full(4'000'000);  // room for everything but the huge one
    run();
  }
  EXPECT_EQ(acknowledged, (std::vector<std::string>{"before", "huge!", "after"}));
  EXPECT_FALSE(store->get(Table::meta, "huge")->has_value());
}

TEST_F(JournalTest, RefusesEverythingOnAFullDiskAndGoesOnWhenThereIsRoom) {
  commit("a");
  commit("b");
  {
    const test::FullDisk full;
    run();
  }
  EXPECT_EQ(acknowledged, (std::vector<std::string>{"a!", "b!"}));
  commit("c");
  run();
  EXPECT_EQ(acknowledged.back(), "c");
}

}  // namespace
