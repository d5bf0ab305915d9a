#include "geo/roof/building_site.hpp"

#include <ogr_geometry.h>

#include <algorithm>
#include <cmath>

#include "geo/property/cell_figures.hpp"
#include "geo/shapes/overlay.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr double kMargin_m = 4;  // room for the overhang, its drop, and the lines that end there

template <class T>
Grid<T> window_of(const Grid<T>& grid, int col0, int row0, int width, int height, Point offset) {
  Grid<T> out(width, height, grid.west + col0 * grid.cell_m - offset.x,
              grid.north - row0 * grid.cell_m - offset.y, grid.cell_m);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) out.at(col, row) = grid.at(col0 + col, row0 + row);
  return out;
}

/// A rectangle that was fitted as if cells were means reaches half a cell too far on each side where they
/// hold the highest return. Its eaves are measured outwards from what is left.
Polygon without_reached_cells(const Polygon& rectangle, double cell_m) {
  const Point origin = rectangle.outer[0];
  const OverlayShape less(overlay_shape(rectangle, origin)->Buffer(-cell_m / 2, 1));
  std::vector<Polygon> parts;
  if (less) append_overlay(*less, origin, parts);
  return parts.size() == 1 ? parts[0] : rectangle;
}

RoofZone zone_of(const RoofSite& site, Point p, double reach_m) {
  if (contains(site.footprint, p)) return RoofZone::inside;
  const double distance = distance_to_boundary(site.footprint, p);
  if (distance > reach_m) return RoofZone::outside;
  for (const Polygon& neighbour : site.neighbours)
    if (contains(neighbour, p) || distance_to_boundary(neighbour, p) < distance) return RoofZone::outside;
  return RoofZone::fringe;
}

}  // namespace

RoofSite make_roof_site(const Grid<float>& dsm, const Grid<float>& terrain,
                        const std::vector<Building>& buildings, int building,
                        const RoofDetectionOptions& options, const RunControl& control) {
  RoofSite site;
  const Building& own = buildings[static_cast<std::size_t>(building)];
  site.building = building;
  site.from_footprints = own.from_footprints || own.rectangle;
  site.rectangle = own.rectangle;
  if (own.footprint.outer.size() < 3) return site;
  const Box map_box = bounding_box(own.footprint.outer).grown(kMargin_m);
  const int col0 = std::clamp(dsm.col_of(map_box.min_x), 0, dsm.width);
  const int col1 = std::clamp(dsm.col_of(map_box.max_x) + 1, 0, dsm.width);
  const int row0 = std::clamp(dsm.row_of(map_box.max_y), 0, dsm.height);
  const int row1 = std::clamp(dsm.row_of(map_box.min_y) + 1, 0, dsm.height);
  if (col0 >= col1 || row0 >= row1) return site;
  site.offset = {std::floor(map_box.min_x), std::floor(map_box.min_y)};
  site.height = window_of(dsm, col0, row0, col1 - col0, row1 - row0, site.offset);
  site.ground = window_of(terrain, col0, row0, col1 - col0, row1 - row0, site.offset);
  const Point to_local = Point{} - site.offset;
  site.footprint = translated(own.footprint, to_local);
  if (own.rectangle && returns_that_count(options.highest_of_m2, dsm.cell_m) > 1)
    site.footprint = without_reached_cells(site.footprint, dsm.cell_m);
  for (std::size_t i = 0; i < buildings.size(); ++i)
    if (static_cast<int>(i) != building && buildings[i].footprint.outer.size() >= 3 &&
        bounding_box(buildings[i].footprint.outer).overlaps(map_box))
      site.neighbours.push_back(translated(buildings[i].footprint, to_local));
  // An outline that was itself read from the heights may miss cells of the roof, above all steep ones.
  const double reach_m = options.max_overhang_m + (site.from_footprints ? 0.25 : 1.5) * site.height.cell_m;
  const double low_m = site.from_footprints ? options.min_footprint_height_m : options.min_height_m;
  site.zone = site.height.like<RoofZone>(RoofZone::outside);
  for (int row = 0; row < site.zone.height; ++row) {
    control.checkpoint();  // a footprint may have thousands of corners, and each cell asks for its distance
    for (int col = 0; col < site.zone.width; ++col)
      if (site.height.at(col, row) - site.ground.at(col, row) >= low_m)
        site.zone.at(col, row) = zone_of(site, site.zone.centre(col, row), reach_m);
  }
  return site;
}

bool is_on_neighbour(const RoofSite& site, Point p) {
  return std::any_of(site.neighbours.begin(), site.neighbours.end(),
                     [p](const Polygon& n) { return contains(n, p); });
}

}  // namespace geo
