#include "benchmarks/geo/city_json.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "benchmarks/geo/city_builder.hpp"
#include "benchmarks/geo/city_system.hpp"

namespace bench {
namespace {

using JsonElement = simdjson::dom::element;
using JsonArray = simdjson::dom::array;
using JsonObject = simdjson::dom::object;

/// By the number of the surface in a geometry's semantics.
using SurfaceKinds = std::vector<std::optional<CitySurface>>;
using Parents = std::unordered_map<std::string_view, std::string_view>;

constexpr int kMostGenerations = 8;  // a broken file's parents may go in a circle

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool is_part_of_buildings(std::string_view type) {
  return type == "Building" || type == "BuildingPart" || type == "BuildingInstallation";
}

/// A number in version 1.0, a string since.
double level_of_detail(const JsonElement& geometry) {
  JsonElement level;
  if (geometry["lod"].get(level)) return 0;
  double value = 0;
  std::string_view text;
  if (!level.get(text))
    std::from_chars(text.data(), text.data() + text.size(), value);
  else if (level.get(value))
    return 0;
  return value;
}

bool says_what_is_roof(const JsonElement& geometry) {
  JsonObject semantics;
  return !geometry["semantics"].get(semantics);
}

std::optional<JsonElement> geometry_to_read(const JsonArray& geometries) {
  std::optional<JsonElement> best;
  std::pair<bool, double> best_rank;
  for (const JsonElement geometry : geometries) {
    const std::pair rank{says_what_is_roof(geometry), level_of_detail(geometry)};
    if (rank.second < 2 || rank.second >= 3 || (best && rank <= best_rank)) continue;
    best = geometry;
    best_rank = rank;
  }
  return best;
}

/// How many lists are around a face; 0 for what has none.
int depth_of_faces(std::string_view type) {
  if (type == "MultiSurface" || type == "CompositeSurface") return 1;
  if (type == "Solid") return 2;
  if (type == "MultiSolid" || type == "CompositeSolid") return 3;
  return 0;
}

SurfaceKinds kinds_of(const JsonArray& surfaces) {
  SurfaceKinds kinds;
  for (const JsonElement surface : surfaces)
    kinds.push_back(city_surface_called(surface["type"].get_string().value()));
  return kinds;
}

Parents parents_in(const JsonObject& objects) {
  Parents parents;
  for (const auto field : objects) {
    JsonArray of;
    if (!field.value["parents"].get(of) && of.size() > 0)
      parents.emplace(field.key, of.at(0).get_string().value());
  }
  return parents;
}

std::string_view root_of(std::string_view id, const Parents& parents) {
  for (int i = 0; i < kMostGenerations; ++i) {
    const auto parent = parents.find(id);
    if (parent == parents.end()) break;
    id = parent->second;
  }
  return id;
}

bool has_parts(const JsonElement& object) {
  JsonArray children;
  return !object["children"].get(children) && children.size() > 0;
}

/// simdjson's exceptions (something is missing, or is of another kind than it should be) end in read().
class CityJsonReader {
 public:
  explicit CityJsonReader(std::string path) : path_(std::move(path)) {}

  geo::Result<BuildingModel> read(std::string_view text) {
    try {
      read_text(text);
    } catch (const simdjson::simdjson_error& error) {
      blame(error.what());
    }
    if (!fault_.empty()) return city_refusal(path_, fault_);
    return builder_.finished(path_, crs_wkt_);
  }

 private:
  /// The first fault stays.
  void blame(const std::string& why) {
    if (fault_.empty()) fault_ = at_.empty() ? why : at_ + ": " + why;
  }
  bool parse(std::string_view text, JsonElement& json) {
    const auto error = parser_.parse(text.data(), text.size()).get(json);
    if (error) blame(std::string("is not JSON as it should be (") + simdjson::error_message(error) + ")");
    return !error;
  }

  /// A sequence's first line is a whole document, and more follows.
  void read_text(std::string_view text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view rest = text.substr(end);
    JsonElement json;
    if (is_blank(rest) || parser_.parse(text.data(), end).get(json)) {
      if (parse(text, json)) read_header(json), read_objects(json);
      return;
    }
    read_header(json);
    read_objects(json);
    read_lines(rest.substr(1));
  }

  void read_lines(std::string_view rest) {
    for (int number = 2; !rest.empty() && fault_.empty(); ++number) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (is_blank(line)) continue;
      at_ = "line " + std::to_string(number);
      JsonElement json;
      if (!parse(line, json)) return;
      std::string_view type;
      if (json["type"].get(type) || type != "CityJSONFeature") return blame("is no CityJSONFeature");
      read_objects(json);
    }
  }

