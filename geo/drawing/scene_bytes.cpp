#include "geo/drawing/scene_bytes.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace geo {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;

Json json_of(const Ring& ring) {
  Json out = Json::array();
  for (const Point& p : ring) {
    out.push_back(p.x);
    out.push_back(p.y);
  }
  return out;
}

Json json_of(const Polygon& polygon) {
  Json out = Json::array({json_of(polygon.outer)});
  for (const Ring& hole : polygon.holes) out.push_back(json_of(hole));
  return out;
}

Json json_of(const Source& s) {
  const Json year = s.year ? Json(*s.year) : Json();
  const Json cell = s.cell_m ? Json(*s.cell_m) : Json();
  return Json::array({s.kind, s.name, s.provider, s.licence, s.attribution, s.url, year, cell});
}

long centimetres(float height) { return std::lround(height * kCentimetres); }

Json json_of(const Grid<float>& grid) {
  const long base = grid.values.empty() ? 0 : centimetres(grid.values.front());
  Json heights = Json::array();
  for (const float height : grid.values) heights.push_back(centimetres(height) - base);
  return {{"width", grid.width}, {"height", grid.height}, {"west", grid.west}, {"north", grid.north},
          {"cell", grid.cell_m}, {"base", base},          {"heights", heights}};
}

Ring ring_of(const Json& json) {
  Ring ring;
  for (std::size_t i = 0; i + 1 < json.size(); i += 2)
    ring.push_back({json.at(i).get<double>(), json.at(i + 1).get<double>()});
  return ring;
}

Polygon polygon_of(const Json& json) {
  Polygon polygon{.outer = ring_of(json.at(0))};
  for (std::size_t i = 1; i < json.size(); ++i) polygon.holes.push_back(ring_of(json.at(i)));
  return polygon;
}

Source source_from(const Json& json) {
  Source s;
  std::size_t i = 0;
  for (std::string* field : {&s.kind, &s.name, &s.provider, &s.licence, &s.attribution, &s.url})
    json.at(i++).get_to(*field);
  if (!json.at(6).is_null()) s.year = json.at(6).get<int>();
  if (!json.at(7).is_null()) s.cell_m = json.at(7).get<double>();
  return s;
}

Grid<float> grid_of(const Json& json) {
  const Json& heights = json.at("heights");
  Grid<float> grid;
  grid.width = json.at("width").get<int>();
  grid.height = json.at("height").get<int>();
  grid.west = json.at("west").get<double>();
  grid.north = json.at("north").get<double>();
  grid.cell_m = json.at("cell").get<double>();
  if (grid.width < 1 || grid.height < 1 || !(grid.cell_m > 0) ||
      heights.size() != static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height))
    throw std::runtime_error("the ground has not as many heights as cells");
  const long base = json.at("base").get<long>();
  for (const Json& height : heights)
    grid.values.push_back(static_cast<float>(static_cast<double>(base + height.get<long>()) / kCentimetres));
  return grid;
}

PictureBackground background_of(const Json& json) {
  PictureBackground out;
  out.kind = json.at("kind") == "orthophoto" ? BackgroundKind::orthophoto : BackgroundKind::relief;
  out.width_px = json.at("width").get<int>();
  out.height_px = json.at("height").get<int>();
  const auto& jpeg = json.at("jpeg").get_binary();
  out.jpeg.assign(jpeg.begin(), jpeg.end());
  return out;
}

PropertyScene scene_of(const Json& json) {
  if (json.at("version").get<int>() > kVersion) throw std::runtime_error("it is of a newer version");
  PropertyScene scene;
  scene.centre = {json.at("centre").at(0).get<double>(), json.at("centre").at(1).get<double>()};
  const Json& area = json.at("area");
  scene.area = {area.at(0).get<double>(), area.at(1).get<double>(), area.at(2).get<double>(),
                area.at(3).get<double>()};
  scene.background = background_of(json.at("background"));
  scene.ground = grid_of(json.at("ground"));
  for (const Json& building : json.at("buildings")) scene.buildings.push_back(polygon_of(building));
  for (const Json& roof : json.at("other_roofs"))
    scene.other_roofs.push_back({polygon_of(roof.at("shape")), roof.at("height").get<double>()});
  for (const Json& source : json.at("sources")) scene.sources.push_back(source_from(source));
  return scene;
}

}  // namespace

std::string scene_bytes(const PropertyScene& scene) {
  const PictureBackground& image = scene.background;
  Json json{{"version", kVersion},
            {"centre", {scene.centre.lon_deg, scene.centre.lat_deg}},
            {"area", {scene.area.min_x, scene.area.min_y, scene.area.max_x, scene.area.max_y}},
            {"ground", json_of(scene.ground)},
            {"buildings", Json::array()},
            {"other_roofs", Json::array()},
            {"sources", Json::array()}};
  json["background"] = {{"kind", image.kind == BackgroundKind::orthophoto ? "orthophoto" : "relief"},
                        {"width", image.width_px},
                        {"height", image.height_px},
                        {"jpeg", Json::binary({image.jpeg.begin(), image.jpeg.end()})}};
  for (const Polygon& building : scene.buildings) json["buildings"].push_back(json_of(building));
  for (const OtherRoof& roof : scene.other_roofs)
    json["other_roofs"].push_back({{"shape", json_of(roof.outline)}, {"height", roof.height_m}});
  for (const Source& source : scene.sources) json["sources"].push_back(json_of(source));
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

Result<PropertyScene> scene_from_bytes(std::string_view bytes) {
  try {
    return scene_of(Json::from_cbor(bytes.begin(), bytes.end()));
  } catch (const std::exception& error) {  // nlohmann-json's and ours
    return fail(FailureKind::internal, std::string("a stored scene is unreadable: ") + error.what());
  }
}

}  // namespace geo
