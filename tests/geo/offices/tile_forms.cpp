#include "tile_forms.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "geo/data/gdal.hpp"

namespace test {
namespace {

std::string memory_name(const char* ending) {
  static std::atomic<int> number{0};
  return "/vsimem/tile_forms_" + std::to_string(number++) + ending;
}

std::string bytes_of(const std::string& name) {
  vsi_l_offset size = 0;
  const GByte* bytes = VSIGetMemFileBuffer(name.c_str(), &size, FALSE);
  std::string text(reinterpret_cast<const char*>(bytes), size);
  VSIUnlink(name.c_str());
  return text;
}

}  // namespace

geo::Grid<float> made_heights(double west, double south, double size, double cell) {
  const int cells = static_cast<int>(std::lround(size / cell));
  geo::Grid<float> grid(cells, cells, west, south + size, cell);
  for (int row = 0; row < cells; ++row)
    for (int col = 0; col < cells; ++col) {
      const auto p = grid.centre(col, row);
      grid.at(col, row) = static_cast<float>(100 + std::round(p.x * 8) / 8 - std::floor(west / 1000) * 1000 +
                                             std::fmod(std::round(p.y * 4) / 4, 500));
    }
  return grid;
}

std::string tif_of(const geo::Grid<float>& grid, const std::string& crs, double tall) {
  geo::register_gdal_drivers();
  const std::string name = memory_name(".tif");
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  geo::DatasetHandle data(driver->Create(name.c_str(), grid.width, grid.height, 1, GDT_Float32, nullptr));
  double transform[6] = {grid.west, grid.cell_m, 0, grid.north, 0, -grid.cell_m * tall};
  data->SetGeoTransform(transform);
  OGRSpatialReference system;
  if (!crs.empty() && system.SetFromUserInput(crs.c_str()) == OGRERR_NONE) data->SetSpatialRef(&system);
  data->GetRasterBand(1)->SetNoDataValue(-9999);
  auto values = grid.values;
  for (float& value : values)
    if (std::isnan(value)) value = -9999;
  if (data->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, grid.width, grid.height, values.data(), grid.width,
                                       grid.height, GDT_Float32, 0, 0, nullptr) != CE_None)
    throw std::runtime_error("cannot make a TIFF");
  data.reset();
  return bytes_of(name);
}

std::string xyz_of(const geo::Grid<float>& grid) {
  std::string text;
  std::array<char, 100> line{};
  for (int row = grid.height - 1; row >= 0; --row)
    for (int col = 0; col < grid.width; ++col) {
      if (std::isnan(grid.at(col, row))) continue;
      const auto p = grid.centre(col, row);
      text.append(line.data(),
                  static_cast<std::size_t>(std::snprintf(line.data(), line.size(), "%.2f %.2f %.9g\r\n", p.x,
                                                         p.y, grid.at(col, row))));
    }
  return text;
}

namespace {

void add_squares(GDALDataset& data, const std::string& layer,
                 const std::vector<std::pair<double, double>>& places) {
  OGRSpatialReference system;
  system.importFromEPSG(25832);
  system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  OGRLayer* table = data.CreateLayer(layer.c_str(), &system, wkbPolygon, nullptr);
  OGRFieldDefn kind("kind", OFTInteger);
  table->CreateField(&kind);
  int count = 0;
  for (const auto& [x, y] : places) {
    OGRFeature feature(table->GetLayerDefn());
    OGRLinearRing ring;
    for (const auto& [dx, dy] : {std::pair{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}})
      ring.addPoint(x + dx, y + dy);
    OGRPolygon polygon;
    polygon.addRing(&ring);
    feature.SetGeometry(&polygon);
    feature.SetField("kind", count++);
    if (table->CreateFeature(&feature) != OGRERR_NONE) throw std::runtime_error("cannot make outlines");
  }
}

geo::DatasetHandle made_outlines(const char* driver, const std::string& name) {
  geo::register_gdal_drivers();
  return geo::DatasetHandle(
      GetGDALDriverManager()->GetDriverByName(driver)->Create(name.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
}

}  // namespace

std::string squares_gpkg(const std::string& layer, const std::vector<std::pair<double, double>>& places) {
  const std::string name = memory_name(".gpkg");
  auto data = made_outlines("GPKG", name);
  for (const std::string& each : {std::string("Nutzung"), layer}) add_squares(*data, each, places);
  data.reset();
  return bytes_of(name);
}

std::map<std::string, std::string> squares_shape(const std::vector<std::pair<double, double>>& places) {
  const std::string stem = memory_name("");
  auto data = made_outlines("ESRI Shapefile", stem + ".shp");
  add_squares(*data, std::filesystem::path(stem).filename(), places);
  data.reset();
  std::map<std::string, std::string> parts;
  for (const char* ending : {".shp", ".shx", ".dbf"}) parts[ending] = bytes_of(stem + ending);
  return parts;
}

geo::Grid<float> heights_in(const std::string& path) {
  const auto raster = geo::Raster::open(path, "");
  if (!raster) throw std::runtime_error(raster.error().text);
  return *raster->read(raster->bounds());
}

geo::Grid<float> cut(const geo::Grid<float>& grid, double west, double south, double size) {
  const int cells = static_cast<int>(std::lround(size / grid.cell_m));
  geo::Grid<float> part(cells, cells, west, south + size, grid.cell_m);
  const int left = static_cast<int>(std::lround((west - grid.west) / grid.cell_m));
  const int top = static_cast<int>(std::lround((grid.north - part.north) / grid.cell_m));
  for (int row = 0; row < cells; ++row)
    for (int col = 0; col < cells; ++col) part.at(col, row) = grid.at(left + col, top + row);
  return part;
}

}  // namespace test
