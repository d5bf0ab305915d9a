// A run on a country's tiles beside one on a single file: processor time of whole runs at ever new houses, of
// opening the catalogue, and the memory that it takes. The index has as many rows as North Rhine-Westphalia's
// two models have tiles; the settlement's own are real files of 250 m, far smaller than an office's, so that
// each run opens several.
#include <benchmark/benchmark.h>
#include <gdal_priv.h>
#include <gdal_utils.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "geo/data/geodata.hpp"
#include "geo/data/kept_open.hpp"
#include "geo/data/tile_index.hpp"
#include "geo/property_analysis.hpp"
#include "geo/sample_region/sample_region.hpp"

namespace {

namespace fs = std::filesystem;

constexpr int kRows = 70'000;
constexpr double kSide_m = 250;

double cpu_s() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double resident_mb() {
  std::ifstream statm("/proc/self/statm");
  double total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// The settlement's height model cut into tiles, among rows of tiles that lie elsewhere.
void cut(const fs::path& from, const fs::path& index) {
  const auto raster = geo::Raster::open(from.string());
  auto writer = geo::TileIndexWriter::open(index.string(), raster->crs_wkt());
  if (!writer) throw std::runtime_error(writer.error().text);
  const geo::Box& all = raster->bounds();
  for (double y = std::floor(all.min_y / kSide_m) * kSide_m; y < all.max_y; y += kSide_m)
    for (double x = std::floor(all.min_x / kSide_m) * kSide_m; x < all.max_x; x += kSide_m) {
      const geo::Box b{std::max(x, all.min_x), std::max(y, all.min_y), std::min(x + kSide_m, all.max_x),
                       std::min(y + kSide_m, all.max_y)};
      const std::string name = index.stem().string() + "_" + std::to_string(std::lround(x)) + "_" +
                               std::to_string(std::lround(y)) + ".tif";
      CPLStringList words;
      for (const std::string& word :
           {std::string("-projwin"), std::to_string(b.min_x), std::to_string(b.max_y),
            std::to_string(b.max_x), std::to_string(b.min_y), std::string("-co"),
            std::string("COMPRESS=LZW")})
        words.AddString(word.c_str());
      auto* options = GDALTranslateOptionsNew(words.List(), nullptr);
      int error = 0;
      const geo::DatasetHandle tile(GDALDataset::FromHandle(GDALTranslate(
          (index.parent_path() / name).c_str(), GDALDataset::ToHandle(&raster->dataset()), options, &error)));
      GDALTranslateOptionsFree(options);
      if (!tile || error) throw std::runtime_error(name + " cannot be written");
      if (!writer->put(
              {.bounds = b, .location = name, .year = 2023, .cell_m = 1, .state = geo::TileState::held}))
        throw std::runtime_error("the index cannot be written");
    }
  for (int i = 0; i < kRows; ++i) {
    const int row = i / 260;
    const double x = all.max_x + 20'000 + i % 260 * 1000, y = all.min_y - 100'000 + row * 1000;
    if (!writer->put({.bounds = {x, y, x + 1000, y + 1000},
                      .location = "elsewhere_" + std::to_string(i) + ".tif",
                      .year = 2023,
                      .cell_m = 1,
                      .state = geo::TileState::held}))
      throw std::runtime_error("the index cannot be written");
  }
  if (!writer->commit()) throw std::runtime_error("the index cannot be written");
}

/// One settlement with two catalogues: its models as a file each, and as tiles.
class TiledSettlement {
 public:
  TiledSettlement() : folder_(fs::temp_directory_path() / ("roof_tiles_" + std::to_string(getpid()))) {
    geo::SampleRegionOptions options;
    options.out_dir = folder_.string();
    options.addresses = 60;
    if (const auto made = geo::write_sample_region(options); !made)
      throw std::runtime_error(made.error().text);
    std::string text;
    std::getline(std::ifstream(folder_ / "geodata.json"), text, '\0');
    for (const std::string kind : {"dsm", "dtm"}) {
      cut(folder_ / (kind + ".tif"), folder_ / (kind + ".gpkg"));
      const std::string path = "\"path\": \"" + kind + ".tif\"";
      const auto at = text.find(path);
      if (at == std::string::npos) throw std::runtime_error("the catalogue names no " + kind);
      text.replace(at, path.size(), "\"index\": \"" + kind + ".gpkg\"");
    }
    std::ofstream(folder_ / "tiles.json") << text;
  }
  ~TiledSettlement() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  TiledSettlement(const TiledSettlement&) = delete;
  TiledSettlement& operator=(const TiledSettlement&) = delete;
  std::string catalogue(bool tiled) const {
    return (folder_ / (tiled ? "tiles.json" : "geodata.json")).string();
  }

 private:
  fs::path folder_;
};
const TiledSettlement& tiled_settlement() {
  static const TiledSettlement one;
  return one;
}

/// A run at one house on one file and on tiles, turn by turn, so that a busy machine disturbs both alike.
void run_on_tiles_beside_one_file(benchmark::State& state) {
  const auto file = geo::Geodata::load(tiled_settlement().catalogue(false));
  const auto tiles = geo::Geodata::load(tiled_settlement().catalogue(true));
  if (!file || !tiles) return state.SkipWithError((file ? tiles : file).error().text.c_str());
  const auto houses = file->addresses.near({9, 50}, 90);
  std::vector<double> ratios;
  double file_s = 0, tiles_s = 0;
  const auto run = [](const geo::Geodata& geodata, geo::LonLat house) {
    const double before = cpu_s();
    benchmark::DoNotOptimize(geo::analyse_property(
        geodata, {house, 4500}, [](const geo::AnalysisStep&) {}, geo::RunControl{}));
    return cpu_s() - before;
  };
  run(*file, houses[0]), run(*tiles, houses[0]);
  std::size_t i = 0;
  for (auto unused : state) {
    const geo::LonLat house = houses[7 * ++i % houses.size()];
    const double one = run(*file, house), many = run(*tiles, house);
    file_s += one, tiles_s += many;
    ratios.push_back(many / one);
  }
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<long>(ratios.size() / 2), ratios.end());
  state.counters["one_file_ms"] = 1000 * file_s / static_cast<double>(i);
  state.counters["tiles_ms"] = 1000 * tiles_s / static_cast<double>(i);
  state.counters["ratio_median"] = ratios[ratios.size() / 2];
}
BENCHMARK(run_on_tiles_beside_one_file)->Iterations(60)->Unit(benchmark::kMillisecond);

void open_an_index_of_70000_tiles(benchmark::State& state) {
  const std::string index =
      fs::path(tiled_settlement().catalogue(true)).replace_filename("dsm.gpkg").string();
  const double before = resident_mb();
  for (auto unused : state) benchmark::DoNotOptimize(geo::TileIndex::open(index));
  state.counters["resident_mb_more"] = resident_mb() - before;
}
BENCHMARK(open_an_index_of_70000_tiles)->Unit(benchmark::kMillisecond);

void find_the_tiles_of_a_window(benchmark::State& state) {
  const std::string path = fs::path(tiled_settlement().catalogue(true)).replace_filename("dsm.gpkg").string();
  const auto index = geo::TileIndex::open(path);
  const geo::Tile tile = *index->sample();
  std::size_t found = 0;
  for (auto unused : state) found = index->touching(tile.bounds.grown(550), 400)->size();
  state.counters["tiles"] = static_cast<double>(found);
}
BENCHMARK(find_the_tiles_of_a_window)->Unit(benchmark::kMicrosecond);

}  // namespace
