#include "benchmarks/geo/city_builder.hpp"

#include <ogr_geometry.h>

#include <algorithm>
#include <set>

#include "benchmarks/geo/city_solid.hpp"
#include "geo/shapes/ogr_shapes.hpp"

namespace bench {
namespace {

constexpr std::size_t kCornersOfAShape = 3;

/// Seen from above. A ring of fewer corners, as some offices leave them, must not take the polygon with it.
std::vector<geo::Polygon> plan_of(const CityPolygon& polygon) {
  if (polygon.rings.empty() || polygon.rings[0].size() < kCornersOfAShape) return {};
  OGRPolygon plan;
  for (const CityRing& ring : polygon.rings) {
    if (ring.size() < kCornersOfAShape) continue;
    OGRLinearRing line;
    for (const geo::HeightPoint& p : ring) line.addPoint(p.x, p.y, p.z);
    line.closeRings();
    plan.addRing(&line);
  }
  std::vector<geo::Polygon> shapes;
  geo::append_polygons(&plan, shapes);
  return shapes;
}

double mean_height_m(const CityRing& ring) {
  double sum = 0;
  for (const geo::HeightPoint& p : ring) sum += p.z;
  return sum / static_cast<double>(ring.size());
}

double lowest_m(const CityPolygon& polygon) {
  double lowest = 1e300;
  for (const CityRing& ring : polygon.rings)
    for (const geo::HeightPoint& p : ring) lowest = std::min(lowest, p.z);
  return lowest;
}

template <class Part>
std::set<int> buildings_of(const std::vector<Part>& parts) {
  std::set<int> buildings;
  for (const Part& part : parts) buildings.insert(part.building);
  return buildings;
}

}  // namespace

std::optional<CitySurface> city_surface_called(std::string_view name) {
  if (name == "RoofSurface" || name == "OuterFloorSurface") return CitySurface::roof;
  if (name == "GroundSurface") return CitySurface::ground;
  if (name == "WallSurface") return CitySurface::wall;
  return {};
}

tl::unexpected<geo::Failure> city_refusal(const std::string& path, const std::string& why) {
  return geo::fail(geo::FailureKind::invalid_input, path + ": " + why);
}

int CityModelBuilder::building(const std::string& id) {
  return numbers_.try_emplace(id, static_cast<int>(numbers_.size())).first->second;
}

void CityModelBuilder::add(int building, CitySurface surface, const CityPolygon& polygon) {
  if (surface == CitySurface::wall) {
    double& lowest = lowest_wall_m_.try_emplace(building, 1e300).first->second;
    lowest = std::min(lowest, lowest_m(polygon));
    return;
  }
  for (geo::Polygon& shape : plan_of(polygon))
    if (surface == CitySurface::ground)
      model_.grounds.push_back({std::move(shape), mean_height_m(polygon.rings[0]), building});
    else if (const geo::PlaneFit fit = geo::fit_plane(polygon.rings[0]); fit.ok)
      model_.faces.push_back({std::move(shape), fit.plane, building});
}

void CityModelBuilder::add_solid(int building, const std::vector<CityPolygon>& shell) {
  const std::size_t before = model_.faces.size();
  for (const CityPolygon* face : faces_that_look_up(shell)) add(building, CitySurface::roof, *face);
  double lowest = 1e300;
  for (const CityPolygon& face : shell) lowest = std::min(lowest, lowest_m(face));
  for (std::size_t i = before; i < model_.faces.size(); ++i)
    model_.grounds.push_back({model_.faces[i].outline, lowest, building});
}

/// Walls are upright in LoD2: a building without a floor stands where its roofs are, at its walls' feet.
void CityModelBuilder::stand_on_walls() {
  const std::set<int> grounded = buildings_of(model_.grounds);
  for (const ModelFace& face : model_.faces)
    if (const auto wall = lowest_wall_m_.find(face.building);
        wall != lowest_wall_m_.end() && !grounded.count(face.building))
      model_.grounds.push_back({face.outline, wall->second, face.building});
}

/// A survey sees half a building wrongly, and none not at all.
void CityModelBuilder::leave_out_incomplete() {
  const std::set<int> roofed = buildings_of(model_.faces), grounded = buildings_of(model_.grounds);
  const auto incomplete = [&](const auto& part) {
    return !roofed.count(part.building) || !grounded.count(part.building);
  };
  std::erase_if(model_.faces, incomplete);
  std::erase_if(model_.grounds, incomplete);
  model_.left_out = static_cast<int>(numbers_.size() - buildings_of(model_.faces).size());
}

geo::Result<BuildingModel> CityModelBuilder::finished(const std::string& path, const std::string& crs_wkt) {
  if (numbers_.empty()) return city_refusal(path, "has no buildings");
  stand_on_walls();
  leave_out_incomplete();
  if (model_.faces.empty())
    return city_refusal(path, "none of its " + std::to_string(numbers_.size()) +
                                  " buildings has a roof (surfaces RoofSurface, or a closed solid, of LoD2) "
                                  "and a foot (GroundSurface or WallSurface)");
  model_.crs_wkt = crs_wkt;
  return std::move(model_);
}

}  // namespace bench
