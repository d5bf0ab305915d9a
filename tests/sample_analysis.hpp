// An analysis with something in every field, for tests that store, read or pass one on.
#pragma once
#include "geo/drawing/scene_bytes.hpp"
#include "geo/roof_analysis.hpp"

namespace test {

inline geo::RoofSurface sample_surface(int id) {
  geo::RoofSurface s;
  s.id = id;
  s.name = "Südfläche ß " + std::to_string(id);
  s.building = 2;
  s.plan_area_m2 = 60.25;
  s.roof_area_m2 = 73.5;
  s.tilt_deg = 35.125;
  s.azimuth_deg = -12.5;
  s.ridge_height_m = 8.75;
  s.plane = {1, 2, 3, 0.25, -0.5};
  s.outline = {{{0, 0}, {10, 0}, {10, 6}, {0, 6}}, {{{4, 2}, {5, 2}, {5, 3}}, {{7, 2}, {8, 2}, {8, 3}}}};
  s.outline_wgs84 = {{{16.1, 48.1}, {16.2, 48.1}, {16.2, 48.2}, {16.1, 48.1}},
                     {{16.15, 48.12}, {16.16, 48.12}, {16.15, 48.12}}};
  s.obstacles = {{{{4, 2}, {5, 2}, {5, 3}}, {}}};
  s.fit = {0.5, 1.5, 2.5, 0.125, 61, 97.5, true};
  s.portrait = false;
  s.modules = {{{{{1, 1}, {2, 1}, {2, 3}, {1, 3}}}, true}, {{{{3, 1}, {4, 1}, {4, 3}, {3, 3}}}, false}};
  s.modules_recommended = 1;
  s.yield_kwh_per_kwp = 1012.5;
  s.shading = geo::SurfaceShading{3.25, {{"mitte", {16.15, 48.15}, 2.5}, {"first_links", {16.1, 48.2}, 4.0}}};
  return s;
}

inline geo::RoofAnalysis sample_analysis() {
  geo::RoofAnalysis a;
  a.crs_wkt = "PROJCRS[\"ETRS89 / LAEA\"]";
  a.module_power_w = 440;
  a.surfaces = {sample_surface(1), sample_surface(2)};
  a.totals = {120.5, 147, 2, 4, 5.5, 2, 1, 900.25};
  a.sources = {{"dsm", "DOM 1 m", "BEV", "CC BY 4.0", "© BEV", "https://bev.example", 2020, 1.0}};
  a.warnings = {"Ohne Geländemodell.", ""};
  a.duration_s = 12.75;
  return a;
}

/// A scene as it is stored, smaller than any real one.
inline std::string sample_scene_bytes(geo::BackgroundKind kind = geo::BackgroundKind::orthophoto) {
  geo::PropertyScene scene;
  scene.centre = {16.15, 48.15};
  scene.area = {-1, -1, 1, 1};
  scene.background.kind = kind;
  scene.ground = geo::Grid<float>(1, 1, -1, 1, 2, 200.0F);
  return geo::scene_bytes(scene);
}

}  // namespace test
