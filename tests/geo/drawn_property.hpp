// A made-up property for tests of drawing: one pitched roof with modules, an obstacle and measuring points,
// and an aerial image with four coloured squares at known places. It lies at Vienna in EPSG:3035, whose grid
// north is five degrees off true north, so that a picture that confuses the two is found out.
#pragma once
#include <cmath>
#include <numbers>

#include "geo/data/place_frame.hpp"
#include "geo/drawing/image_codec.hpp"
#include "geo/drawing/scene.hpp"
#include "geo/roof_analysis.hpp"

namespace test {

inline constexpr double kRadian = std::numbers::pi / 180;

struct ColouredSquare {
  geo::Point centre;  ///< scene metres
  int red, green, blue;
};

struct DrawnProperty {
  static constexpr double kTilt_deg = 35, kAzimuth_deg = 30;
  static constexpr double kEaves_m = 12, kDepth_m = 5.2;  ///< the roof in plan
  static constexpr double kModuleLength_m = 1.762, kModuleWidth_m = 1.134;
  static constexpr double kSquare_m = 1.5;
  geo::LonLat place{16.37, 48.21};
  geo::RoofAnalysis analysis;
  geo::PropertyScene scene;
  std::vector<ColouredSquare> squares{{{-7.5, 4.5}, 220, 30, 30},
                                      {{7.5, 4.5}, 30, 200, 40},
                                      {{7.5, -4.5}, 40, 60, 220},
                                      {{-7.5, -4.5}, 230, 220, 30}};

  DrawnProperty() {
    auto frame = geo::PlaceFrame::create("EPSG:3035", place);
    analysis.crs_wkt = "EPSG:3035";
    analysis.module_power_w = 440;
    add_surface(*frame);
    analysis.totals = {.plan_area_m2 = kEaves_m * kDepth_m,
                       .roof_area_m2 = analysis.surfaces[0].roof_area_m2,
                       .buildings = 1,
                       .modules_possible = analysis.surfaces[0].modules_possible(),
                       .design_modules = 4,
                       .design_surfaces = 1,
                       .design_yield_kwh = 1750.4};
    analysis.sources = {{"dsm", "Höhen", "Amt", "CC BY 4.0", "© Amt & Söhne <\"Geo\">", "", 2024, 1.0}};
    add_scene();
  }

  /// Scene metres of a point of the roof: `u` along the eaves, `v` up the slope in plan, from the roof's
  /// middle.
  static geo::Point on_roof(double u, double v) {
    const double bearing = kAzimuth_deg * kRadian;  // of "up the slope": opposite to the fall line
    return {u * std::cos(bearing) + v * std::sin(bearing), -u * std::sin(bearing) + v * std::cos(bearing)};
  }

 private:
  static geo::Ring rectangle(double u0, double v0, double u1, double v1) {
    return {on_roof(u0, v0), on_roof(u1, v0), on_roof(u1, v1), on_roof(u0, v1)};
  }
  static geo::Ring to_map(const geo::Ring& scene, const geo::PlaceFrame& frame) {
    geo::Ring out;
    for (const geo::Point& p : scene) out.push_back(frame.from_true({p.x, p.y}));
    return out;
  }

