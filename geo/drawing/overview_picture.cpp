// The overview: all surfaces with modules in one picture.
#include <algorithm>

#include "geo/drawing/german_text.hpp"
#include "geo/drawing/label_placement.hpp"
#include "geo/drawing/map_symbols.hpp"
#include "geo/drawing/outline_algebra.hpp"
#include "geo/drawing/picture_area.hpp"
#include "geo/drawing/pictures.hpp"

namespace geo {
namespace {

using Surfaces = std::vector<const RoofSurface*>;

Surfaces occupied(const RoofAnalysis& analysis) {
  Surfaces out;
  for (const RoofSurface& surface : analysis.surfaces)
    if (surface.modules_possible() > 0) out.push_back(&surface);
  return out;
}

std::vector<Fact> totals_of(const RoofAnalysis& analysis) {
  const Totals& t = analysis.totals;
  std::vector<Fact> facts{
      {"Möglich", module_count(t.modules_possible)},
      {"Leistung möglich", german_number(peak_power_kwp(analysis, t.modules_possible), 2) + " kWp"},
      {"Empfohlen", module_count(t.design_modules)},
      {"Leistung empfohlen", german_number(peak_power_kwp(analysis, t.design_modules), 2) + " kWp"},
      {"Dachfläche", german_number(t.roof_area_m2, 1) + " m²"},
      {"Gebäude", german_number(t.buildings, 0)}};
  if (t.design_yield_kwh) facts.push_back({"Ertrag im Jahr", german_number(*t.design_yield_kwh, 0) + " kWh"});
  return facts;
}

/// "Südwest, 38°: 24 Module (10 empfohlen), 10,56 kWp"
std::string line_of(const RoofAnalysis& analysis, const RoofSurface& s) {
  std::string line = direction_name(s.tilt_deg, s.azimuth_deg) + ", " + german_number(s.tilt_deg, 0) +
                     "°: " + module_count(s.modules_possible());  // no break between a number and its unit
  if (s.modules_recommended > 0) line += " (" + german_number(s.modules_recommended, 0) + "\u00A0empfohlen)";
  line += ", " + german_number(peak_power_kwp(analysis, s.modules_possible()), 2) + "\u00A0kWp";
  if (analysis.totals.buildings > 1 && s.building) line += ", Gebäude\u00A0" + std::to_string(*s.building);
  return line;
}

/// Without footprints the buildings' outlines are the surfaces' own.
bool has_footprints(const PropertyScene& scene) {
  return std::any_of(scene.sources.begin(), scene.sources.end(),
                     [](const Source& source) { return source.kind == name_of(DataKind::buildings); });
}

std::vector<LegendEntry> surface_list(const RoofAnalysis& analysis, const Surfaces& surfaces) {
  std::vector<LegendEntry> entries;
  for (const RoofSurface* s : surfaces)
    entries.push_back(
        {[id = s->id](SvgElement& parent, const PixelBox& box) {
           draw_number(parent, {box.x + box.width / 2, box.y + box.height / 2}, box.height * 0.56, id);
         },
         line_of(analysis, *s)});
  return entries;
}

std::vector<LegendEntry> legend_of(const RoofAnalysis& analysis, const PropertyScene& scene,
                                   const TypeScale& type) {
  using Box = const PixelBox&;
  std::vector<LegendEntry> entries;
  if (analysis.totals.design_modules > 0)
    entries.push_back({[&](SvgElement& p, Box b) { module_symbol(p, b, type, true); }, "Modul empfohlen"});
  if (analysis.totals.design_modules < analysis.totals.modules_possible)
    entries.push_back({[&](SvgElement& p, Box b) { module_symbol(p, b, type, false); }, "Modul möglich"});
  entries.push_back({[&](SvgElement& p, Box b) { outline_symbol(p, b, type); }, "Belegte Dachfläche"});
  if (has_footprints(scene))
    entries.push_back({[&](SvgElement& p, Box b) { building_symbol(p, b, type); }, "Gebäude"});
  if (std::any_of(analysis.surfaces.begin(), analysis.surfaces.end(),
                  [](const RoofSurface& s) { return s.modules_possible() > 0 && !s.obstacles.empty(); }))
    entries.push_back({[&](SvgElement& p, Box b) { obstacle_symbol(p, b, type); }, "Störfläche"});
  return entries;
}

/// Numbers stand in the middle of their surfaces; where that is too narrow, beside them with a line.
void draw_numbers(MapLayer& map, const Surfaces& surfaces) {
  LabelPlacement labels(map.view.frame());
  const double radius = map.type.base * 0.8;
  struct Number {
    int id;
    Point anchor, centre;
  };
  std::vector<Number> numbers;
  for (const RoofSurface* s : surfaces) {
    const Point anchor = map.view.to_px(middle_of(map.frame.to_scene(s->outline)));
    const PixelBox box = labels.place(anchor, 2 * radius, 2 * radius);
    numbers.push_back({s->id, anchor, {box.x + radius, box.y + radius}});
  }
  for (const Number& n : numbers) {
    if (n.anchor == n.centre) continue;
    map.group.line(n.anchor, n.centre).set("stroke", "#ffffff").set("stroke-width", map.type.line * 3);
    map.group.line(n.anchor, n.centre).set("stroke", "#1b2733").set("stroke-width", map.type.line * 1.4);
  }
  for (const Number& n : numbers) draw_number(map.group, n.centre, radius, n.id);
}

Box shown_area(const RoofAnalysis& analysis, const SceneFrame& frame) {
  Box all;
  for (const RoofSurface& surface : analysis.surfaces)
    all = all.united(bounding_box(frame.to_scene(surface.outline.outer)));
  return picture_area(all);
}

}  // namespace

Result<std::string> draw_overview_svg(const RoofAnalysis& analysis, const PropertyScene& scene,
                                      int width_px) {
  if (analysis.surfaces.empty())
    return fail(FailureKind::internal, "an analysis without surfaces has no picture");
  const auto frame = SceneFrame::create(analysis, scene.centre);
  if (!frame) return tl::make_unexpected(frame.error());
  const PictureMetadata metadata = overview_metadata(analysis, scene);
  const Surfaces surfaces = occupied(analysis);

  Page page(std::clamp(width_px, kNarrowestPicture_px, kWidestPicture_px), metadata);
  add_patterns(page.defs(), page.type());
  page.title("Dachübersicht");
  page.facts(totals_of(analysis));
  const Box area = shown_area(analysis, *frame);
  PixelBox box;
  SvgElement group = page.map((area.max_y - area.min_y) / (area.max_x - area.min_x), box);
  const MapView view(area, box);
  MapLayer map{group, view, *frame, page.type()};
  if (const auto drawn = draw_background(group, view, scene); !drawn)
    return tl::make_unexpected(drawn.error());
  std::vector<Polygon> outlines;
  for (const RoofSurface* s : surfaces) outlines.push_back(frame->to_scene(s->outline));
  draw_veil(map, outlines);
  for (const RoofSurface* s : surfaces) {
    SvgElement part = group.child("g").set("id", "surface-" + std::to_string(s->id));
    MapLayer layer{part, view, *frame, page.type()};
    draw_modules(layer, *s);
    draw_obstacles(layer, *s);
    draw_surface_outline(layer, *s);
  }
  // Drawn over the modules, which would leave only bits of the footprints visible below the eaves.
  if (has_footprints(scene)) draw_buildings(map, scene.buildings);
  draw_numbers(map, surfaces);
  page.map_margin(view);
  page.legend(surface_list(analysis, surfaces));
  page.legend(legend_of(analysis, scene, page.type()));
  page.small_print("Quellen: " + metadata.rights);
  return page.finish();
}

}  // namespace geo
