#include "geo/roof_analysis.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "geo/layout/module_choice.hpp"
#include "geo/layout/module_layout.hpp"
#include "geo/layout/recommendation.hpp"
#include "geo/missing_heights.hpp"
#include "geo/property/property.hpp"
#include "geo/property/terrain.hpp"
#include "geo/published_surface.hpp"
#include "geo/roof/address_roof.hpp"
#include "geo/roof/detection.hpp"
#include "geo/shapes/boost_shapes.hpp"
#include "geo/shapes/plane_frame.hpp"
#include "geo/site.hpp"
#include "geo/solar/climate.hpp"
#include "geo/solar/horizon.hpp"
#include "geo/solar/measuring_points.hpp"
#include "geo/solar/plant_model.hpp"
#include "geo/solar/solar_year.hpp"
#include "geo/solar/yield.hpp"
#include "geo/warnings.hpp"

namespace geo {
namespace {

/// The steps of a run in their order, as a client reads them.
class Steps {
 public:
  explicit Steps(const StepListener& listener) : listener_(listener) {}
  void next(const char* name) { listener_({name, done_++, kAnalysisSteps}); }

 private:
  const StepListener& listener_;
  int done_ = 0;
};

Grid<float> terrain_of(const Site& site, const RunControl& control) {
  return site.dtm ? terrain_on(site.dsm, *site.dtm, control) : derive_terrain(site.dsm, control);
}

Result<Property> property_of(const Site& site, const Grid<float>& terrain, const RunControl& control) {
  auto property = find_property({.dsm = site.dsm,
                                 .terrain = terrain,
                                 .address = site.frame.origin(),
                                 .parcels = site.parcels,
                                 .footprints = site.footprints,
                                 .other_addresses = site.other_addresses},
                                control);
  if (property && property->buildings.empty())
    return fail(FailureKind::no_roof, no_building_text(site.dsm, site.frame.origin()));
  return property;
}

/// Of the highest point. A ridge is level and the ground below it often is not: then the end farther above
/// the ground counts, so that both sides of a ridge have the same height.
std::optional<double> height_above(const Grid<float>& terrain, const Plane& plane, const Polygon& outline) {
  constexpr double kLevel_m = 0.15;
  double top_m = -std::numeric_limits<double>::infinity();
  for (Point corner : outline.outer) top_m = std::max(top_m, plane.height_at(corner));
  std::optional<double> most;
  for (Point corner : outline.outer) {
    const int col = terrain.col_of(corner.x), row = terrain.row_of(corner.y);
    if (plane.height_at(corner) < top_m - kLevel_m || !terrain.contains(col, row)) continue;
    const double above_m = plane.height_at(corner) - terrain.at(col, row);
    if (!std::isnan(above_m) && (!most || above_m > *most)) most = above_m;
  }
  return most;
}

RoofSurface surface_of(const RoofPlane& plane, int id, const Site& site, const Grid<float>& terrain) {
  const Eigen::Vector2d gradient = true_gradient(plane.plane, site.frame.true_per_map());
  RoofSurface s;
  s.id = id;
  s.building = plane.building + 1;
  s.tilt_deg = tilt_deg(gradient);
  s.azimuth_deg = azimuth_deg(gradient);
  s.name = surface_name(id, s.tilt_deg, s.azimuth_deg);
  s.plan_area_m2 = boost::geometry::area(to_boost(plane.outline)) * site.frame.area_scale();
  s.roof_area_m2 = s.plan_area_m2 / std::cos(s.tilt_deg * std::numbers::pi / 180);
  s.plane = plane.plane;
  s.outline = plane.outline;
  s.outline_wgs84 = published_outline(plane.outline, site.frame);
  s.obstacles = plane.obstacles;
  s.fit = plane.fit;
  s.ridge_height_m = height_above(terrain, plane.plane, plane.outline);
  return s;
}

Result<std::vector<RoofSurface>> surfaces_of(const Site& site, const Grid<float>& terrain,
                                             const Property& property, CellKind cells,
                                             const RunControl& control) {
  const RoofDetectionOptions options{.highest_of_m2 = site.highest_of_m2, .cells = cells};
  const auto planes = detect_roof_planes(site.dsm, terrain, property.buildings, site.frame, options, control);
  if (planes.empty())
    return fail(FailureKind::no_roof, "An dieser Adresse wurde keine auswertbare Dachfläche gefunden.");
  if (site.footprints.empty() && !property.parcel &&
      !roof_stands_at(site.frame.origin(), planes, property.buildings, site.dsm, terrain))
    return fail(
        FailureKind::no_roof,
        "Das Dach an dieser Adresse ist in den Höhendaten nicht zu erkennen. Gefunden wurden nur Dächer "
        "daneben; sie können zu anderen Adressen gehören, denn zu diesem Ort liegen keine "
        "Gebäudeumrisse vor.");
  std::vector<RoofSurface> surfaces;
  for (const RoofPlane& plane : planes)
    surfaces.push_back(surface_of(plane, static_cast<int>(surfaces.size()) + 1, site, terrain));
  return surfaces;
}

/// A surface's modules in one orientation, in its plane.
struct SurfaceLayout {
  PlaneFrame frame;
  std::vector<ModuleRect> modules;
};
/// One layout per surface.
using Layouts = std::vector<SurfaceLayout>;

Layouts layouts_in(Orientation orientation, const std::vector<RoofSurface>& surfaces, const Site& site,
                   const ModuleOptions& modules, const RunControl& control) {
  Layouts layouts;
  for (const RoofSurface& s : surfaces) {
    const PlaneFrame frame(s.plane, s.outline, site.frame.true_per_map());
    std::vector<Polygon> obstacles;
    for (const Polygon& obstacle : s.obstacles) obstacles.push_back(frame.to_plane(obstacle));
    layouts.push_back({frame, layout_modules(frame.to_plane(s.outline), obstacles, s.tilt_deg, modules,
                                             orientation, control)});
  }
  return layouts;
}

std::size_t modules_on(int building, const Layouts& layouts, const std::vector<RoofSurface>& surfaces) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < surfaces.size(); ++i)
    if (surfaces[i].building == building) count += layouts[i].modules.size();
  return count;
}

