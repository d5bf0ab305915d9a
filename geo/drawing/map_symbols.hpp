// How roofs, modules, edges, obstacles and measuring points look, on the map and in its legend. What must be
// told apart differs by form as well as by colour: a recommended module is dark and shows its cells, a merely
// possible one is hatched with a dashed edge; the ridge is one line, the eaves are dashed.
#pragma once
#include "geo/drawing/page.hpp"
#include "geo/drawing/roof_edges.hpp"
#include "geo/drawing/scene_frame.hpp"

namespace geo {

/// The patterns that the others refer to; once per picture.
void add_patterns(SvgElement& defs, const TypeScale& type);

/// A map and what is needed to draw on it.
struct MapLayer {
  SvgElement& group;
  const MapView& view;
  const SceneFrame& frame;
  const TypeScale& type;
};

/// Pales everything but the outlines.
void draw_veil(MapLayer& map, const std::vector<Polygon>& outlines);
void draw_surface_outline(MapLayer& map, const RoofSurface& surface);
void draw_modules(MapLayer& map, const RoofSurface& surface);
void draw_obstacles(MapLayer& map, const RoofSurface& surface);
void draw_edges(MapLayer& map, const std::vector<RoofEdge>& edges);
void draw_measuring_points(MapLayer& map, const RoofSurface& surface);
void draw_buildings(MapLayer& map, const std::vector<Polygon>& buildings);
/// A small box with a text in its middle.
void draw_label(MapLayer& map, const PixelBox& box, const std::string& text, double size, const char* colour);
/// A dark disc with the surface's number.
void draw_number(SvgElement& parent, Point centre, double radius, int number);

// For the legend.
void module_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type, bool recommended);
void edge_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type, EdgeKind kind);
void outline_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type);
void obstacle_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type);
void point_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type);
void building_symbol(SvgElement& parent, const PixelBox& box, const TypeScale& type);

}  // namespace geo
