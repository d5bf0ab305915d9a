#include "benchmarks/geo/accuracy_scene.hpp"

#include <gdal_priv.h>
#include <ogrsf_frmts.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "benchmarks/geo/accuracy_score.hpp"
#include "geo/data/gdal.hpp"
#include "geo/property/building_outlines.hpp"
#include "geo/sample_region/sample_region.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace bench {
namespace {

// Footprints are as good as a cadastre's (geo/sample_region/cadastral_survey.hpp), truth is exact.
constexpr geo::sample::SurveyErrors kSurvey{.corner_m = 0.07, .turn_deg = 0.7};

geo::Ring ring_of(const OGRLinearRing& from, bool counter_clockwise) {
  geo::Ring ring;
  for (int i = 0; i + 1 < from.getNumPoints(); ++i) ring.push_back({from.getX(i), from.getY(i)});
  if ((geo::signed_area(ring) > 0) != counter_clockwise) std::reverse(ring.begin(), ring.end());
  return ring;
}

void add_building(const OGRPolygon& part, std::vector<geo::Building>& buildings) {
  geo::Building building;
  building.footprint.outer = ring_of(*part.getExteriorRing(), true);
  for (int i = 0; i < part.getNumInteriorRings(); ++i)
    building.footprint.holes.push_back(ring_of(*part.getInteriorRing(i), false));
  buildings.push_back(std::move(building));
}

geo::Result<Scene> heights(const std::string& name, const std::string& dir, const std::string& crs,
                           geo::LonLat place) {
  auto dsm = geo::Raster::open(dir + "dsm.tif");
  if (!dsm) return tl::make_unexpected(dsm.error());
  auto terrain = geo::Raster::open(dir + "dtm.tif");
  if (!terrain) return tl::make_unexpected(terrain.error());
  auto frame = geo::PlaceFrame::create(crs, place);
  if (!frame) return tl::make_unexpected(frame.error());
  auto surface = dsm->read(dsm->bounds());
  auto ground = terrain->read(dsm->bounds());
  if (!surface) return tl::make_unexpected(surface.error());
  if (!ground) return tl::make_unexpected(ground.error());
  return Scene{name,
               std::move(*surface),
               std::move(*ground),
               read_footprints(dir + "buildings.gpkg"),
               {},
               std::move(*frame),
               {}};
}

TruePlane delft_plane(const simdjson::dom::element& json, const geo::PlaceFrame& frame) {
  TruePlane plane;
  plane.at = {json["x"], json["y"]};
  plane.area_m2 = json["interior_area_m2"];
  plane.interior_cells = static_cast<int>(json["interior_cells"].get_int64());
  const double slope = std::tan(double(json["tilt_deg"]) * std::numbers::pi / 180);
  const double downhill = double(json["aspect_deg_from_grid_north"]) * std::numbers::pi / 180;
  plane.plane = {plane.at.x, plane.at.y, json["z"], -slope * std::sin(downhill), -slope * std::cos(downhill)};
  const auto gradient = geo::true_gradient(plane.plane, frame.true_per_map());
  plane.tilt_deg = geo::tilt_deg(gradient);
  plane.azimuth_deg = geo::azimuth_deg(gradient);
  return plane;
}

geo::Ring ring_of(const simdjson::dom::element& json) {
  geo::Ring ring;
  for (simdjson::dom::element point : json.get_array()) ring.push_back({point.at(0), point.at(1)});
  return ring;
}

TruePlane sample_plane(const simdjson::dom::element& json) {
  TruePlane plane;
  const simdjson::dom::element p = json["plane"];
  plane.plane = {p["x0"], p["y0"], p["z0"], p["gx"], p["gy"]};
  plane.tilt_deg = json["tilt_deg"];
  plane.azimuth_deg = json["azimuth_deg"];
  plane.area_m2 = json["area_m2"];
  plane.judged = plane.area_m2 >= kListed_m2;
  plane.outline.outer = ring_of(json["outline"]);
  for (simdjson::dom::element hole : json["holes"].get_array()) plane.outline.holes.push_back(ring_of(hole));
  for (geo::Ring& hole : plane.outline.holes) std::reverse(hole.begin(), hole.end());
  plane.building = static_cast<int>(json["building"].get_int64());
  plane.kind =
      json["is_dormer"].get_bool() ? std::string("dormer") : std::string(json["roof"].get_string().value());
  plane.below_tree = json["below_tree"].get_bool();
  return plane;
}

/// From heights alone nobody can see where in an even roof one house ends and the next begins. Parts of one
/// house stay apart: where the wing of a T is as high as the house, the two halves of the house's slope meet
/// in a point only.
void join_coplanar(std::vector<TruePlane>& truth) {
  for (std::size_t i = 0; i < truth.size(); ++i)
    for (std::size_t j = i + 1; j < truth.size(); ++j) {
      TruePlane& a = truth[i];
      const TruePlane& b = truth[j];
      if (a.building == b.building) continue;
      const geo::Point far = b.outline.outer[0];
      const bool coplanar = std::hypot(a.plane.gx - b.plane.gx, a.plane.gy - b.plane.gy) < 0.005 &&
                            std::abs(a.plane.height_at(far) - b.plane.height_at(far)) < 0.05;
      if (!coplanar) continue;
      geo::Polygon joined = joined_outline(a.outline, b.outline);
      if (joined.outer.empty()) continue;
      a.outline = std::move(joined);
      a.area_m2 += b.area_m2;
      a.judged = a.area_m2 >= kListed_m2;
      truth.erase(truth.begin() + static_cast<std::ptrdiff_t>(j));
      j = i;  // the joined one may touch others
    }
}

geo::LonLat place_of(const std::string& crs) {
  if (crs == "EPSG:3035") return {15.4, 48.2};
  if (crs == "EPSG:2056") return {7.45, 47.0};
  return {10.9, 47.9};
}

}  // namespace

