// A raster of some megabytes on a loopback office, and a cache of its own to read it through.
#pragma once
#include <gdal_priv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "geo/fetch/office_file_system.hpp"
#include "tests/office_server.hpp"
#include "tests/temporary_folder.hpp"

namespace fetch_test {

using namespace std::chrono_literals;

inline constexpr int kSide = 1'500;  // cells: 9 MB, nine blocks

/// A tiled GeoTIFF of heights that do not compress.
inline void write_raster(const std::string& path, unsigned seed = 1) {
  GDALAllRegister();
  const char* options[] = {"TILED=YES", "BLOCKXSIZE=256", "BLOCKYSIZE=256", nullptr};
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  GDALDataset* file = driver->Create(path.c_str(), kSide, kSide, 1, GDT_Float32, const_cast<char**>(options));
  std::mt19937 random(seed);
  std::vector<float> cells(static_cast<std::size_t>(kSide) * kSide);
  for (float& cell : cells) cell = static_cast<float>(random() % 8'000'000) / 1'000;
  EXPECT_EQ(file->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, kSide, kSide, cells.data(), kSide, kSide,
                                             GDT_Float32, 0, 0, nullptr),
            CE_None);
  double transform[6] = {600'000, 1, 0, 5'300'000, 0, -1};
  file->SetGeoTransform(transform);
  GDALClose(file);
}

/// Bytes that a failing test does not print.
struct Bytes : std::string {
  Bytes(std::string bytes) : std::string(std::move(bytes)) {}  // NOLINT: as if it were one
  Bytes(const char* text) : std::string(text) {}               // NOLINT
  friend bool operator==(const Bytes& a, const Bytes& b) {
    return static_cast<const std::string&>(a) == static_cast<const std::string&>(b);
  }
  friend bool operator==(const Bytes& a, const char* b) { return a == Bytes(b); }
  friend void PrintTo(const Bytes& bytes, std::ostream* out) { *out << bytes.size() << " bytes"; }
};

inline Bytes bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

/// The raster that all tests read, made once.
inline const std::filesystem::path& sample_raster() {
  static const test::TemporaryFolder folder;
  static const std::filesystem::path path = [] {
    write_raster(folder.file("dsm.tif"));
    return folder.path() / "dsm.tif";
  }();
  return path;
}

inline geo::NetworkOptions quick_network() {
  geo::NetworkOptions options{.contact = "gis@example.org"};
  options.rules.requests_per_s = 1'000;
  options.rules.burst = 1'000;
  options.connect_limit = 1s;
  options.slow_limit = 2s;
  options.dead_for = 60s;
  return options;
}

/// As a program starts it; another of the same folder is the program after a restart.
struct Cache {
  explicit Cache(geo::OfficeFilesOptions options) : files(network, std::move(options)) {}
  geo::Network network{quick_network()};
  geo::OfficeFiles files;
};

class OfficeFilesTest : public testing::Test {
 protected:
  OfficeFilesTest() {
    bytes_ = bytes_of(local());
    office_.put("/dsm.tif", {.body = bytes_});
  }
  ~OfficeFilesTest() override { geo::serve_office_files(nullptr); }

  std::string local() const { return sample_raster(); }
  std::string url() const { return office_.url("/dsm.tif"); }
  geo::OfficeFilesOptions options() const {
    return {
        .folder = folder_.path() / "cache", .memory_bytes = 2 << 20, .read_limit = 5s, .failed_for = 100ms};
  }
  /// Empty on failure, which is told in `failure_`.
  Bytes read(geo::OfficeFiles& files, std::uint64_t offset, std::size_t count) {
    const auto file = files.open(url(), control_);
    failure_ = file ? std::nullopt : std::optional(file.error());
    if (!file) return "";
    return read(files, *file, offset, count);
  }
  Bytes read(geo::OfficeFiles& files, const geo::OfficeFiles::File& file, std::uint64_t offset,
             std::size_t count) {
    std::string into(count, '\0');
    const geo::OfficeFiles::Piece piece{offset, into};
    failure_ = files.read(file, {&piece, 1}, control_);
    return failure_ ? std::string() : into;
  }
  Bytes part(std::uint64_t offset, std::size_t count) const { return bytes_.substr(offset, count); }
  std::vector<std::filesystem::path> cache_files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path() / "cache"))
      if (entry.is_regular_file()) files.push_back(entry.path());
    return files;
  }

  test::TemporaryFolder folder_;
  Bytes bytes_ = "";
  test::OfficeServer office_;
  geo::RunControl control_;
  std::optional<geo::FetchFailure> failure_;
};

}  // namespace fetch_test
