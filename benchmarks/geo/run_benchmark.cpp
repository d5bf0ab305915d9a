// A whole run, stage by stage: what it computes on one core and how much memory it takes, and how both grow
// with the roof area (houses of a row) and with the distance to which the surface model reaches (near
// horizon). Made-up heights on the local disk: a row of gables of 7 m by 10 m amid houses and trees, a relief
// of 60 km. Processor time, for the machine may have other work; the memory is the most a stage had in use.
#include <benchmark/benchmark.h>
#include <gdal_priv.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "geo/data/gdal.hpp"
#include "geo/data/geodata.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/roof_analysis.hpp"

namespace {

constexpr double kEast_m = 600000, kNorth_m = 5320000;  // EPSG:25832, the middle of the row
constexpr double kUnit_m = 7, kDepth_m = 10;

/// A repeatable number in [0, 1).
double hash01(int col, int row) {
  auto x = static_cast<std::uint64_t>(col) * 0x9e3779b97f4a7c15ull +
           static_cast<std::uint64_t>(row) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 30)) * 0x94d049bb133111ebull;
  return static_cast<double>((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

/// Height of the surface, metres from the middle of a row of `houses`.
float surface_height(int houses, double x, double y) {
  const double half = houses * kUnit_m / 2,
               noise = 0.06 * (hash01(int(x * 2 + 4096), int(y * 2 + 4096)) - 0.5);
  if (std::abs(x) < half + 0.4 && std::abs(y) < kDepth_m / 2 + 0.4)
    return static_cast<float>(505 + 0.8 * (kDepth_m / 2 - std::abs(y)) + noise);
  if (std::abs(x) < half + 15 && std::abs(y) < kDepth_m / 2 + 15) return static_cast<float>(500 + noise);
  const int col = static_cast<int>(std::floor(x)) + 4096, row = static_cast<int>(std::floor(y)) + 4096;
  if (col % 25 < 10 && row % 30 < 12) return static_cast<float>(508 - 0.5 * std::abs(row % 30 - 6) + noise);
  return static_cast<float>(hash01(col / 3, row / 3) < 0.03 ? 508 + 3 * hash01(col, row) : 500 + noise);
}

template <class HeightAt>
void write_raster(const std::string& path, int cells, double cell_m, HeightAt height_at) {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  geo::DatasetHandle file(driver->Create(path.c_str(), cells, cells, 1, GDT_Float32, nullptr));
  const double half_m = cells * cell_m / 2;
  double transform[6] = {kEast_m - half_m, cell_m, 0, kNorth_m + half_m, 0, -cell_m};
  OGRSpatialReference system;
  system.importFromEPSG(25832);
  char* wkt = nullptr;
  system.exportToWkt(&wkt);
  bool good = file->SetGeoTransform(transform) == CE_None && file->SetProjection(wkt) == CE_None;
  CPLFree(wkt);
  std::vector<float> line(static_cast<std::size_t>(cells));
  for (int row = 0; row < cells && good; ++row) {
    for (int col = 0; col < cells; ++col)
      line[static_cast<std::size_t>(col)] =
          height_at((col + 0.5) * cell_m - half_m, half_m - (row + 0.5) * cell_m);
    good = file->GetRasterBand(1)->RasterIO(GF_Write, 0, row, cells, 1, line.data(), cells, 1, GDT_Float32, 0,
                                            0, nullptr) == CE_None;
  }
  if (!good) throw std::runtime_error(path + ": cannot be written");
}

void write_rectangles(const std::string& path, const std::vector<geo::Bounds>& boxes) {
  std::ofstream out(path);
  out << R"({"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}},)"
      << R"( "features": [)";
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const geo::Bounds& b = boxes[i];
    out << (i ? ",\n" : "\n") << std::fixed
        << R"({"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[[)"
        << b.west << ", " << b.south << "], [" << b.east << ", " << b.south << "], [" << b.east << ", "
        << b.north << "], [" << b.west << ", " << b.north << "], [" << b.west << ", " << b.south << "]]]}}";
  }
  out << "]}\n";
}