geo::Polygon joined_outline(const geo::Polygon& a, const geo::Polygon& b) {
  auto to_ogr = [](const geo::Polygon& polygon) {
    OGRPolygon out;
    OGRLinearRing ring;
    for (geo::Point p : polygon.outer) ring.addPoint(p.x, p.y);
    ring.closeRings();
    out.addRing(&ring);
    return out;
  };
  // 5 cm wider, so that walls recorded twice meet; holes of single houses are left out.
  const OGRPolygon first = to_ogr(a), second = to_ogr(b);
  const std::unique_ptr<OGRGeometry> wide_first(first.Buffer(0.05)), wide_second(second.Buffer(0.05));
  if (!wide_first || !wide_second || !wide_first->Intersects(wide_second.get())) return {};
  const std::unique_ptr<OGRGeometry> both(wide_first->Union(wide_second.get()));
  const std::unique_ptr<OGRGeometry> thin(both ? both->Buffer(-0.05) : nullptr);
  if (!thin || wkbFlatten(thin->getGeometryType()) != wkbPolygon) return {};
  return {ring_of(*thin->toPolygon()->getExteriorRing(), true), {}};
}

std::vector<geo::Building> read_footprints(const std::string& path) {
  std::vector<geo::Building> buildings;
  geo::DatasetHandle file(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
  if (!file) return buildings;
  for (auto& feature : *file->GetLayer(0)) {
    const OGRGeometry* geometry = feature->GetGeometryRef();
    if (!geometry) continue;
    if (wkbFlatten(geometry->getGeometryType()) == wkbPolygon)
      add_building(*geometry->toPolygon(), buildings);
    if (wkbFlatten(geometry->getGeometryType()) == wkbMultiPolygon)
      for (const OGRPolygon* part : *geometry->toMultiPolygon()) add_building(*part, buildings);
  }
  return buildings;
}

geo::Result<Scene> delft_scene(const std::string& shared_dir) {
  const std::string dir = shared_dir + "/data/delft/";
  auto scene = heights("delft", dir, "EPSG:28992", {4.36703, 52.0126});
  if (!scene) return scene;
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  if (parser.load(dir + "reference_planes.json").get(json))
    return geo::fail(geo::FailureKind::data_unreachable, "reference_planes.json cannot be read");
  for (simdjson::dom::element plane : json["planes"].get_array())
    scene->truth.push_back(delft_plane(plane, scene->frame));
  return scene;
}

geo::Result<Scene> sample_scene(const std::string& crs, std::uint32_t seed, int addresses, double cell_m,
                                const std::string& work_dir) {
  const std::string name = crs.substr(5) + "-" + std::to_string(seed);
  const std::string dir = work_dir + "/" + name + "/";
  if (auto written = geo::write_sample_region({.out_dir = dir,
                                               .seed = seed,
                                               .crs = crs,
                                               .addresses = addresses,
                                               .cell_m = cell_m,
                                               .survey = kSurvey});
      !written)
    return tl::make_unexpected(written.error());
  auto scene = heights(name, dir, crs, place_of(crs));
  if (!scene) return scene;
  for (geo::Building& parcel : read_footprints(dir + "parcels.gpkg"))
    scene->parcels.push_back(std::move(parcel.footprint));
  for (geo::Building& building : scene->buildings)
    if (const int own = parcel_of(*scene, building.footprint); own >= 0)
      building.parcel = scene->parcels[static_cast<std::size_t>(own)];
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  if (parser.load(dir + "truth.json").get(json))
    return geo::fail(geo::FailureKind::data_unreachable, "truth.json cannot be read");
  for (simdjson::dom::element plane : json["planes"].get_array()) scene->truth.push_back(sample_plane(plane));
  // Angles must be those of this place: the frame is set up where the region lies.
  const geo::Grid<float>& g = scene->dsm;
  const geo::LonLat middle = scene->frame.to_lonlat(g.centre(g.width / 2, g.height / 2));
  auto frame = geo::PlaceFrame::create(crs, middle);
  if (!frame) return tl::make_unexpected(frame.error());
  scene->frame = std::move(*frame);
  return scene;
}

geo::Result<void> forget_footprints(Scene& scene) {
  geo::RectangleFits fits;
  auto outlines = geo::building_outlines(scene.dsm, scene.terrain, geo::kEverywhere, fits, geo::RunControl{});
  if (!outlines) return tl::make_unexpected(outlines.error());
  scene.name += " without footprints";
  scene.buildings.clear();
  scene.parcels.clear();
  join_coplanar(scene.truth);
  for (geo::BuildingOutline& outline : *outlines)
    scene.buildings.push_back(
        {.footprint = std::move(outline.shape), .from_footprints = false, .rectangle = outline.rectangle});
  return {};
}

}  // namespace bench
