#include "http/web/pages/overview_html.hpp"

#include <pugixml.hpp>
#include <sstream>
#include <vector>

#include "geo/drawing/german_text.hpp"

namespace http {
namespace {

constexpr std::string_view kSurfaceId = "surface-";

pugi::xml_node by_id(const pugi::xml_node& root, const char* id) {
  return root.find_node(
      [id](const pugi::xml_node& node) { return node.attribute("id").value() == std::string_view(id); });
}

void set_attribute(pugi::xml_node node, const char* name, const std::string& value) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) attribute = node.append_attribute(name);
  attribute.set_value(value.c_str());
}

/// A link around the surface, with its outline on top to be pointed at.
void link_surface(pugi::xml_node surface) {
  const std::string number = std::string(surface.attribute("id").value()).substr(kSurfaceId.size());
  pugi::xml_node link = surface.parent().insert_child_before("a", surface);
  set_attribute(link, "class", "roof-surface");
  set_attribute(link, "id", "bild-flaeche-" + number);
  set_attribute(link, "href", "#flaeche-" + number);
  set_attribute(link, "data-flaeche", number);
  set_attribute(link, "aria-label", "Fläche " + number);
  link.append_move(surface);
  surface.remove_attribute("id");
  const auto outline = surface.find_node([](const pugi::xml_node& node) {
    return std::string_view(node.name()) == "path" &&
           node.attribute("class").value() == std::string_view("outline");
  });
  pugi::xml_node hit = link.append_child("path");
  set_attribute(hit, "class", "hit");
  set_attribute(hit, "d", outline.attribute("d").value());
}

std::vector<pugi::xml_node> surfaces_of(const pugi::xml_node& map) {
  struct Finder : pugi::xml_tree_walker {
    std::vector<pugi::xml_node> found;
    bool for_each(pugi::xml_node& node) override {
      if (std::string_view(node.attribute("id").value()).starts_with(kSurfaceId)) found.push_back(node);
      return true;
    }
  } finder;
  pugi::xml_node root = map;
  root.traverse(finder);
  return finder.found;
}

/// What is drawn beside the map says in words what the page says, too.
void keep_map_alone(pugi::xml_node svg, const pugi::xml_node& map) {
  std::vector<pugi::xml_node> others;
  for (const pugi::xml_node child : svg.children())
    if (child != map && std::string_view(child.name()) != "defs") others.push_back(child);
  for (const pugi::xml_node& child : others) svg.remove_child(child);
}

/// The scale bar's first rectangle is as long as the metres that it names.
std::string width_in_metres(const pugi::xml_node& svg, double width) {
  const pugi::xml_node bar = by_id(svg, "scale-bar");
  const double metres = bar.attribute("data-metres").as_double();
  const double pixels = bar.child("rect").attribute("width").as_double();
  return metres > 0 && pixels > 0 ? geo::german_number(width / pixels * metres, 0) : std::string("–");
}

}  // namespace

Overview overview_html(const std::string& svg) {
  pugi::xml_document document;
  if (!document.load_buffer(svg.data(), svg.size())) return {};
  pugi::xml_node root = document.child("svg");
  const pugi::xml_node frame = by_id(root, "map-frame").child("rect");
  pugi::xml_node map = by_id(root, "map");
  while (map && map.parent() != root) map = map.parent();
  if (!root || !frame || !map) return {};
  Overview overview;
  overview.width_m = width_in_metres(root, frame.attribute("width").as_double());
  const std::string title = root.child("title").text().get();
  std::string box;
  for (const char* name : {"x", "y", "width", "height"})
    box += (box.empty() ? "" : " ") + std::string(frame.attribute(name).value());
  keep_map_alone(root, map);
  for (const pugi::xml_node& surface : surfaces_of(map)) link_surface(surface);
  for (const char* name : {"width", "height", "xmlns", "xmlns:xlink", "version", "xml:lang"})
    root.remove_attribute(name);
  set_attribute(root, "viewBox", box);
  set_attribute(root, "role", "group");
  set_attribute(root, "aria-label", title);
  for (auto image =
           document.find_node([](const pugi::xml_node& n) { return bool(n.attribute("xlink:href")); });
       image;
       image = document.find_node([](const pugi::xml_node& n) { return bool(n.attribute("xlink:href")); })) {
    set_attribute(image, "href", image.attribute("xlink:href").value());
    image.remove_attribute("xlink:href");
  }
  std::ostringstream out;
  root.print(out, "", pugi::format_raw | pugi::format_no_declaration);
  overview.html = out.str();
  return overview;
}

}  // namespace http
