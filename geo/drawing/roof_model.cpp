#include "geo/drawing/roof_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "geo/drawing/german_text.hpp"
#include "geo/drawing/glb_file.hpp"
#include "geo/drawing/image_codec.hpp"
#include "geo/drawing/picture_metadata.hpp"
#include "geo/drawing/scene_frame.hpp"
#include "geo/shapes/plane.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

// Metres, upright. What lies on a roof is lifted off it, so that a viewer sees no flicker.
constexpr double kRoofThickness_m = 0.16;
constexpr double kObstacleLift_m = 0.02;
constexpr double kModuleFoot_m = 0.06;
constexpr double kModuleTop_m = 0.11;
constexpr double kBelowGround_m = 0.3;   // walls reach into the ground: it undulates between their corners
constexpr double kUnderFootprint = 0.3;  // of a surface on footprints: its walls then stand on them
constexpr int kTexturePixels = 1600;
constexpr int kTextureQuality = 82;

struct Materials {
  int ground, roof, rim, wall, recommended, possible, obstacle, other;
};

Materials add_materials(GlbFile& file, bool photo) {
  return {
      .ground = file.add_material({.name = "Gelände", .textured = true}),
      .roof = file.add_material(
          {.name = "Dach",
           .colour = photo ? std::array<double, 4>{1, 1, 1, 1} : std::array<double, 4>{0.42, 0.16, 0.1, 1},
           .textured = photo}),
      .rim = file.add_material({.name = "Dachrand", .colour = {0.2, 0.17, 0.15, 1}}),
      .wall = file.add_material({.name = "Wand", .colour = {0.82, 0.79, 0.73, 1}}),
      .recommended = file.add_material(
          {.name = "Modul empfohlen", .colour = {0.012, 0.04, 0.13, 1}, .roughness = 0.25, .metal = 0.1}),
      .possible =
          file.add_material({.name = "Modul möglich", .colour = {0.45, 0.66, 0.95, 0.62}, .roughness = 0.4}),
      .obstacle = file.add_material({.name = "Störfläche", .colour = {0.5, 0.1, 0.08, 1}}),
      .other = file.add_material({.name = "Dachteil ohne auswertbare Fläche", .colour = {0.5, 0.5, 0.5, 1}})};
}

GlbExtras figures_of(const RoofAnalysis& analysis, const RoofSurface& s) {
  GlbExtras extras{{"id", s.id, ""},
                   {"name", {}, s.name},
                   {"grundflaeche_m2", s.plan_area_m2, ""},
                   {"dachflaeche_m2", s.roof_area_m2, ""},
                   {"neigung_grad", s.tilt_deg, ""},
                   {"azimut_grad", s.azimuth_deg, ""},
                   {"module_moeglich", s.modules_possible(), ""},
                   {"leistung_moeglich_kwp", peak_power_kwp(analysis, s.modules_possible()), ""},
                   {"module_empfohlen", s.modules_recommended, ""},
                   {"leistung_empfohlen_kwp", peak_power_kwp(analysis, s.modules_recommended), ""}};
  if (s.building) extras.push_back({"gebaeude", *s.building, ""});
  if (s.ridge_height_m) extras.push_back({"firsthoehe_m", *s.ridge_height_m, ""});
  if (s.yield_kwh_per_kwp) extras.push_back({"ertrag_kwh_pro_kwp", *s.yield_kwh_per_kwp, ""});
  if (s.shading) extras.push_back({"verlust_mittel_pct", s.shading->mean_loss_pct, ""});
  return extras;
}

class ModelWriter {
 public:
  ModelWriter(const RoofAnalysis& analysis, const PropertyScene& scene, const SceneFrame& frame)
      : analysis_(analysis),
        scene_(scene),
        frame_(frame),
        base_m_(*std::min_element(scene.ground.values.begin(), scene.ground.values.end())),
        file_(attribution_line(all_sources(analysis, scene)), about()) {}

  Result<std::string> write() {
    const auto texture = texture_image();
    if (!texture) return tl::make_unexpected(texture.error());
    file_.set_image(*texture);
    materials_ = add_materials(file_, scene_.background.kind == BackgroundKind::orthophoto);
    root_ = file_.add_node("Grundstück", {}, {}, about());
    MeshBuilder ground = builder();
    ground.add_ground(scene_.ground);
    file_.add_node("Gelände", root_, {{ground.take(), materials_.ground}}, {});
    for (const RoofSurface& surface : analysis_.surfaces) add_surface(surface);
    add_other_roofs();
    return file_.bytes();
  }

 private:
  GlbExtras about() const {
    return {{"norden", {}, "-Z"},
            {"osten", {}, "+X"},
            {"oben", {}, "+Y"},
            {"einheit", {}, "m"},
            {"lon", scene_.centre.lon_deg, ""},
            {"lat", scene_.centre.lat_deg, ""},
            {"bezugshoehe_m", base_m_, ""},
            {"lizenz", {}, licence_line(all_sources(analysis_, scene_))}};
  }

  MeshBuilder builder() const { return {scene_.area, base_m_}; }

  Result<std::string> texture_image() const {
    const PictureBackground& image = scene_.background;
    const int longer = std::max(image.width_px, image.height_px);
    if (longer <= kTexturePixels) return image.jpeg;
    const double shrink = static_cast<double>(kTexturePixels) / longer;
    const auto part = decode_part(
        image.jpeg, {0, 0, static_cast<double>(image.width_px), static_cast<double>(image.height_px)},
        std::max(1, static_cast<int>(std::lround(image.width_px * shrink))),
        std::max(1, static_cast<int>(std::lround(image.height_px * shrink))));
    if (!part) return tl::make_unexpected(part.error());
    return encode_jpeg(*part, kTextureQuality);
  }

