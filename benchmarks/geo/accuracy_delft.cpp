// The Delft scene: AHN3 heights at 1 m, BGT footprints, 336 planes fitted to the laser points themselves.
#include <gdal_priv.h>
#include <ogrsf_frmts.h>
#include <simdjson.h>

#include <cmath>
#include <numbers>

#include "benchmarks/geo/accuracy_scene.hpp"
#include "geo/gdal.hpp"
#include "geo/plane.hpp"
#include "geo/roof_shapes.hpp"

namespace bench {
namespace {

geo::Ring ring_of(const OGRLinearRing& from, bool counter_clockwise) {
  geo::Ring ring;
  for (int i = 0; i + 1 < from.getNumPoints(); ++i) ring.push_back({from.getX(i), from.getY(i)});
  if ((geo::signed_area(ring) > 0) != counter_clockwise) std::reverse(ring.begin(), ring.end());
  return ring;
}

std::vector<geo::Building> footprints(const std::string& path) {
  std::vector<geo::Building> buildings;
  geo::DatasetHandle file(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
  if (!file) return buildings;
  for (auto& feature : *file->GetLayer(0)) {
    const OGRGeometry* geometry = feature->GetGeometryRef();
    if (!geometry || wkbFlatten(geometry->getGeometryType()) != wkbMultiPolygon) continue;
    for (const OGRPolygon* part : *geometry->toMultiPolygon()) {
      geo::Building building;
      building.footprint.outer = ring_of(*part->getExteriorRing(), true);
      for (int i = 0; i < part->getNumInteriorRings(); ++i)
        building.footprint.holes.push_back(ring_of(*part->getInteriorRing(i), false));
      buildings.push_back(std::move(building));
    }
  }
  return buildings;
}

TruePlane plane_of(const simdjson::dom::element& json, const geo::PlaceFrame& frame) {
  TruePlane plane;
  plane.at = {json["x"], json["y"]};
  plane.z = json["z"];
  plane.area_m2 = json["interior_area_m2"];
  plane.interior_cells = static_cast<int>(json["interior_cells"].get_int64());
  const double slope = std::tan(double(json["tilt_deg"]) * std::numbers::pi / 180);
  const double downhill = double(json["aspect_deg_from_grid_north"]) * std::numbers::pi / 180;
  plane.gx = -slope * std::sin(downhill);
  plane.gy = -slope * std::cos(downhill);
  const auto gradient = geo::true_gradient({.gx = plane.gx, .gy = plane.gy}, frame.true_per_map());
  plane.tilt_deg = geo::tilt_deg(gradient);
  plane.azimuth_deg = geo::azimuth_deg(gradient);
  return plane;
}

}  // namespace

geo::Result<Scene> delft_scene(const std::string& shared_dir) {
  const std::string dir = shared_dir + "/data/delft/";
  auto dsm = geo::Raster::open(dir + "dsm.tif");
  if (!dsm) return tl::make_unexpected(dsm.error());
  auto terrain = geo::Raster::open(dir + "dtm.tif");
  if (!terrain) return tl::make_unexpected(terrain.error());
  auto frame = geo::PlaceFrame::create("EPSG:28992", {4.36703, 52.0126});
  if (!frame) return tl::make_unexpected(frame.error());
  auto surface = dsm->read(dsm->bounds());
  auto ground = terrain->read(dsm->bounds());
  if (!surface) return tl::make_unexpected(surface.error());
  if (!ground) return tl::make_unexpected(ground.error());
  Scene scene{"delft", std::move(*surface), std::move(*ground), footprints(dir + "buildings.gpkg"), std::move(*frame), {}};
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  if (parser.load(dir + "reference_planes.json").get(json)) return geo::fail(geo::FailureKind::data_unreachable, "reference_planes.json");
  for (simdjson::dom::element plane : json["planes"].get_array()) scene.truth.push_back(plane_of(plane, scene.frame));
  return scene;
}

}  // namespace bench