/// The layout's modules on the map.
std::vector<PlacedModule> placed(const SurfaceLayout& layout) {
  std::vector<PlacedModule> modules;
  for (const ModuleRect& rect : layout.modules) {
    PlacedModule& module = modules.emplace_back();
    std::transform(rect.corners.begin(), rect.corners.end(), module.corners.begin(),
                   [&](Point uv) { return layout.frame.to_map(uv); });
  }
  return modules;
}

/// Both orientations are tried; per building the fuller one wins, Hochformat when they are equal.
Layouts fullest_layouts(std::vector<RoofSurface>& surfaces, const Site& site, const ModuleOptions& modules,
                        const RunControl& control) {
  const Layouts portrait = layouts_in(Orientation::portrait, surfaces, site, modules, control);
  const Layouts landscape = layouts_in(Orientation::landscape, surfaces, site, modules, control);
  Layouts fullest;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    RoofSurface& surface = surfaces[i];
    const int building = *surface.building;
    surface.portrait = modules_on(building, portrait, surfaces) >= modules_on(building, landscape, surfaces);
    fullest.push_back(surface.portrait ? portrait[i] : landscape[i]);
    surface.modules = placed(fullest.back());
  }
  return fullest;
}

/// Shading at the five points, and what the surface yields under their horizons.
void add_yield(RoofSurface& s, const Site& site, const HorizonScene& scene, const SolarYear& year,
               const RunControl& control) {
  const auto points = measuring_points(s.outline, s.obstacles, s.plane, site.frame);
  SurfaceInput input{s.tilt_deg, s.azimuth_deg, {}};
  for (const MeasuringPoint& point : points)
    input.horizons.push_back(scene.line_from(eye_at(point, s.plane), control));
  const SurfaceYield yield = surface_yield(year, input, PlantModel{}, control);
  s.yield_kwh_per_kwp = yield.kwh_per_kwp;
  if (points.empty()) return;
  s.shading.emplace().mean_loss_pct = yield.shading_loss_pct;
  for (std::size_t i = 0; i < points.size(); ++i)
    s.shading->points.push_back(
        {std::string(points[i].name), site.frame.to_lonlat(points[i].map), yield.point_loss_pct[i]});
}

/// Of these, drawing/scene_ground.cpp shows those that carry a surface.
std::vector<Polygon> footprints_of(const Property& property) {
  std::vector<Polygon> out;
  for (const Building& building : property.buildings)
    if (building.from_footprints) out.push_back(building.footprint);
  return out;
}

float ground_height(const Site& site, const Grid<float>& terrain) {
  const Point p = site.frame.origin();
  const int col = terrain.col_of(p.x);
  const int row = terrain.row_of(p.y);
  return terrain.contains(col, row) ? terrain.at(col, row) : 0;
}

HeightField relief_field(const Relief& relief) {
  HeightField field = height_field(relief.cells->heights, relief.frame);
  field.maxima = &relief.cells->maxima;
  return field;
}

Source climate_source() {
  return {"climate",
          std::string(kBuiltInSource.name),
          std::string(kBuiltInSource.provider),
          std::string(kBuiltInSource.licence),
          std::string(kBuiltInSource.attribution),
          std::string(kBuiltInSource.url),
          kBuiltInSource.last_year,
          kBuiltInSource.grid_m};
}

