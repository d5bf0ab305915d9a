#include "benchmarks/geo/city_gml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "benchmarks/geo/city_builder.hpp"
#include "benchmarks/geo/city_system.hpp"

namespace bench {
namespace {

constexpr int kDeepest = 200;  // links may go in a circle; files are some 20 deep

std::string_view without_prefix(std::string_view name) {
  return name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
}
std::string_view gml_name(const pugi::xml_node& node) { return without_prefix(node.name()); }

/// Empty where there is none. Namespaces' prefixes are each file's own.
std::string_view gml_attribute(const pugi::xml_node& node, std::string_view name) {
  for (const pugi::xml_attribute& attribute : node.attributes())
    if (without_prefix(attribute.name()) == name) return attribute.value();
  return {};
}

pugi::xml_node gml_child(const pugi::xml_node& node, std::string_view name) {
  for (const pugi::xml_node& child : node.children())
    if (gml_name(child) == name) return child;
  return {};
}

/// Of the element's name; empty where nothing declares its prefix.
std::string_view namespace_of(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  const std::string declaration =
      colon == std::string_view::npos ? "xmlns" : "xmlns:" + std::string(name.substr(0, colon));
  for (pugi::xml_node at = node; at; at = at.parent())
    if (const pugi::xml_attribute declared = at.attribute(declaration.c_str())) return declared.value();
  return {};
}

/// CityGML's version, by the element bldg:Building; empty for another Building's (INSPIRE's).
std::string_view building_version(const pugi::xml_node& node) {
  constexpr std::string_view kBegin = "http://www.opengis.net/citygml/building/";
  const std::string_view uri = namespace_of(node);
  return uri.starts_with(kBegin) ? uri.substr(kBegin.size()) : std::string_view{};
}

bool is_flat_piece(std::string_view name) {
  return name == "Polygon" || name == "PolygonPatch" || name == "Triangle" || name == "Rectangle";
}

/// Others link to metadata and to cadastres.
bool holds_surfaces(std::string_view name) {
  return name == "surfaceMember" || name == "baseSurface" || name == "lod2MultiSurface";
}

/// Other levels of detail, rooms, windows, and what has no surfaces of a building.
bool is_passed_over(std::string_view name) {
  return (name.starts_with("lod") && !name.starts_with("lod2")) || name == "lod2TerrainIntersection" ||
         name == "interiorRoom" || name == "interiorBuildingInstallation" || name == "roomInstallation" ||
         name == "opening" || name == "appearance" || name == "appearanceMember";
}

/// On the element itself or on the envelope that it is bounded by.
std::string_view system_named_at(const pugi::xml_node& node) {
  if (const auto own = gml_attribute(node, "srsName"); !own.empty()) return own;
  for (const pugi::xml_node& child : node.children())
    if (gml_name(child) == "boundedBy")
      if (const auto name = gml_attribute(gml_child(child, "Envelope"), "srsName"); !name.empty())
        return name;
  return {};
}

bool has_roof_surface(const pugi::xml_node& object) {
  return !object.find_node([](const pugi::xml_node& node) { return gml_name(node) == "RoofSurface"; })
              .empty();
}

/// False where one is no number. GML's old coordinates have commas.
bool append_numbers(std::string_view text, std::vector<double>& numbers) {
  constexpr std::string_view kBetween = " \t\r\n,";
  for (std::size_t at = text.find_first_not_of(kBetween); at < text.size();
       at = text.find_first_not_of(kBetween, at)) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    double number = 0;
    const auto parsed = std::from_chars(text.data() + at, text.data() + end, number);
    if (parsed.ec != std::errc{} || parsed.ptr != text.data() + end || !std::isfinite(number)) return false;
    numbers.push_back(number);
    at = end;
  }
  return true;
}

/// A comment parts a text in two.
std::string text_in(const pugi::xml_node& node) {
  std::string text;
  for (const pugi::xml_node& child : node.children())
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) text += child.value();
  return text;
}

/// What links lead to, by gml:id.
class LinkTargets : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node& node) override {
    if (const auto id = gml_attribute(node, "id"); !id.empty()) by_id_.emplace(id, node);
    return true;
  }
  pugi::xml_node at(std::string_view id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? pugi::xml_node{} : found->second;
  }
  bool empty() const { return by_id_.empty(); }

 private:
  std::unordered_map<std::string_view, pugi::xml_node> by_id_;
};

/// What is known of an element from those around it.
struct GmlPlace {
  std::string_view system;
  int building = -1;
  std::optional<CitySurface> surface;
  std::vector<CityPolygon>* shell = nullptr;  ///< of a solid that counts by itself
  int depth = 0;

  bool wants_polygons() const { return surface || shell; }
};

class CityGmlReader {
 public:
  CityGmlReader(std::string path, const pugi::xml_document& document)
      : path_(std::move(path)), document_(document) {}

  geo::Result<BuildingModel> read() {
    visit(document_.document_element(), {});
    if (!fault_.empty()) return city_refusal(path_, fault_);
    if (buildings_ == 0)
      return city_refusal(path_, std::string("has no bldg:Building of CityGML (its root is ") +
                                     document_.document_element().name() + ")");
    return builder_.finished(path_, crs_wkt_);
  }

 private:
  /// The first fault stays.
  void blame(const std::string& why) {
    if (fault_.empty()) fault_ = at_.empty() ? why : at_ + ": " + why;
  }