  void add_surface(const geo::PlaceFrame& frame) {
    geo::RoofSurface s;
    s.id = 7;
    s.name = "Fläche 7 Südwest";
    s.building = 1;
    s.tilt_deg = kTilt_deg;
    s.azimuth_deg = kAzimuth_deg;
    s.plan_area_m2 = kEaves_m * kDepth_m;
    s.roof_area_m2 = s.plan_area_m2 / std::cos(kTilt_deg * kRadian);
    s.ridge_height_m = 8;
    const geo::Point up = on_roof(0, 1);
    const Eigen::Vector2d rise = std::tan(kTilt_deg * kRadian) * Eigen::Vector2d(up.x, up.y);
    const Eigen::Vector2d map_rise = frame.true_per_map().transpose() * rise;
    s.plane = {frame.origin().x, frame.origin().y, 206, map_rise.x(), map_rise.y()};
    s.outline.outer = to_map(rectangle(-kEaves_m / 2, -kDepth_m / 2, kEaves_m / 2, kDepth_m / 2), frame);
    auto& ring = s.outline_wgs84.emplace_back();
    for (const geo::Point& p : s.outline.outer) ring.push_back(frame.to_lonlat(p));
    ring.push_back(ring.front());
    s.obstacles.push_back({.outer = to_map(rectangle(3.6, 0.6, 4.6, 1.6), frame)});
    s.yield_kwh_per_kwp = 995.2;
    add_modules(s, frame);
    s.shading.emplace().mean_loss_pct = 2.5;
    double loss = 0.5;
    for (const auto& [label, u, v] : {std::tuple{"traufe_links", -5.4, -2.1},
                                      {"traufe_rechts", 5.4, -2.1},
                                      {"first_rechts", 5.4, 2.1},
                                      {"first_links", -5.4, 2.1},
                                      {"mitte", 0.1, 0.1}}) {
      const geo::Point p = on_roof(u, v);
      s.shading->points.push_back({label, frame.to_lonlat(frame.from_true({p.x, p.y})), loss});
      loss += 1;
    }
    analysis.surfaces.push_back(std::move(s));
  }

  /// Two rows of seven upright modules; the first four of the upper row are recommended.
  static void add_modules(geo::RoofSurface& s, const geo::PlaceFrame& frame) {
    const double length = kModuleLength_m * std::cos(kTilt_deg * kRadian);
    for (const int row : {0, 1})
      for (int col = 0; col < 7; ++col) {
        const double u = -5.5 + col * (kModuleWidth_m + 0.02);
        const double v = -1.8 + row * (length + 0.02);
        const geo::Ring corners = to_map(rectangle(u, v, u + kModuleWidth_m, v + length), frame);
        geo::PlacedModule module;
        std::copy(corners.begin(), corners.end(), module.corners.begin());
        module.recommended = row == 1 && col < 4;
        s.modules_recommended += module.recommended;
        s.modules.push_back(module);
      }
  }

  void add_scene() {
    constexpr double kPixel_m = 0.1;
    scene.centre = place;
    scene.area = {-18, -16, 18, 16};
    geo::RgbImage image{360, 320, std::vector<std::uint8_t>(360 * 320 * 3, 128)};
    for (int row = 0; row < image.height; ++row)
      for (int col = 0; col < image.width; ++col)
        for (const ColouredSquare& square : squares) {
          if (std::abs(scene.area.min_x + (col + 0.5) * kPixel_m - square.centre.x) > kSquare_m / 2 ||
              std::abs(scene.area.max_y - (row + 0.5) * kPixel_m - square.centre.y) > kSquare_m / 2)
            continue;
          std::uint8_t* pixel = &image.rgb[3 * static_cast<std::size_t>(row * image.width + col)];
          pixel[0] = static_cast<std::uint8_t>(square.red);
          pixel[1] = static_cast<std::uint8_t>(square.green);
          pixel[2] = static_cast<std::uint8_t>(square.blue);
        }
    scene.background = {geo::BackgroundKind::orthophoto, 360, 320, geo::encode_jpeg(image, 95).value_or("")};
    scene.ground = geo::Grid<float>(36, 32, -18, 16, 1, 200.0f);
    for (int row = 0; row < 32; ++row)
      for (int col = 0; col < 36; ++col) scene.ground.at(col, row) = 200.0f + 0.02f * static_cast<float>(col);
    scene.buildings.push_back({.outer = rectangle(-5.5, -2.1, 5.5, 2.1)});
    scene.sources = {{"orthophoto", "Luftbild", "Amt", "CC BY 4.0", "Luftbild © Amt", "", 2023, 0.1},
                     {"buildings", "Umrisse", "Amt", "CC BY 4.0", "Umrisse © Amt", "", 2023, {}}};
  }
};

}  // namespace test