  void read_header(const JsonElement& json) {
    std::string_view type, version;
    if (json["type"].get(type)) type = {};
    if (type == "CityJSONFeature")
      return blame("begins with a CityJSONFeature; the line before it, with the transform, is missing");
    if (type != "CityJSON") return blame("is JSON, but no CityJSON");
    if (json["version"].get(version)) version = "of no version";
    if (!version.starts_with("1.0") && !version.starts_with("1.1") && !version.starts_with("2.0"))
      return blame("is CityJSON " + std::string(version) + "; 1.0, 1.1 and 2.0 can be read");
    read_transform(json, version);
    std::string_view name;
    if (json["metadata"]["referenceSystem"].get(name))
      return blame("names no system of coordinates (metadata.referenceSystem)");
    const auto system = city_system(std::string(name));
    if (!system) return blame(system.error().text);
    crs_wkt_ = *system;
  }

  /// Version 1.0 may write metres.
  void read_transform(const JsonElement& json, std::string_view version) {
    JsonObject transform;
    if (json["transform"].get(transform)) {
      if (!version.starts_with("1.0")) blame("has no transform");
      return;
    }
    scale_ = three_of(transform["scale"]);
    translate_ = three_of(transform["translate"]);
  }

  std::array<double, 3> three_of(const JsonElement& list) {
    std::array<double, 3> three{};
    std::size_t count = 0;
    for (const JsonElement number : list.get_array())
      if (count++ < three.size()) three[count - 1] = number.get_double().value();
    if (count != three.size()) blame("has a list of " + std::to_string(count) + " numbers in place of three");
    return three;
  }

  void read_vertices(const JsonArray& list) {
    vertices_.clear();
    for (const JsonElement vertex : list) {
      const std::array<double, 3> v = three_of(vertex);
      vertices_.push_back({v[0] * scale_[0] + translate_[0], v[1] * scale_[1] + translate_[1],
                           v[2] * scale_[2] + translate_[2]});
    }
  }

  void read_objects(const JsonElement& json) {
    if (!fault_.empty()) return;
    read_vertices(json["vertices"]);
    const JsonObject objects = json["CityObjects"];
    const Parents parents = parents_in(objects);
    for (const auto field : objects) {
      at_ = field.key;
      if (!is_part_of_buildings(field.value["type"].get_string().value())) continue;
      read_object(field.value, builder_.building(std::string(root_of(field.key, parents))));
      if (!fault_.empty()) return;
    }
  }

  void read_object(const JsonElement& object, int building) {
    JsonArray geometries;
    if (object["geometry"].get(geometries)) return;
    const auto geometry = geometry_to_read(geometries);
    if (!geometry) return;
    const std::string_view type = (*geometry)["type"].get_string().value();
    const int depth = depth_of_faces(type);
    if (depth == 0) return;
    JsonObject semantics;
    if (!(*geometry)["semantics"].get(semantics))
      read_faces((*geometry)["boundaries"], semantics["values"], depth, kinds_of(semantics["surfaces"]),
                 building);
    else if (type == "Solid" && !has_parts(object))  // its parts would be there twice
      read_bare_solid((*geometry)["boundaries"], building);
  }

  void read_faces(const JsonElement& faces, const JsonElement& values, int depth, const SurfaceKinds& kinds,
                  int building) {
    if (values.is_null() || !fault_.empty()) return;
    if (depth == 0) {
      const std::uint64_t kind = values.get_uint64().value();
      if (kind >= kinds.size())
        return blame("a face is of kind " + std::to_string(kind) + ", and its semantics has " +
                     std::to_string(kinds.size()));
      if (kinds[kind]) builder_.add(building, *kinds[kind], polygon_of(faces));
      return;
    }
    const JsonArray inner = faces, inner_values = values;
    if (inner.size() != inner_values.size())
      return blame("its semantics has " + std::to_string(inner_values.size()) + " values for " +
                   std::to_string(inner.size()) + " faces or shells");
    auto value = inner_values.begin();
    for (const JsonElement face : inner) {
      read_faces(face, *value, depth - 1, kinds, building);
      ++value;
    }
  }

  void read_bare_solid(const JsonArray& shells, int building) {
    if (shells.size() == 0) return;
    std::vector<CityPolygon> shell;
    for (const JsonElement face : shells.at(0).get_array()) shell.push_back(polygon_of(face));
    builder_.add_solid(building, shell);
  }

  CityPolygon polygon_of(const JsonElement& face) {
    CityPolygon polygon;
    for (const JsonElement ring : face.get_array()) {
      CityRing& corners = polygon.rings.emplace_back();
      for (const JsonElement number : ring.get_array()) {
        const std::uint64_t i = number.get_uint64().value();
        if (i < vertices_.size())
          corners.push_back(vertices_[i]);
        else
          blame("a face has vertex " + std::to_string(i) + ", and there are " +
                std::to_string(vertices_.size()));
      }
    }
    return polygon;
  }

  std::string path_, crs_wkt_;
  std::string at_;  ///< the line or the object that is being read
  std::string fault_;
  simdjson::dom::parser parser_;
  std::array<double, 3> scale_{1, 1, 1}, translate_{0, 0, 0};
  std::vector<geo::HeightPoint> vertices_;
  CityModelBuilder builder_;
};

}  // namespace

geo::Result<BuildingModel> read_city_json(const std::string& path, std::string_view text) {
  return CityJsonReader(path).read(text);
}

}  // namespace bench