  void visit(const pugi::xml_node& node, GmlPlace place) {
    const std::string_view name = gml_name(node);
    if (!fault_.empty() || is_passed_over(name)) return;
    if (++place.depth > kDeepest) return blame("is nested too deeply, or its links go in a circle");
    if (const auto system = system_named_at(node); !system.empty()) place.system = system;
    if (place.building < 0 && name == "Building") enter_building(node, place);
    if (place.building >= 0 && (name == "Building" || name == "BuildingPart")) take_bare_solid(node, place);
    if (place.building >= 0)
      if (const auto surface = city_surface_called(name)) place.surface = surface;
    if (place.wants_polygons() && is_flat_piece(name)) return take_polygon(node, place);
    if (place.wants_polygons()) follow_link(node, place);
    for (const pugi::xml_node& child : node.children()) visit(child, place);
  }

  void enter_building(const pugi::xml_node& node, GmlPlace& place) {
    const std::string_view version = building_version(node);
    if (version.empty()) return;
    if (version != "1.0" && version != "2.0")
      return blame("is CityGML " + std::string(version) + "; 1.0 and 2.0 can be read");
    at_ = gml_attribute(node, "id");
    if (at_.empty()) at_ = "building " + std::to_string(buildings_ + 1);
    ++buildings_;
    place.building = builder_.building(at_);
  }

  /// Of a composite solid, inner faces look up, too.
  void take_bare_solid(const pugi::xml_node& object, const GmlPlace& place) {
    const pugi::xml_node around = gml_child(object, "lod2Solid"), solid = gml_child(around, "Solid");
    if (!solid || gml_child(object, "consistsOfBuildingPart") || has_roof_surface(object)) return;
    std::vector<CityPolygon> shell;
    GmlPlace inside = place;
    inside.shell = &shell;
    if (const auto system = system_named_at(solid); !system.empty()) inside.system = system;
    visit(gml_child(solid, "exterior"), inside);
    builder_.add_solid(place.building, shell);
  }

  void follow_link(const pugi::xml_node& node, const GmlPlace& place) {
    const std::string_view link = gml_attribute(node, "href");
    if (link.empty() || !holds_surfaces(gml_name(node))) return;
    if (targets_.empty()) {
      pugi::xml_node root = document_.document_element();
      root.traverse(targets_);
    }
    const pugi::xml_node target = link[0] == '#' ? targets_.at(link.substr(1)) : pugi::xml_node{};
    if (!target) return blame("names the surface " + std::string(link) + ", which is not there");
    visit(target, place);
  }

  void take_polygon(const pugi::xml_node& node, const GmlPlace& place) {
    const pugi::xml_node exterior = gml_child(node, "exterior");
    if (!exterior) return;
    CityPolygon polygon{.rings = {ring_in(exterior)}};
    for (const pugi::xml_node& child : node.children())
      if (gml_name(child) == "interior") polygon.rings.push_back(ring_in(child));
    use_system(place.system);
    if (place.surface)
      builder_.add(place.building, *place.surface, polygon);
    else
      place.shell->push_back(std::move(polygon));
  }

  CityRing ring_in(const pugi::xml_node& around) {
    std::vector<double> numbers;
    collect_corners(around, numbers);
    if (numbers.size() % 3 != 0) {
      blame("a ring has " + std::to_string(numbers.size()) + " numbers, not three for each corner");
      return {};
    }
    CityRing ring;
    for (std::size_t i = 0; i < numbers.size(); i += 3)
      ring.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    const auto same = [](const geo::HeightPoint& a, const geo::HeightPoint& b) {
      return a.x == b.x && a.y == b.y && a.z == b.z;
    };
    if (ring.size() > 1 && same(ring.front(), ring.back())) ring.pop_back();
    return ring;
  }

  void collect_corners(const pugi::xml_node& node, std::vector<double>& numbers, int depth = 0) {
    const std::string_view name = gml_name(node);
    if (name == "posList" || name == "pos" || name == "coordinates") {
      if (gml_attribute(node, "srsDimension") == "2") return blame("a ring has no heights");
      if (!append_numbers(text_in(node), numbers)) blame("a ring has corners that are no numbers");
      return;
    }
    if (depth > kDeepest) return blame("is nested too deeply");
    for (const pugi::xml_node& child : node.children()) collect_corners(child, numbers, depth + 1);
  }

  /// A model has one system, however often and in how many spellings it is named.
  void use_system(std::string_view name) {
    if (names_of_system_.contains(name)) return;
    if (name.empty()) return blame("no system of coordinates is named around it (srsName)");
    const auto system = city_system(std::string(name));
    if (!system) return blame(system.error().text);
    if (!crs_wkt_.empty() && crs_wkt_ != *system)
      return blame("has another system of coordinates, " + std::string(name) + ", than those before it");
    crs_wkt_ = *system;
    names_of_system_.emplace(name);
  }

  std::string path_, crs_wkt_;
  const pugi::xml_document& document_;
  std::string at_;  ///< the building that is being read
  std::string fault_;
  int buildings_ = 0;
  std::set<std::string, std::less<>> names_of_system_;
  LinkTargets targets_;
  CityModelBuilder builder_;
};

}  // namespace

geo::Result<BuildingModel> read_city_gml(const std::string& path, std::string bytes) {
  pugi::xml_document document;
  if (const auto parsed = document.load_buffer_inplace(bytes.data(), bytes.size()); !parsed)
    return city_refusal(path, std::string("is not XML as it should be (") + parsed.description() +
                                  " at byte " + std::to_string(parsed.offset) + ")");
  return CityGmlReader(path, document).read();
}

}  // namespace bench
