#include "benchmarks/geo/made_up_place.hpp"

#include <gdal_priv.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/data/place_frame.hpp"

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

void write_rectangles(const std::string& path, const std::vector<geo::Box>& boxes) {
  std::ofstream out(path);
  out << R"({"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}},)"
      << R"( "features": [)";
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const geo::Box& b = boxes[i];
    out << (i ? ",\n" : "\n") << std::fixed
        << R"({"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[[)"
        << b.min_x << ", " << b.min_y << "], [" << b.max_x << ", " << b.min_y << "], [" << b.max_x << ", "
        << b.max_y << "], [" << b.min_x << ", " << b.max_y << "], [" << b.min_x << ", " << b.min_y << "]]]}}";
  }
  out << "]}\n";
}

}  // namespace

MadeUpPlace::MadeUpPlace(int houses, int reach_m)
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
  std::vector<geo::Box> walls;
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

MadeUpPlace::~MadeUpPlace() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}
