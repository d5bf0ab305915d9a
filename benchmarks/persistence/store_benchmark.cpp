// What the store costs: one durable write and a journal's batch of them, reading a record, a page of a
// listing, and a result's bytes.
#include <benchmark/benchmark.h>

#include "benchmarks/persistence/creations.hpp"
#include "persistence/result_codec.hpp"
#include "persistence/store.hpp"
#include "tests/sample_analysis.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using namespace bench;
using namespace persistence;

constexpr std::uint64_t kAccount = 7;

/// Writes a second that survive a power cut, so many behind one sync: the journal's group commit.
void durable_commit(benchmark::State& state) {
  const test::TemporaryFolder folder;
  const auto store = Store::open(folder.file("data"));
  std::uint64_t id = 0;
  for (auto _ : state) {
    Writes batch;
    for (std::int64_t i = 0; i < state.range(0); ++i) batch.push_back(project(kAccount, ++id));
    if (!(*store)->commit(batch)) state.SkipWithError("the disk refuses");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(durable_commit)->Arg(1)->Arg(16)->Arg(256)->UseRealTime()->Unit(benchmark::kMicrosecond);

/// Creations of 5,000 accounts, so many behind one sync.
void commit_creations(benchmark::State& state) {
  const test::TemporaryFolder folder;
  const auto store = Store::open(folder.file("data"));
  std::uint64_t id = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Writes batch;
    for (std::int64_t i = 0; i < state.range(0); ++i, ++id)
      add_creation(batch, some_account(id, 5000), id + 1);
    state.ResumeTiming();
    if (!(*store)->commit(batch)) state.SkipWithError("the disk refuses");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(commit_creations)->Arg(1)->Arg(90)->UseRealTime()->Unit(benchmark::kMicrosecond);

/// A store with so many projects of one account.
class Filled : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& state) override {
    folder_ = std::make_unique<test::TemporaryFolder>();
    store = std::move(*Store::open(folder_->file("data")));
    count = static_cast<std::uint64_t>(state.range(0));
    Writes batch;
    for (std::uint64_t id = 1; id <= count; ++id) batch.push_back(project(kAccount, id));
    if (!store->commit(batch)) std::abort();
  }
  void TearDown(const benchmark::State&) override {
    store.reset();
    folder_.reset();
  }

  std::unique_ptr<Store> store;
  std::uint64_t count = 0;

 private:
  std::unique_ptr<test::TemporaryFolder> folder_;
};

BENCHMARK_DEFINE_F(Filled, get_a_project)(benchmark::State& state) {
  std::uint64_t id = 0;
  for (auto _ : state) {
    id = id % count + 1;
    const auto bytes = store->get(Table::projects, project_key(kAccount, id));
    benchmark::DoNotOptimize(decode_project(**bytes));
  }
}
BENCHMARK_REGISTER_F(Filled, get_a_project)->Arg(1000)->Arg(100'000);

BENCHMARK_DEFINE_F(Filled, page_of_200)(benchmark::State& state) {
  for (auto _ : state) {
    int left = 200;
    const auto scanned = store->scan(Table::projects, number_key(kAccount), Store::Order::descending, {},
                                     [&](std::string_view, std::string_view value) {
                                       benchmark::DoNotOptimize(decode_project(std::string(value)));
                                       return --left > 0;
                                     });
    benchmark::DoNotOptimize(scanned);
  }
}
BENCHMARK_REGISTER_F(Filled, page_of_200)->Arg(1000)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void result_to_bytes_and_back(benchmark::State& state) {
  const auto analysis = test::sample_analysis();
  for (auto _ : state) benchmark::DoNotOptimize(decode_result(encode_result(analysis).value()));
}
BENCHMARK(result_to_bytes_and_back)->Unit(benchmark::kMicrosecond);

}  // namespace