  /// Heights of a surface's plane, lifted.
  HeightOf plane_of(const RoofSurface& s, double lift_m) const {
    return [this, &s, lift_m](Point p) { return s.plane.height_at(frame_.to_map(p)) + lift_m; };
  }
  Eigen::Vector2d gradient_of(const RoofSurface& s) const {
    return true_gradient(s.plane, frame_.place_frame().true_per_map());
  }

  int building_node(const std::optional<int>& building) {
    const int number = building.value_or(0);
    const auto known = buildings_.find(number);
    if (known != buildings_.end()) return known->second;
    const std::string name = building ? "Gebäude " + std::to_string(number) : "Gebäude";
    return buildings_[number] = file_.add_node(name, root_, {}, {});
  }

  void add_surface(const RoofSurface& s) {
    const Polygon outline = frame_.to_scene(s.outline);
    MeshBuilder top = builder();
    top.add_face(outline, plane_of(s, 0), gradient_of(s));
    MeshBuilder rim = builder();
    rim.add_sides(outline, plane_of(s, 0), plane_of(s, -kRoofThickness_m));
    rim.add_face(outline, plane_of(s, -kRoofThickness_m), gradient_of(s), true);
    const int node = file_.add_node(s.name, building_node(s.building),
                                    {{top.take(), materials_.roof}, {rim.take(), materials_.rim}},
                                    figures_of(analysis_, s));
    const std::string name = "Fläche " + std::to_string(s.id);
    for (const bool recommended : {true, false}) add_modules(s, node, name, recommended);
    add_obstacles(s, node, name);
    MeshBuilder walls = builder();
    for (const Polygon& part : walls_plan(outline))
      walls.add_sides(part, plane_of(s, -kRoofThickness_m), ground_below(part));
    file_.add_node(name + " Wände", node, {{walls.take(), materials_.wall}}, {});
  }

  void add_modules(const RoofSurface& s, int node, const std::string& name, bool recommended) {
    MeshBuilder modules = builder();
    int count = 0;
    for (const PlacedModule& module : s.modules) {
      if (module.recommended != recommended) continue;
      const Polygon plan{.outer = frame_.to_scene(Ring(module.corners.begin(), module.corners.end()))};
      modules.add_face(plan, plane_of(s, kModuleTop_m), gradient_of(s));
      modules.add_sides(plan, plane_of(s, kModuleTop_m), plane_of(s, kModuleFoot_m));
      ++count;
    }
    if (count == 0) return;
    file_.add_node(name + (recommended ? " Module empfohlen" : " Module möglich"), node,
                   {{modules.take(), recommended ? materials_.recommended : materials_.possible}},
                   {{"module", count, ""}});
  }

  void add_obstacles(const RoofSurface& s, int node, const std::string& name) {
    MeshBuilder obstacles = builder();
    for (const Polygon& obstacle : s.obstacles)
      obstacles.add_face(frame_.to_scene(obstacle), plane_of(s, kObstacleLift_m), gradient_of(s));
    Mesh mesh = obstacles.take();
    if (!mesh.empty())
      file_.add_node(name + " Störflächen", node, {{std::move(mesh), materials_.obstacle}}, {});
  }

  /// Walls stand on the footprint, which the eaves overhang; without one, below the surface's own edges.
  std::vector<Polygon> walls_plan(const Polygon& outline) const {
    std::vector<Polygon> parts;
    double standing_m2 = 0;
    for (const Polygon& building : scene_.buildings)
      for (Polygon& part : intersection(outline, building)) {
        standing_m2 += area_m2(part);
        parts.push_back(std::move(part));
      }
    return standing_m2 >= kUnderFootprint * area_m2(outline) ? parts : std::vector<Polygon>{outline};
  }

  HeightOf ground_below(const Polygon& plan) const {
    return [z = lowest_ground(scene_.ground, plan) - kBelowGround_m](Point) { return z; };
  }

  void add_other_roofs() {
    MeshBuilder tops = builder();
    MeshBuilder walls = builder();
    for (const OtherRoof& roof : scene_.other_roofs) {
      const HeightOf height = [&](Point) { return roof.height_m; };
      tops.add_face(roof.outline, height, {0, 0});
      walls.add_sides(roof.outline, height, ground_below(roof.outline));
    }
    Mesh top = tops.take();
    if (!top.empty())
      file_.add_node("Gebäudeteile ohne auswertbare Dachfläche", root_,
                     {{std::move(top), materials_.other}, {walls.take(), materials_.wall}}, {});
  }

  const RoofAnalysis& analysis_;
  const PropertyScene& scene_;
  const SceneFrame& frame_;
  double base_m_;
  GlbFile file_;
  Materials materials_{};
  int root_ = 0;
  std::map<int, int> buildings_;  ///< by number: their nodes
};

}  // namespace

Result<std::string> write_model_glb(const RoofAnalysis& analysis, const PropertyScene& scene) {
  if (analysis.surfaces.empty())
    return fail(FailureKind::internal, "an analysis without surfaces has no model");
  if (scene.ground.values.empty()) return fail(FailureKind::internal, "a scene without ground has no model");
  const auto frame = SceneFrame::create(analysis, scene.centre);
  if (!frame) return tl::make_unexpected(frame.error());
  return ModelWriter(analysis, scene, *frame).write();
}

}  // namespace geo
