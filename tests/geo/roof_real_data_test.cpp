// Roof detection on measured heights: Delft with its reference planes, a tile of North Rhine-Westphalia with
// points that lie on roofs and on none.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <numbers>

#include "geo/data/gdal.hpp"
#include "geo/data/vector_layers.hpp"
#include "geo/property/property.hpp"
#include "geo/property/terrain.hpp"
#include "geo/roof/detection.hpp"
#include "geo/shapes/plane_geometry.hpp"
#include "tests/shared_data.hpp"

namespace {

double normal_angle_deg(const geo::Plane& a, const geo::Plane& b) {
  const Eigen::Vector3d n(-a.gx, -a.gy, 1), m(-b.gx, -b.gy, 1);
  return std::acos(std::min(1.0, n.dot(m) / std::sqrt(n.squaredNorm() * m.squaredNorm()))) * 180 /
         std::numbers::pi;
}

geo::Plane reference_plane(const simdjson::dom::element& json) {
  const double slope = std::tan(double(json["tilt_deg"]) * std::numbers::pi / 180);
  const double downhill = double(json["aspect_deg_from_grid_north"]) * std::numbers::pi / 180;
  return {json["x"], json["y"], json["z"], -slope * std::sin(downhill), -slope * std::cos(downhill)};
}

TEST(RoofsOfDelft, AreFoundWithTheirSlopes) {
  ROOF_NEEDS_SHARED_DATA();
  const geo::RunControl control;
  auto dsm = geo::Raster::open(test::shared_file("data/delft/dsm.tif"));
  auto dtm = geo::Raster::open(test::shared_file("data/delft/dtm.tif"));
  ASSERT_TRUE(dsm && dtm);
  auto polygons = geo::read_polygons({test::shared_file("data/delft/buildings.gpkg")}, dsm->bounds(),
                                     dsm->crs_wkt(), control);
  ASSERT_TRUE(polygons);
  std::vector<geo::Building> buildings;
  for (const geo::Polygon& p : *polygons) buildings.push_back({p, true});
  auto frame = geo::PlaceFrame::create("EPSG:28992", {4.36703, 52.0126});
  ASSERT_TRUE(frame);
  const auto planes = geo::detect_roof_planes(*dsm->read(dsm->bounds()), *dtm->read(dsm->bounds()), buildings,
                                              *frame, {}, control);
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  ASSERT_FALSE(parser.load(test::shared_file("data/delft/reference_planes.json").string()).get(json));
  int known = 0, found = 0;
  std::vector<double> tilt_errors;
  for (simdjson::dom::element reference : json["planes"].get_array()) {
    if (std::int64_t(reference["interior_cells"]) < 10 || double(reference["tilt_deg"]) <= 10) continue;
    ++known;
    const geo::Plane plane = reference_plane(reference);
    const auto at = std::find_if(planes.begin(), planes.end(), [&](const geo::RoofPlane& p) {
      return geo::contains(p.outline, {plane.x0, plane.y0}) && normal_angle_deg(p.plane, plane) < 10;
    });
    if (at == planes.end()) continue;
    ++found;
    tilt_errors.push_back(std::abs(geo::tilt_deg(geo::true_gradient(at->plane, frame->true_per_map())) -
                                   double(reference["tilt_deg"])));
  }
  EXPECT_EQ(known, 172);
  EXPECT_GE(found, 163) << "as many as were found when this was written";
  std::sort(tilt_errors.begin(), tilt_errors.end());
  ASSERT_FALSE(tilt_errors.empty());
  EXPECT_LE(tilt_errors[tilt_errors.size() / 2], 1.2);
}

struct NrwPlace {
  geo::PlaceFrame frame;
  geo::Grid<float> dsm, terrain;
};

NrwPlace nrw_place(const test::Row& row) {
  NrwPlace place{*geo::PlaceFrame::create("EPSG:25832", {row.number("lon"), row.number("lat")}), {}, {}};
  const geo::Point o = place.frame.origin();
  place.dsm = *geo::Raster::open(test::shared_file("data/nrw/dsm.tif"))
                   ->read({o.x - 80, o.y - 80, o.x + 80, o.y + 80});
  place.terrain = geo::derive_terrain(place.dsm, geo::RunControl{});
  return place;
}

TEST(RoofsOfEssen, LieUnderEveryPointMeasured) {
  ROOF_NEEDS_SHARED_DATA();
  int points = 0;
  for (const test::Row& row : test::shared_table("data/nrw/addresses.csv")) {
    if (row.text("strasse") != "Messpunkt") continue;
    ++points;
    const NrwPlace place = nrw_place(row);
    const geo::Point at = place.frame.origin();
    const auto property = geo::find_property({place.dsm, place.terrain, at}, geo::RunControl{});
    ASSERT_TRUE(property) << "Messpunkt " << row.text("hausnummer");
    const auto planes = geo::detect_roof_planes(place.dsm, place.terrain, property->buildings, place.frame,
                                                {}, geo::RunControl{});
    EXPECT_TRUE(std::any_of(planes.begin(), planes.end(),
                            [at](const geo::RoofPlane& p) { return geo::contains(p.outline, at); }))
        << "Messpunkt " << row.text("hausnummer");
  }
  EXPECT_EQ(points, 20);
}

TEST(RoofsOfEssen, AreNotSeenInAGroupOfTrees) {
  ROOF_NEEDS_SHARED_DATA();
  int places = 0;
  for (const test::Row& row : test::shared_table("data/nrw/addresses.csv")) {
    if (row.text("strasse") != "Leerpunkt") continue;
    ++places;
    const NrwPlace place = nrw_place(row);
    const geo::Point o = place.frame.origin();
    // Whatever draws outlines may err: the trees are handed over as if they were a building.
    const geo::Building trees{
        {{{o.x - 8, o.y - 8}, {o.x + 8, o.y - 8}, {o.x + 8, o.y + 8}, {o.x - 8, o.y + 8}}, {}}, false};
    EXPECT_EQ(
        geo::detect_roof_planes(place.dsm, place.terrain, {trees}, place.frame, {}, geo::RunControl{}).size(),
        0u)
        << "Leerpunkt " << row.text("hausnummer");
  }
  EXPECT_EQ(places, 2);
}

}  // namespace
