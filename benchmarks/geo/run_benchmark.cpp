// A whole run, stage by stage: what it computes on one core and how much memory it takes, and how both grow
// with the roof area (houses of a row) and with the distance to which the surface model reaches (near
// horizon); and, where ROOF_SHARED (default ../shared) holds it, a real tile's buildings, found in the
// heights alone. Processor time, for the machine may have other work; the memory is the most a stage had in
// use.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>

#include "benchmarks/geo/made_up_place.hpp"
#include "geo/data/geodata.hpp"
#include "geo/roof_analysis.hpp"

namespace {

double processor_s() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The most memory that the process has used since the last call, MB; 0 where Linux does not tell.
double peak_mb_since_last_call() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kb = 0;
  while (status >> word)
    if (word == "VmHWM:") status >> kb;
  std::ofstream("/proc/self/clear_refs") << "5";
  return kb / 1024;
}

struct Stage {
  double seconds = 0, peak_mb = 0;
};
struct Measured {
  std::vector<std::pair<std::string, Stage>> stages;  ///< mean of all iterations
  double seconds = 0, roof_m2 = 0;
  double peak_mb() const {
    double most = 0;
    for (const auto& [name, stage] : stages) most = std::max(most, stage.peak_mb);
    return most;
  }
};

/// Listens to a run's steps.
class Clock {
 public:
  void next(const std::string& stage) {
    const double now = processor_s(), peak_mb = peak_mb_since_last_call();
    if (!open_.empty()) {
      Stage& s = stages_[open_];
      s.seconds += now - since_;
      s.peak_mb = std::max(s.peak_mb, peak_mb);
    }
    if (!stage.empty() && !stages_.count(stage)) order_.push_back(stage);
    open_ = stage;
    since_ = processor_s();
  }
  Measured mean(double runs) const {
    Measured out;
    for (const std::string& name : order_) {
      Stage s = stages_.at(name);
      s.seconds /= runs;
      out.seconds += s.seconds;
      out.stages.emplace_back(name, s);
    }
    return out;
  }

 private:
  std::map<std::string, Stage> stages_;
  std::vector<std::string> order_;
  std::string open_;
  double since_ = 0;
};

constexpr const char *kMedian = "Messpunkt, median", *kSlowest = "slowest";
using ByLabel = std::vector<std::pair<std::string, Measured>>;
ByLabel g_made_up, g_real;

/// The last measurement counts: a benchmark is called several times until it has run for long enough.
void keep(ByLabel& all, const std::string& label, Measured m) {
  if (m.stages.empty()) return;  // it failed, and has said so
  const auto before =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == label; });
  if (before != all.end()) return void(before->second = std::move(m));
  all.emplace_back(label, std::move(m));
}

Measured measured(benchmark::State& state, const geo::Geodata& geodata, geo::LonLat at) {
  Clock clock;
  std::optional<geo::RoofAnalysis> last;
  for (auto _ : state) {
    auto analysis = geo::analyse_roof(
        geodata, {.place = at, .consumption_kwh = 4500},
        [&](const geo::AnalysisStep& step) { clock.next(step.name); }, geo::RunControl{});
    clock.next("");
    if (!analysis) {
      state.SkipWithError(analysis.error().text.c_str());
      return {};
    }
    last = std::move(*analysis);
  }
  Measured m = clock.mean(static_cast<double>(state.iterations()));
  m.roof_m2 = last->totals.roof_area_m2;
  state.counters["roof_m2"] = m.roof_m2;
  state.counters["surfaces"] = static_cast<double>(last->surfaces.size());
  state.counters["peak_mb"] = m.peak_mb();
  return m;
}

std::string made_up_label(int houses, int reach_m) {
  return std::to_string(houses) + (houses == 1 ? " house, " : " houses, ") + std::to_string(reach_m) + " m";
}

void run(benchmark::State& state, int houses, int reach_m) {
  const MadeUpPlace place(houses, reach_m);
  Measured m = measured(state, place.geodata(), place.at());
  if (state.counters["surfaces"] != 2 * houses) return state.SkipWithError("not two surfaces a house");
  keep(g_made_up, made_up_label(houses, reach_m), std::move(m));
}

void run_by_houses(benchmark::State& state) { run(state, static_cast<int>(state.range(0)), 550); }
BENCHMARK(run_by_houses)->ArgName("houses")->Arg(1)->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);

void run_by_horizon(benchmark::State& state) { run(state, 1, static_cast<int>(state.range(0))); }
BENCHMARK(run_by_horizon)->ArgName("reach_m")->Arg(160)->Arg(300)->Arg(550)->Unit(benchmark::kMillisecond);

/// One benchmark for each Messpunkt. Says so when the tile is missing.
void add_real_tile() {
  constexpr int kPoints = 20;
  const char* shared = std::getenv("ROOF_SHARED");
  const std::string catalogue = std::string(shared ? shared : "../shared") + "/data/nrw/geodata.json";
  if (!std::filesystem::exists(catalogue))
    return void(
        std::fprintf(stderr, "no runs on the real tile: %s is not here (ROOF_SHARED)\n", catalogue.c_str()));
  auto loaded = geo::Geodata::load(catalogue);
  if (!loaded) throw std::runtime_error(loaded.error().text);
  const auto geodata = std::make_shared<const geo::Geodata>(std::move(*loaded));
  for (int n = 1; n <= kPoints; ++n) {
    const std::string label = "Messpunkt " + std::to_string(n);
    const auto at = geodata->addresses.find(label + ", 45149 Essen").house.place;
    benchmark::RegisterBenchmark(("run_real/" + label).c_str(), [=](benchmark::State& state) {
      keep(g_real, label, measured(state, *geodata, at));
    })->Unit(benchmark::kMillisecond);
  }
}

void print_stages(const ByLabel& all) {
  if (all.empty()) return;
  std::printf("\n%-36s", "processor ms (most MB) by stage");
  for (const auto& [label, m] : all) std::printf("  %17s", label.c_str());
  std::printf("\n");
  const auto& stages = all.front().second.stages;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    std::printf("%-36s", stages[k].first.c_str());
    for (const auto& [label, m] : all)
      std::printf("  %10.1f (%4.0f)", 1000 * m.stages[k].second.seconds, m.stages[k].second.peak_mb);
    std::printf("\n");
  }
  std::printf("%-36s", "roof m2");
  for (const auto& [label, m] : all) std::printf("  %17.0f", m.roof_m2);
  std::printf("\n");
}

/// The buildings that took the median and the longest time.
ByLabel summary_of(ByLabel all) {
  if (all.empty()) return {};
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.second.seconds < b.second.seconds; });
  return {{kMedian, all[all.size() / 2].second}, {kSlowest, all.back().second}};
}

void print_verdict(const char* what, const ByLabel& all, const std::string& label, double target_s) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == label; });
  if (found == all.end()) return;
  const double seconds = found->second.seconds;
  std::printf("%-6s %s: %.2f s on one core (target < %.1f s)\n", seconds < target_s ? "met" : "MISSED", what,
              seconds, target_s);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  add_real_tile();
  benchmark::RunSpecifiedBenchmarks();
  const ByLabel real = summary_of(g_real);
  print_stages(g_made_up);
  print_stages(real);
  print_verdict("a detached house", g_made_up, made_up_label(1, 550), 0.5);
  print_verdict("a row of 20, near horizon 550 m", g_made_up, made_up_label(20, 550), 2);
  const std::string blocks =
      "real blocks found in the heights alone, the slowest of " + std::to_string(g_real.size());
  print_verdict(blocks.c_str(), real, kSlowest, 2);
}