Totals totals_of(std::vector<RoofSurface>& surfaces, const Layouts& layouts, const AnalysisInput& input) {
  std::vector<SurfacePotential> potentials;
  for (const RoofSurface& s : surfaces) potentials.push_back({s.modules_possible(), s.yield_kwh_per_kwp});
  const Recommendation design = recommend(potentials, input.modules.power_w, input.consumption_kwh);
  Totals totals;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    RoofSurface& s = surfaces[i];
    s.modules_recommended = design.modules[i];
    for (const std::size_t chosen : choose_modules(layouts[i].modules, design.modules[i]))
      s.modules[chosen].recommended = true;
    totals.plan_area_m2 += s.plan_area_m2;
    totals.roof_area_m2 += s.roof_area_m2;
    totals.modules_possible += s.modules_possible();
    totals.buildings = std::max(totals.buildings, *s.building);
  }
  totals.demand_kwp = design.wanted_kwp;
  totals.design_modules = design.modules_total;
  totals.design_surfaces = design.surfaces;
  if (design.modules_total > 0) totals.design_yield_kwh = design.yield_kwh;
  return totals;
}

Result<RoofRun> analysed(const Geodata& geodata, const AnalysisInput& input, const StepListener& on_step,
                         const RunControl& control) {
  Steps steps(on_step);
  steps.next("Höhendaten lesen");
  auto site = read_site(geodata, input.place, control);
  if (!site) return tl::make_unexpected(site.error());
  steps.next("Gelände bestimmen");
  Grid<float> terrain = terrain_of(*site, control);
  steps.next("Gebäude suchen");
  auto property = property_of(*site, terrain, control);
  if (!property) return tl::make_unexpected(property.error());
  const auto incomplete = leave_out_unknown_buildings(*property, site->dsm);
  if (!incomplete) return tl::make_unexpected(incomplete.error());
  steps.next("Dachflächen erkennen");
  const CellKind cells = cell_kind(site->dsm);
  auto surfaces = surfaces_of(*site, terrain, *property, cells, control);
  if (!surfaces) return tl::make_unexpected(surfaces.error());
  steps.next("Module belegen");
  const Layouts layouts = fullest_layouts(*surfaces, *site, input.modules, control);
  steps.next("Horizont bestimmen");
  const HeightField near = height_field(site->surroundings, site->frame);
  const auto far = site->relief ? std::optional(relief_field(*site->relief)) : std::nullopt;
  const HorizonScene scene(near, far ? &*far : nullptr, control);
  steps.next("Verschattung und Ertrag rechnen");
  const auto climate = climate_at(input.place, ground_height(*site, terrain), site->irradiation_kwh_m2);
  if (!climate) return tl::make_unexpected(climate.error());
  const SolarYear year = solar_year(*climate, control);
  for (RoofSurface& surface : *surfaces) add_yield(surface, *site, scene, year, control);
  steps.next("Empfehlung zusammenstellen");
  RoofAnalysis analysis{.crs_wkt = site->crs_wkt,
                        .module_power_w = input.modules.power_w,
                        .totals = totals_of(*surfaces, layouts, input),
                        .sources = std::move(site->sources)};
  if (climate->built_in_irradiation) analysis.sources.push_back(climate_source());
  analysis.warnings = site_warnings(*site, *property, cells);
  for (const auto& more : {*incomplete, building_warnings(property->buildings, *surfaces, site->dsm, terrain),
                           surface_warnings(*surfaces), design_warnings(analysis.totals, input)})
    analysis.warnings.insert(analysis.warnings.end(), more.begin(), more.end());
  analysis.surfaces = std::move(*surfaces);
  return RoofRun{std::move(analysis),
                 {std::move(site->surroundings), std::move(terrain), footprints_of(*property)}};
}

}  // namespace

Result<RoofRun> run_roof_analysis(const Geodata& geodata, const AnalysisInput& input,
                                  const StepListener& on_step, const RunControl& control) {
  const auto began = std::chrono::steady_clock::now();
  try {
    auto run = analysed(geodata, input, on_step, control);
    if (run)
      run->analysis.duration_s =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return run;
  } catch (const Cancelled&) {
    return fail(FailureKind::cancelled, "the run was cancelled");
  } catch (const std::exception& error) {  // Boost.Geometry and Eigen throw
    return fail(FailureKind::internal, error.what());
  }
}

Result<RoofAnalysis> analyse_roof(const Geodata& geodata, const AnalysisInput& input,
                                  const StepListener& on_step, const RunControl& control) {
  return run_roof_analysis(geodata, input, on_step, control).map([](RoofRun run) {
    return std::move(run.analysis);
  });
}

}  // namespace geo
