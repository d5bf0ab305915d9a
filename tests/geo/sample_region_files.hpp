// Sample regions for tests: written once per program run into a temporary folder, and read back from their
// files.
#pragma once
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>
#include <simdjson.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/sample_region/sample_region.hpp"
#include "geo/shapes/plane.hpp"
#include "geo/shapes/shapes.hpp"

namespace sample_test {

namespace fs = std::filesystem;

/// A folder that is removed when the program ends.
inline fs::path folder(const std::string& name) {
  struct Home {
    fs::path path = fs::path(::testing::TempDir()) / ("roof_sample_" + std::to_string(::getpid()));
    ~Home() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Home home;
  return home.path / name;
}

/// The folder of a region, made at the first call with these options.
inline fs::path region(const std::string& crs, geo::Gridding gridding = geo::Gridding::levelled,
                       int addresses = 16) {
  static std::map<std::string, bool> made;
  const std::string name =
      crs.substr(5) + "_" + std::to_string(static_cast<int>(gridding)) + "_" + std::to_string(addresses);
  fs::path dir = folder(name);
  if (!made[name]) {
    const auto written = geo::write_sample_region(
        {.out_dir = dir, .seed = 7, .crs = crs, .addresses = addresses, .gridding = gridding});
    EXPECT_TRUE(written) << (written ? "" : written.error().text);
    made[name] = true;
  }
  return dir;
}

inline std::string bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

struct TruthPlane {
  int building = 0;
  bool main = false, dormer = false, below_tree = false;
  std::string roof;
  geo::Plane plane;
  double tilt_deg = 0, azimuth_deg = 0, area_m2 = 0, free_area_m2 = 0;
  geo::Ring outline;
  std::vector<geo::Ring> obstacles;
};

inline geo::Ring ring_of(simdjson::dom::element points) {
  geo::Ring ring;
  for (const auto p : points.get_array()) ring.push_back({p.at(0).get_double(), p.at(1).get_double()});
  return ring;
}

inline std::vector<TruthPlane> truth_planes(const fs::path& dir) {
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.load((dir / "truth.json").string());
  std::vector<TruthPlane> planes;
  for (const simdjson::dom::element p : root["planes"].get_array()) {
    TruthPlane t;
    t.building = static_cast<int>(p["building"].get_int64());
    t.main = p["main"].get_bool();
    t.dormer = p["is_dormer"].get_bool();
    t.below_tree = p["below_tree"].get_bool();
    t.roof = std::string(p["roof"].get_string().value());
    const simdjson::dom::element plane = p["plane"];
    t.plane = {plane["x0"].get_double(), plane["y0"].get_double(), plane["z0"].get_double(),
               plane["gx"].get_double(), plane["gy"].get_double()};
    t.tilt_deg = p["tilt_deg"].get_double();
    t.azimuth_deg = p["azimuth_deg"].get_double();
    t.area_m2 = p["area_m2"].get_double();
    t.free_area_m2 = p["free_area_m2"].get_double();
    t.outline = ring_of(p["outline"]);
    for (const simdjson::dom::element o : p["obstacles"].get_array())
      t.obstacles.push_back(ring_of(o["outline"]));
    planes.push_back(std::move(t));
  }
  return planes;
}

/// The outer rings of a GeoPackage's only layer.
inline std::vector<geo::Polygon> polygons(const fs::path& path) {
  geo::register_gdal_drivers();
  geo::DatasetHandle file(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY));
  std::vector<geo::Polygon> out;
  if (!file || !file->GetLayer(0)) return out;
  for (const auto& feature : *file->GetLayer(0)) {
    const OGRLinearRing* ring = feature->GetGeometryRef()->toPolygon()->getExteriorRing();
    geo::Polygon polygon;
    for (int i = 0; i + 1 < ring->getNumPoints(); ++i)
      polygon.outer.push_back({ring->getX(i), ring->getY(i)});
    out.push_back(std::move(polygon));
  }
  return out;
}

inline std::vector<std::vector<std::string>> csv(const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> row;
    std::stringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    rows.push_back(std::move(row));
  }
  return rows;
}

inline geo::Grid<float> heights(const fs::path& path) {
  auto raster = geo::Raster::open(path);
  if (!raster) return {};
  return raster->read(raster->bounds()).value_or(geo::Grid<float>{});
}

}  // namespace sample_test
