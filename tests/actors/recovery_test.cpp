// What a start makes of the runs that stand in line.
#include "actors/recovery.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "persistence/keys.hpp"
#include "persistence/records.hpp"
#include "tests/actors/recording_log.hpp"
#include "tests/persistence/store_fixture.hpp"

namespace {

using namespace persistence;

class Recovery : public test::StoreTest {
 protected:
  static constexpr std::int64_t kNow_ms = 1'800'000'000'000;
  test::RecordingLog log;

  static void add(Writes& writes, std::uint64_t account, std::uint64_t number, RunState state) {
    const persistence::Run run{.id = number, .project = number, .account = account, .state = state};
    const std::string project = project_key(account, number);
    writes.push_back({Table::runs, project, encode(run)});
    writes.push_back({Table::line, number_key(number), project});
  }
  void put_in_line(std::uint64_t account, std::uint64_t number, RunState state) {
    Writes writes;
    add(writes, account, number, state);
    ASSERT_TRUE(store->commit(writes));
  }
  std::vector<std::uint64_t> recovered() {
    const auto waiting = actors::recover(
        *store, [] { return kNow_ms; }, log);
    EXPECT_TRUE(waiting);
    std::vector<std::uint64_t> runs;
    for (const actors::RunRef& ref : waiting.value_or(std::vector<actors::RunRef>{})) runs.push_back(ref.run);
    return runs;
  }
  /// A table's files carry its name; their first block holds records.
  void damage_files_of(const std::string& table) const {
    for (const auto& entry : std::filesystem::directory_iterator(directory + "/store")) {
      if (entry.path().extension() != ".sst" || !contains(entry.path(), table)) continue;
      std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(4);
      file.write("\xa5\x5a", 2);
    }
  }
  static bool contains(const std::filesystem::path& file, const std::string& text) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    return bytes.find(text) != bytes.npos;
  }
  std::size_t in_line() const { return keys(Table::line, "", Store::Order::ascending).size(); }
};

TEST_F(Recovery, KeepsTheOrderOfALineThatIsLongerThanWhatIsReadAtOnce) {
  std::vector<std::uint64_t> order;
  Writes writes;
  for (std::uint64_t run = 1; run <= 2500; ++run) {
    add(writes, 1 + run * 7919 % 13, run, RunState::waiting);
    order.push_back(run);
  }
  ASSERT_TRUE(store->commit(writes));
  EXPECT_EQ(recovered(), order);
  reopen();
  EXPECT_EQ(recovered(), order);
  EXPECT_EQ(in_line(), 2500U);
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(Recovery, EndsWhatWasComputingAndTakesItOutOfTheLine) {
  put_in_line(1, 4, RunState::running);
  put_in_line(1, 5, RunState::waiting);
  EXPECT_EQ(recovered(), std::vector<std::uint64_t>{5});
  EXPECT_EQ(in_line(), 1U);
  const auto run = decode_run(get(Table::runs, project_key(1, 4)));
  ASSERT_TRUE(run);
  EXPECT_EQ(run->state, RunState::failed);
  EXPECT_EQ(run->failure_code, "analyse_abgebrochen");
  EXPECT_EQ(run->ended_ms, kNow_ms);
}

TEST_F(Recovery, TakesOutEntriesWhoseRunIsGoneOrReplaced) {
  put_in_line(1, 4, RunState::waiting);
  put(Table::line, number_key(3), project_key(1, 4));  // before the project's newest run
  put(Table::line, number_key(2), project_key(1, 2));  // of a project that is no more
  EXPECT_EQ(recovered(), std::vector<std::uint64_t>{4});
  EXPECT_EQ(in_line(), 1U);
}

TEST_F(Recovery, LeavesARunInLineWhoseRecordCannotBeRead) {
  put_in_line(1, 4, RunState::waiting);
  reopen();  // the log's contents are in table files now
  store.reset();
  damage_files_of("runs");
  open();
  ASSERT_EQ(get(Table::runs, project_key(1, 4)), "(unreadable)");
  EXPECT_TRUE(recovered().empty());
  EXPECT_EQ(in_line(), 1U);
  EXPECT_THAT(log.lines,
              testing::ElementsAre("error msg=\"runs in line cannot be read and are not computed\" runs=1"));
}

TEST_F(Recovery, LeavesARunInLineWhoseRecordMakesNoSense) {
  put_in_line(1, 4, RunState::waiting);
  put_in_line(1, 5, RunState::waiting);
  put(Table::runs, project_key(1, 4), "damaged");
  EXPECT_EQ(recovered(), std::vector<std::uint64_t>{5});
  EXPECT_EQ(in_line(), 2U);
}

}  // namespace
