#include "geo/drawing/map_symbols.hpp"

#include "geo/drawing/german_text.hpp"

namespace geo {
namespace {

constexpr const char* kNavy = "#10305c";
constexpr const char* kCell = "#9dbdea";
constexpr const char* kWhite = "#ffffff";
constexpr const char* kRidge = "#c92a2a";
constexpr const char* kEaves = "#0b6e7f";
constexpr const char* kPoint = "#e8590c";
constexpr const char* kBuilding = "#ffd43b";

std::string dashes(const TypeScale& type, double on, double off) {
  return plain_number(on * type.line, 2) + " " + plain_number(off * type.line, 2);
}

void style_recommended(SvgElement& element, const TypeScale& type) {
  element.set("fill", kNavy)
      .set("fill-opacity", 0.94)
      .set("stroke", kWhite)
      .set("stroke-width", type.line * 0.7);
}

void style_possible(SvgElement& element, const TypeScale& type) {
  element.set("fill", "url(#possible)").set("stroke", kNavy).set("stroke-width", type.line);
  element.set("stroke-dasharray", dashes(type, 3.2, 2));
}

/// A line on a photograph: white beneath, so that it stands out of any roof.
void cased(SvgElement& parent, Point from, Point to, const TypeScale& type, EdgeKind kind) {
  parent.line(from, to)
      .set("stroke", kWhite)
      .set("stroke-width", type.line * 4.6)
      .set("stroke-linecap", "round");
  SvgElement line = parent.line(from, to);
  line.set("class", kind == EdgeKind::ridge ? "ridge" : "eaves");
  line.set("stroke", kind == EdgeKind::ridge ? kRidge : kEaves).set("stroke-width", type.line * 2.8);
  if (kind == EdgeKind::eaves) line.set("stroke-dasharray", dashes(type, 7, 3.5));
}

void outline_path(SvgElement& parent, const std::string& path, const TypeScale& type, const char* name) {
  parent.child("path")
      .set("d", path)
      .set("fill", "none")
      .set("stroke", kWhite)
      .set("stroke-width", type.line * 3.4);
  SvgElement line = parent.child("path").set("class", name).set("d", path);
  line.set("fill", "none").set("stroke", kInk).set("stroke-width", type.line * 1.6);
}

void obstacle_style(SvgElement& element, const TypeScale& type) {
  element.set("fill", "url(#obstacle)").set("stroke", kInk).set("stroke-width", type.line);
}

void building_style(SvgElement& element, const TypeScale& type) {
  element.set("fill", "none").set("stroke", kBuilding).set("stroke-width", type.line * 1.6);
  element.set("stroke-dasharray", dashes(type, 1.6, 2.4)).set("stroke-linecap", "square");
}

Point between(Point a, Point b, double t) { return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }

/// A hint of a module's cells, in either orientation: one line up the slope and two along the eaves.
std::string cell_lines(const Ring& corners) {
  std::string path;
  const auto stroke = [&](Point a, Point b) {
    path += "M" + plain_number(a.x, 2) + " " + plain_number(a.y, 2) + "L" + plain_number(b.x, 2) + " " +
            plain_number(b.y, 2);
  };
  stroke(between(corners[0], corners[1], 0.5), between(corners[3], corners[2], 0.5));
  for (const double t : {1 / 3.0, 2 / 3.0})
    stroke(between(corners[0], corners[3], t), between(corners[1], corners[2], t));
  return path;
}

void point_mark(SvgElement& parent, Point centre, const TypeScale& type) {
  parent.circle(centre, type.line * 3)
      .set("class", "measuring-point")
      .set("fill", kWhite)
      .set("stroke", kPoint)
      .set("stroke-width", type.line * 1.8);
}

Ring corners_px(const PlacedModule& module, const MapLayer& map) {
  return map.view.to_px(map.frame.to_scene(Ring(module.corners.begin(), module.corners.end())));
}

}  // namespace

void add_patterns(SvgElement& defs, const TypeScale& type) {
  const double step = type.line * 4.5;
  for (const bool module : {true, false}) {
    SvgElement pattern = defs.child("pattern").set("id", module ? "possible" : "obstacle");
    pattern.set("width", step).set("height", step).set("patternUnits", "userSpaceOnUse");
    pattern.set("patternTransform", module ? "rotate(45)" : "rotate(-45)");
    pattern.rect(0, 0, step, step)
        .set("fill", module ? "#e4eefc" : "#ced4da")
        .set("fill-opacity", module ? 0.72 : 0.8);
    pattern.rect(0, 0, step * (module ? 0.2 : 0.5), step).set("fill", module ? "#4c7fc4" : kInk);
  }
}

void draw_veil(MapLayer& map, const std::vector<Polygon>& outlines) {
  const PixelBox& f = map.view.frame();
  std::string path =
      closed_path({{{f.x, f.y}, {f.right(), f.y}, {f.right(), f.bottom()}, {f.x, f.bottom()}}});
  for (const Polygon& outline : outlines) path += map.view.path(outline);
  map.group.child("path")
      .set("d", path)
      .set("fill", kWhite)
      .set("fill-opacity", 0.38)
      .set("fill-rule", "evenodd");
}

void draw_surface_outline(MapLayer& map, const RoofSurface& surface) {
  outline_path(map.group, map.view.path(map.frame.to_scene(surface.outline)), map.type, "outline");
}

void draw_modules(MapLayer& map, const RoofSurface& surface) {
  for (const bool recommended : {false, true}) {
    SvgElement group = map.group.child("g").set("class", recommended ? "recommended" : "possible");
    recommended ? style_recommended(group, map.type) : style_possible(group, map.type);
    std::string cells;
    for (const PlacedModule& module : surface.modules) {
      if (module.recommended != recommended) continue;
      const Ring corners = corners_px(module, map);
      group.child("path").set("class", "module").set("d", closed_path({corners}));
      if (recommended) cells += cell_lines(corners);
    }
    if (cells.empty()) continue;
    SvgElement lines = map.group.child("path").set("class", "cells").set("d", cells);
    lines.set("fill", "none").set("stroke", kCell).set("stroke-width", map.type.line * 0.45);
  }
}

void draw_obstacles(MapLayer& map, const RoofSurface& surface) {
  for (const Polygon& obstacle : surface.obstacles) {
    SvgElement path = map.group.child("path").set("class", "obstacle");
    path.set("d", map.view.path(map.frame.to_scene(obstacle)));
    obstacle_style(path, map.type);
  }
}

void draw_edges(MapLayer& map, const std::vector<RoofEdge>& edges) {
  for (const RoofEdge& edge : edges)
    cased(map.group, map.view.to_px(edge.from), map.view.to_px(edge.to), map.type, edge.kind);
}

void draw_measuring_points(MapLayer& map, const RoofSurface& surface) {
  if (!surface.shading) return;
  for (const PointLoss& point : surface.shading->points)
    point_mark(map.group, map.view.to_px(map.frame.to_scene(point.place)), map.type);
}

void draw_buildings(MapLayer& map, const std::vector<Polygon>& buildings) {
  for (const Polygon& building : buildings) {
    const std::string outline = map.view.path(building);
    map.group.child("path")
        .set("d", outline)
        .set("fill", "none")
        .set("stroke", kInk)
        .set("stroke-width", map.type.line * 3);
    SvgElement path = map.group.child("path").set("class", "building").set("d", outline);
    building_style(path, map.type);
  }
}

void draw_label(MapLayer& map, const PixelBox& box, const std::string& text, double size,
                const char* colour) {
  map.group.rect(box.x, box.y, box.width, box.height)
      .set("rx", box.height * 0.3)
      .set("fill", kWhite)
      .set("fill-opacity", 0.93)
      .set("stroke", colour)
      .set("stroke-width", map.type.line * 0.8);
  add_text(map.group, {box.x + box.width / 2, box.y + box.height / 2 + size * 0.36}, size, text, colour,
           Weight::bold, "middle")
      .set("class", "label");
}

void draw_number(SvgElement& parent, Point centre, double radius, int number) {
  parent.circle(centre, radius).set("fill", kInk).set("stroke", kWhite).set("stroke-width", radius * 0.16);
  const std::string text = std::to_string(number);
  const double size = radius * (text.size() > 2 ? 0.85 : 1.15);
  add_text(parent, {centre.x, centre.y + size * 0.36}, size, text, kWhite, Weight::bold, "middle")
      .set("class", "number");
}

void module_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type, bool recommended) {
  const double width = box.height * 0.66;
  const double x = box.x + (box.width - width) / 2;
  const Ring corners{{x, box.bottom()}, {x + width, box.bottom()}, {x + width, box.y}, {x, box.y}};
  SvgElement path = parent.child("path").set("d", closed_path({corners}));
  recommended ? style_recommended(path, type) : style_possible(path, type);
  if (!recommended) return;
  SvgElement cells = parent.child("path").set("d", cell_lines(corners));
  cells.set("fill", "none").set("stroke", kCell).set("stroke-width", type.line * 0.45);
}

void edge_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type, EdgeKind kind) {
  const double y = box.y + box.height / 2;
  cased(parent, {box.x, y}, {box.right(), y}, type, kind);
}

void outline_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type) {
  outline_path(
      parent,
      closed_path(
          {{{box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}}}),
      type, "sample");
}

void obstacle_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type) {
  SvgElement rect = parent.rect(box.x + box.width * 0.2, box.y, box.width * 0.6, box.height);
  obstacle_style(rect, type);
}

void point_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type) {
  point_mark(parent, {box.x + box.width / 2, box.y + box.height / 2}, type);
}

void building_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type) {
  const double y = box.y + box.height / 2;
  parent.line({box.x, y}, {box.right(), y}).set("stroke", kInk).set("stroke-width", type.line * 3);
  SvgElement line = parent.line({box.x, y}, {box.right(), y});
  building_style(line, type);
}

}  // namespace geo
