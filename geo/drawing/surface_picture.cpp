// The occupancy image of one surface.
#include <algorithm>
#include <cmath>

#include "geo/drawing/german_text.hpp"
#include "geo/drawing/label_placement.hpp"
#include "geo/drawing/map_symbols.hpp"
#include "geo/drawing/picture_area.hpp"
#include "geo/drawing/pictures.hpp"

namespace geo {
namespace {

constexpr const char* kRidgeColour = "#c92a2a";
constexpr const char* kEavesColour = "#0b6e7f";
constexpr const char* kPointColour = "#b54708";
constexpr double kNamesEdgesFrom_px = 400;  // narrower pictures leave the edges' names to the legend

std::vector<Fact> facts_of(const RoofAnalysis& analysis, const RoofSurface& s) {
  const int possible = s.modules_possible();
  std::vector<Fact> facts{
      {"Neigung", german_number(s.tilt_deg, 1) + "°"},
      {"Azimut", german_number(s.azimuth_deg, 1) + "° " + direction_name(s.tilt_deg, s.azimuth_deg)},
      {"Möglich", module_count(possible)},
      {"Leistung möglich", german_number(peak_power_kwp(analysis, possible), 2) + " kWp"},
      {"Empfohlen", module_count(s.modules_recommended)},
      {"Dachfläche", german_number(s.roof_area_m2, 1) + " m²"}};
  if (s.yield_kwh_per_kwp)
    facts.push_back({"Ertrag im Jahr", german_number(*s.yield_kwh_per_kwp, 0) + " kWh/kWp"});
  if (s.shading) facts.push_back({"Verschattung", german_number(s.shading->mean_loss_pct, 1) + " %"});
  return facts;
}

std::vector<LegendEntry> legend_of(const RoofSurface& s, const std::vector<RoofEdge>& edges,
                                   const TypeScale& type) {
  using Box = const PixelBox&;
  std::vector<LegendEntry> entries;
  const auto has = [&](EdgeKind kind) {
    return std::any_of(edges.begin(), edges.end(), [&](const RoofEdge& edge) { return edge.kind == kind; });
  };
  const std::string lie = s.portrait ? " (hoch)" : " (quer)";
  if (s.modules_recommended > 0)
    entries.push_back(
        {[&](SvgElement& p, Box b) { module_symbol(p, b, type, true); }, "Modul empfohlen" + lie});
  if (s.modules_recommended < s.modules_possible())
    entries.push_back(
        {[&](SvgElement& p, Box b) { module_symbol(p, b, type, false); }, "Modul möglich" + lie});
  entries.push_back({[&](SvgElement& p, Box b) { outline_symbol(p, b, type); }, "Umriss der Fläche"});
  if (has(EdgeKind::ridge))
    entries.push_back({[&](SvgElement& p, Box b) { edge_symbol(p, b, type, EdgeKind::ridge); }, "First"});
  if (has(EdgeKind::eaves))
    entries.push_back({[&](SvgElement& p, Box b) { edge_symbol(p, b, type, EdgeKind::eaves); }, "Traufe"});
  if (!s.obstacles.empty())
    entries.push_back({[&](SvgElement& p, Box b) { obstacle_symbol(p, b, type); }, "Störfläche"});
  if (s.shading)
    entries.push_back({[&](SvgElement& p, Box b) { point_symbol(p, b, type); }, "Verschattungsverlust"});
  return entries;
}

/// Names the longest ridge and eaves, outside the roof.
void label_edges(MapLayer& map, const std::vector<RoofEdge>& edges, LabelPlacement& labels) {
  for (const EdgeKind kind : {EdgeKind::ridge, EdgeKind::eaves}) {
    const RoofEdge* longest = nullptr;
    const auto length = [](const RoofEdge& e) { return std::hypot(e.to.x - e.from.x, e.to.y - e.from.y); };
    for (const RoofEdge& edge : edges)
      if (edge.kind == kind && (!longest || length(edge) > length(*longest))) longest = &edge;
    if (!longest) continue;
    const Point a = map.view.to_px(longest->from);
    const Point b = map.view.to_px(longest->to);
    const char* text = kind == EdgeKind::ridge ? "First" : "Traufe";
    const double size = map.type.small;
    // Outside of a counter-clockwise outline lies to the right of its edges; on the page y runs down.
    const Point outward{-(b.y - a.y), b.x - a.x};
    const PixelBox box =
        labels.place({(a.x + b.x) / 2, (a.y + b.y) / 2}, text_width(text, size, Weight::bold) + size,
                     size * 1.5, size * 0.8, outward);
    draw_label(map, box, text, size, kind == EdgeKind::ridge ? kRidgeColour : kEavesColour);
  }
}

void label_points(MapLayer& map, const RoofSurface& surface, LabelPlacement& labels) {
  if (!surface.shading) return;
  const double radius = map.type.line * 4;
  std::vector<Point> points;
  Point middle;
  for (const PointLoss& loss : surface.shading->points) {
    const Point p = map.view.to_px(map.frame.to_scene(loss.place));
    points.push_back(p);
    middle = {middle.x + p.x / static_cast<double>(surface.shading->points.size()),
              middle.y + p.y / static_cast<double>(surface.shading->points.size())};
    labels.keep_free({p.x - radius, p.y - radius, 2 * radius, 2 * radius});
  }
  const double size = map.type.small;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string text = german_number(surface.shading->points[i].loss_pct, 1) + " %";
    const Point away{points[i].x - middle.x, points[i].y - middle.y};
    const bool centre = std::hypot(away.x, away.y) < 2 * radius;
    const PixelBox box = labels.place(points[i], text_width(text, size, Weight::bold) + size * 0.7,
                                      size * 1.4, radius * 1.3, centre ? Point{0, 1} : away);
    draw_label(map, box, text, size, kPointColour);
  }
}

}  // namespace

