// Whatever the heights hold, a run ends with a reason or with figures that are numbers.
#include <gdal_priv.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "geo/data/geodata.hpp"
#include "geo/data/place_frame.hpp"
#include "geo/roof_analysis.hpp"
#include "sample_region_files.hpp"

namespace {

namespace fs = std::filesystem;
using geo::Point;
using HeightOf = std::function<double(Point)>;

constexpr int kOddSize = 120;
const geo::LonLat kPlace{9.0, 50.0};

Point origin() { return geo::PlaceFrame::create("EPSG:25832", kPlace)->origin(); }

/// Heights around the place, in metres from the window's south-west corner; the place is its middle.
void write_heights(const fs::path& path, const HeightOf& height) {
  geo::register_gdal_drivers();
  fs::create_directories(path.parent_path());
  const geo::DatasetHandle file(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
      path.c_str(), kOddSize, kOddSize, 1, GDT_Float32, nullptr));
  ASSERT_TRUE(file);
  const double west = std::floor(origin().x) - kOddSize / 2.0,
               north = std::floor(origin().y) + kOddSize / 2.0;
  double transform[6] = {west, 1, 0, north, 0, -1};
  file->SetGeoTransform(transform);
  OGRSpatialReference system;
  system.importFromEPSG(25832);
  file->SetSpatialRef(&system);
  file->GetRasterBand(1)->SetNoDataValue(-9999);
  std::vector<float> cells;
  for (int row = 0; row < kOddSize; ++row)
    for (int col = 0; col < kOddSize; ++col)
      cells.push_back(static_cast<float>(height({col + 0.5, kOddSize - row - 0.5})));
  ASSERT_EQ(file->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, kOddSize, kOddSize, cells.data(), kOddSize,
                                             kOddSize, GDT_Float32, 0, 0, nullptr),
            CE_None);
}

geo::Result<geo::RoofAnalysis> analysed_in(const fs::path& folder) {
  const auto geodata = geo::Geodata::load(folder / "geodata.json");
  EXPECT_TRUE(geodata) << geodata.error().text;
  return geo::analyse_roof(
      *geodata, {kPlace, 4500}, [](const auto&) {}, geo::RunControl{});
}

std::vector<double> figures_of(const geo::RoofAnalysis& analysis) {
  std::vector<double> all{analysis.duration_s, analysis.totals.plan_area_m2, analysis.totals.roof_area_m2,
                          analysis.totals.demand_kwp.value_or(0),
                          analysis.totals.design_yield_kwh.value_or(0)};
  for (const geo::RoofSurface& s : analysis.surfaces) {
    all.insert(all.end(),
               {s.plan_area_m2, s.roof_area_m2, s.tilt_deg, s.azimuth_deg, s.ridge_height_m.value_or(0),
                s.plane.z0, s.plane.gx, s.plane.gy, s.fit.tilt_error_deg, s.fit.azimuth_error_deg,
                s.fit.area_error_m2, s.fit.residual_m, s.fit.coverage_pct, s.yield_kwh_per_kwp.value_or(0)});
    for (const auto& ring : s.outline_wgs84)
      for (const geo::LonLat& p : ring) all.insert(all.end(), {p.lon_deg, p.lat_deg});
    for (const geo::PlacedModule& module : s.modules)
      for (const Point& p : module.corners) all.insert(all.end(), {p.x, p.y});
    if (!s.shading) continue;
    all.push_back(s.shading->mean_loss_pct);
    for (const geo::PointLoss& p : s.shading->points)
      all.insert(all.end(), {p.place.lon_deg, p.place.lat_deg, p.loss_pct});
  }
  return all;
}

bool in(Point p, double half_width) {
  return std::abs(p.x - kOddSize / 2.0) < half_width && std::abs(p.y - kOddSize / 2.0) < half_width;
}

constexpr double kNone = -9999;
const double kInfinite = std::numeric_limits<double>::infinity();

const std::map<std::string, HeightOf> kScenes{
    {"flat water", [](Point) { return 0.0; }},
    {"no data", [](Point) { return kNone; }},
    {"a single cell", [](Point p) { return in(p, 0.6) ? 108.0 : 100.0; }},
    {"data in a single cell", [](Point p) { return in(p, 0.6) ? 108.0 : kNone; }},
    {"a house without ground around it", [](Point p) { return in(p, 6) ? 108.0 : kNone; }},
    {"a flat roof without any noise", [](Point p) { return in(p, 6) ? 108.0 : 100.0; }},
    {"vertical walls", [](Point p) { return in(p, 6) ? 100 + 40 * std::floor((p.x - 54) / 3) : 100.0; }},
    {"a needle", [](Point p) { return in(p, 6) ? 106 + 1000 * (6 - std::abs(p.x - 60)) : 100.0; }},
    {"infinite heights", [](Point p) { return in(p, 3)   ? kInfinite
                                              : in(p, 6) ? 108.0
                                                         : 100.0; }},
    {"infinite ground", [](Point p) { return in(p, 6)   ? 108.0
                                             : p.x < 40 ? -kInfinite
                                                        : 100.0; }},
    {"heights beyond all bounds", [](Point p) { return in(p, 6) ? (p.x < 60 ? 3e38 : 108.0) : 100.0; }},
    {"a chessboard",
     [](Point p) {
       const bool odd = (static_cast<int>(p.x) + static_cast<int>(p.y)) % 2 != 0;
       return in(p, 8) && odd ? 110.0 : 100.0;
     }},
};

TEST(OddScenes, EndWithAReasonOrWithFiguresThatAreNumbers) {
  int answered = 0;
  for (const bool with_footprint : {false, true})
    for (const auto& [name, height] : kScenes) {
      const std::string which = name + (with_footprint ? ", with a footprint" : "");
      const fs::path folder = sample_test::folder("odd" + std::to_string(with_footprint)) / name;
      write_heights(folder / "dsm.tif", height);
      const double x = std::floor(origin().x), y = std::floor(origin().y);
      const auto at = [](double e, double n) {
        return "[" + std::to_string(e) + "," + std::to_string(n) + "]";
      };
      std::ofstream(folder / "buildings.geojson")
          << R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:25832"}},)"
          << R"("features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[)"
          << at(x - 6, y - 6) << "," << at(x + 6, y - 6) << "," << at(x + 6, y + 6) << "," << at(x - 6, y + 6)
          << "," << at(x - 6, y - 6) << "]]}}]}";
      std::ofstream(folder / "geodata.json")
          << R"({"datasets": [{"kind": "dsm", "path": "dsm.tif"})"
          << (with_footprint ? R"(, {"kind": "buildings", "path": "buildings.geojson"})" : "") << "]}";
      const auto analysis = analysed_in(folder);
      if (!analysis) {
        EXPECT_EQ(analysis.error().kind, geo::FailureKind::no_roof) << which << ": " << analysis.error().text;
        continue;
      }
      ++answered;
      for (const double figure : figures_of(*analysis)) EXPECT_TRUE(std::isfinite(figure)) << which;
    }
  EXPECT_GE(answered, 2) << "a flat roof, with and without its footprint";
}

}  // namespace
