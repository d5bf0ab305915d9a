// What fetching costs beside the curl program, and reading through the cache beside a file of this machine.
// The server is on loopback, in this program.
#include <benchmark/benchmark.h>
#include <gdal_priv.h>

#include <fstream>
#include <random>

#include "geo/data/gdal.hpp"
#include "geo/fetch/fetcher.hpp"
#include "geo/fetch/office_file_system.hpp"
#include "tests/office_server.hpp"
#include "tests/temporary_folder.hpp"

namespace {

constexpr int kFiles = 200;
constexpr std::size_t kFileBytes = 2'000'000;  // a square kilometre of 1 m, as most offices have them
constexpr int kAtOnce = 3;

test::OfficeServer& office() {
  static test::OfficeServer server;
  static const bool filled = [] {
    std::mt19937_64 random(1);
    for (int i = 0; i < kFiles; ++i) {
      std::string bytes(kFileBytes, '\0');
      for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
        const std::uint64_t number = random();
        std::memcpy(&bytes[at], &number, 8);
      }
      server.put("/" + std::to_string(i) + ".tif", {.body = bytes.replace(0, 4, std::string("II*\0", 4))});
    }
    return true;
  }();
  benchmark::DoNotOptimize(filled);
  return server;
}

geo::NetworkOptions unhurried() {
  geo::NetworkOptions options;
  options.rules = {.connections = kAtOnce, .requests_per_s = 1e6, .burst = 1'000'000};
  return options;
}

void fetched_by_us(benchmark::State& state) {
  office();
  for (auto _ : state) {
    const test::TemporaryFolder folder;
    geo::Network network(unhurried());
    geo::Fetcher fetcher(network);
    std::vector<geo::FileRequest> requests;
    for (int i = 0; i < kFiles; ++i) {
      const std::string name = std::to_string(i) + ".tif";
      requests.push_back(
          {.url = office().url("/" + name), .target = folder.path() / name, .content = geo::Content::tiff});
    }
    for (const auto& result : fetcher.files(requests, {}, {}))
      if (!result) state.SkipWithError(result.error().text.c_str());
  }
  state.SetBytesProcessed(state.iterations() * kFiles * kFileBytes);
}
BENCHMARK(fetched_by_us)
    ->Name("fetch 200 files of 2 MB: roofd")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// The same with the SHA-256 of nothing else than curl does: no sums, no sync.
void fetched_by_curl(benchmark::State& state) {
  office();
  for (auto _ : state) {
    const test::TemporaryFolder folder;
    {
      std::ofstream list(folder.file("list"));
      for (int i = 0; i < kFiles; ++i)
        list << "url = " << office().url("/" + std::to_string(i) + ".tif")
             << "\noutput = " << folder.file(std::to_string(i) + ".tif") << "\n";
    }
    const std::string command =
        "curl -s --parallel --parallel-max " + std::to_string(kAtOnce) + " -K " + folder.file("list");
    if (std::system(command.c_str()) != 0) state.SkipWithError("curl is not installed, or failed");
  }
  state.SetBytesProcessed(state.iterations() * kFiles * kFileBytes);
}
BENCHMARK(fetched_by_curl)
    ->Name("fetch 200 files of 2 MB: curl --parallel")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

constexpr int kSide = 4'000;

/// A tiled raster of 64 MB on this machine.
const std::string& raster() {
  static const test::TemporaryFolder folder;
  static const std::string path = [] {
    geo::register_gdal_drivers();
    const char* options[] = {"TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512", "COMPRESS=LZW", nullptr};
    std::string made = folder.file("dsm.tif");
    const geo::DatasetHandle file(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        made.c_str(), kSide, kSide, 1, GDT_Float32, const_cast<char**>(options)));
    std::mt19937 random(1);
    std::vector<float> cells(static_cast<std::size_t>(kSide) * kSide);
    for (float& cell : cells) cell = static_cast<float>(random() % 8'000'000) / 1'000;
    if (file->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, kSide, kSide, cells.data(), kSide, kSide,
                                         GDT_Float32, 0, 0, nullptr) != CE_None)
      std::abort();
    return made;
  }();
  return path;
}

/// Opens the data set and reads a window of 1.1 km at 1 m, each time another one.
void read_windows(benchmark::State& state, const std::string& path) {
  std::vector<float> cells(1'100 * 1'100);
  std::mt19937 random(1);
  for (auto _ : state) {
    const geo::DatasetHandle file = geo::open_dataset(path, GDAL_OF_RASTER);
    if (!file ||
        file->GetRasterBand(1)->RasterIO(GF_Read, static_cast<int>(random() % (kSide - 1'100)),
                                         static_cast<int>(random() % (kSide - 1'100)), 1'100, 1'100,
                                         cells.data(), 1'100, 1'100, GDT_Float32, 0, 0, nullptr) != CE_None)
      state.SkipWithError("cannot be read");
  }
}

void window_of_file(benchmark::State& state) { read_windows(state, raster()); }
BENCHMARK(window_of_file)->Name("window of a file")->Unit(benchmark::kMillisecond);

void window_through_cache(benchmark::State& state) {
  const test::TemporaryFolder folder;
  office().put_file("/dsm.tif", raster());
  geo::Network network(unhurried());
  const auto files = std::make_shared<geo::OfficeFiles>(
      network, geo::OfficeFilesOptions{.folder = folder.path(),
                                       .memory_bytes = static_cast<std::uint64_t>(state.range(0)) << 20});
  geo::serve_office_files(files);
  const std::string path = geo::kOfficePrefix + office().url("/dsm.tif");
  {
    std::vector<float> cells(static_cast<std::size_t>(kSide) * kSide);
    const geo::DatasetHandle file = geo::open_dataset(path, GDAL_OF_RASTER);
    if (!file || file->GetRasterBand(1)->RasterIO(GF_Read, 0, 0, kSide, kSide, cells.data(), kSide, kSide,
                                                  GDT_Float32, 0, 0, nullptr) != CE_None)
      state.SkipWithError("cannot be read");
  }
  read_windows(state, path);
  geo::serve_office_files(nullptr);
}
BENCHMARK(window_through_cache)
    ->Name("window through the warm cache, MB in memory")
    ->Arg(1)
    ->Arg(96)
    ->Unit(benchmark::kMillisecond);

}  // namespace