Result<std::string> draw_surface_svg(const RoofAnalysis& analysis, int surface_id, const PropertyScene& scene,
                                     int width_px) {
  const auto metadata = surface_metadata(analysis, surface_id, scene);
  if (!metadata) return tl::make_unexpected(metadata.error());
  const auto frame = SceneFrame::create(analysis, scene.centre);
  if (!frame) return tl::make_unexpected(frame.error());
  const RoofSurface& surface = *surface_of(analysis, surface_id);
  const Polygon outline = frame->to_scene(surface.outline);
  const auto edges =
      ridge_and_eaves(outline.outer, true_gradient(surface.plane, frame->place_frame().true_per_map()));

  Page page(std::clamp(width_px, kNarrowestPicture_px, kWidestPicture_px), *metadata);
  add_patterns(page.defs(), page.type());
  page.title(surface.name);
  page.facts(facts_of(analysis, surface));
  const Box area = picture_area(bounding_box(outline.outer));
  PixelBox box;
  SvgElement group = page.map((area.max_y - area.min_y) / (area.max_x - area.min_x), box);
  const MapView view(area, box);
  MapLayer map{group, view, *frame, page.type()};
  if (const auto drawn = draw_background(group, view, scene); !drawn)
    return tl::make_unexpected(drawn.error());
  draw_veil(map, {outline});
  draw_modules(map, surface);
  draw_obstacles(map, surface);
  draw_surface_outline(map, surface);
  draw_edges(map, edges);
  draw_measuring_points(map, surface);
  LabelPlacement labels(box);
  label_points(map, surface, labels);
  if (width_px >= kNamesEdgesFrom_px) label_edges(map, edges, labels);
  page.map_margin(view);
  page.legend(legend_of(surface, edges, page.type()));
  page.small_print("Azimut: Süd 0°, Ost negativ, West positiv. Das Raster zeigt, was geometrisch passt.");
  page.small_print("Quellen: " + metadata->rights);
  return page.finish();
}

}  // namespace geo