/// The files of a place, removed with it.
class Place {
 public:
  Place(int houses, int reach_m)
      : folder_(std::filesystem::temp_directory_path() / ("roof_run_benchmark." + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    geo::register_gdal_drivers();
    const std::string dir = folder_.string() + "/";
    write_raster(dir + "dsm.tif", 2 * reach_m, 1,
                 [&](double x, double y) { return surface_height(houses, x, y); });
    write_raster(dir + "dtm.tif", 400, 1, [](double, double) { return 500.0f; });
    write_raster(dir + "relief.tif", 1240, 50, [](double x, double y) {
      return static_cast<float>(500 + 200 * std::sin(x / 3000) * std::cos(y / 2000) *
                                          std::min(1.0, std::hypot(x, y) / 5000));
    });
    const double half = houses * kUnit_m / 2;
    std::vector<geo::Bounds> walls;
    for (int i = 0; i < houses; ++i)
      walls.push_back({kEast_m - half + i * kUnit_m, kNorth_m - kDepth_m / 2,
                       kEast_m - half + (i + 1) * kUnit_m, kNorth_m + kDepth_m / 2});
    write_rectangles(dir + "buildings.geojson", walls);
    write_rectangles(dir + "parcels.geojson",
                     {{kEast_m - half - 5, kNorth_m - 12, kEast_m + half + 5, kNorth_m + 12}});
    std::ofstream(dir + "geodata.json")
        << R"({"datasets": [)"
        << R"({"kind": "dsm", "path": "dsm.tif", "name": "made up"},)"
        << R"({"kind": "dtm", "path": "dtm.tif", "name": "made up"},)"
        << R"({"kind": "relief", "path": "relief.tif", "name": "made up"},)"
        << R"({"kind": "buildings", "path": "buildings.geojson", "name": "made up"},)"
        << R"({"kind": "parcels", "path": "parcels.geojson", "name": "made up"}]})";
    auto loaded = geo::Geodata::load(dir + "geodata.json");
    auto frame = geo::PlaceFrame::create("EPSG:25832", {10.35, 48.02});
    if (!loaded || !frame) throw std::runtime_error("the made-up place cannot be read back");
    geodata_.emplace(std::move(*loaded));
    at_ = frame->to_lonlat({kEast_m - half + 1, kNorth_m});
  }
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  const geo::Geodata& geodata() const { return *geodata_; }
  geo::LonLat at() const { return at_; }

 private:
  std::filesystem::path folder_;
  std::optional<geo::Geodata> geodata_;
  geo::LonLat at_;
};

double processor_s() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// What the process has had in memory at most since the last call, MB; 0 where Linux does not tell.
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

std::map<std::pair<int, int>, Measured>& all_measured() {
  static std::map<std::pair<int, int>, Measured> all;  // by houses and reach
  return all;
}

void run(benchmark::State& state, int houses, int reach_m) {
  const Place place(houses, reach_m);
  Clock clock;
  double roof_m2 = 0;
  for (auto _ : state) {
    const auto analysis = geo::analyse_roof(
        place.geodata(), {.place = place.at(), .consumption_kwh = 4500},
        [&](const geo::AnalysisStep& step) { clock.next(step.name); }, geo::RunControl{});
    clock.next("");
    if (!analysis) return state.SkipWithError(analysis.error().text.c_str());
    if (static_cast<int>(analysis->surfaces.size()) != 2 * houses)
      return state.SkipWithError("not two surfaces a house");
    roof_m2 = analysis->totals.roof_area_m2;
  }
  Measured m = clock.mean(static_cast<double>(state.iterations()));
  m.roof_m2 = roof_m2;
  double peak_mb = 0;
  for (const auto& [name, stage] : m.stages) peak_mb = std::max(peak_mb, stage.peak_mb);
  state.counters["roof_m2"] = roof_m2;
  state.counters["peak_mb"] = peak_mb;
  all_measured()[{houses, reach_m}] = std::move(m);
}

void run_by_houses(benchmark::State& state) { run(state, static_cast<int>(state.range(0)), 550); }
BENCHMARK(run_by_houses)->ArgName("houses")->Arg(1)->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);

void run_by_horizon(benchmark::State& state) { run(state, 1, static_cast<int>(state.range(0))); }
BENCHMARK(run_by_horizon)->ArgName("reach_m")->Arg(160)->Arg(300)->Arg(550)->Unit(benchmark::kMillisecond);

void print_stages() {
  std::printf("\n%-36s", "processor ms (most MB) by stage");
  for (const auto& [what, m] : all_measured()) std::printf("  %2d houses, %3d m", what.first, what.second);
  std::printf("\n");
  const auto& first = all_measured().begin()->second.stages;
  for (std::size_t k = 0; k < first.size(); ++k) {
    std::printf("%-36s", first[k].first.c_str());
    for (const auto& [what, m] : all_measured())
      std::printf("  %9.1f (%4.0f)", 1000 * m.stages[k].second.seconds, m.stages[k].second.peak_mb);
    std::printf("\n");
  }
  std::printf("%-36s", "roof m2");
  for (const auto& [what, m] : all_measured()) std::printf("  %16.0f", m.roof_m2);
  std::printf("\n");
}

void print_verdict(const char* what, int houses, double target_s) {
  const auto found = all_measured().find({houses, 550});
  if (found == all_measured().end()) return;
  std::printf("%-6s %s: %.2f s on one core (target < %.1f s)\n",
              found->second.seconds < target_s ? "met" : "MISSED", what, found->second.seconds, target_s);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  if (all_measured().empty()) return 0;
  print_stages();
  print_verdict("a detached house", 1, 0.5);
  print_verdict("a row of 20, near horizon 550 m", 20, 2);
}
