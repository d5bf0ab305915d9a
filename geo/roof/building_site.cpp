#include "geo/roof/building_site.hpp"

#include <ogr_geometry.h>

#include <algorithm>
#include <cmath>

#include "geo/grid/cell_block.hpp"
#include "geo/grid/grid_window.hpp"
#include "geo/property/cell_figures.hpp"
#include "geo/shapes/overlay.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr double kMargin_m = 4;  // room for the overhang, its drop, and the lines that end there
constexpr double kLowestOnFootprint_m =
    1.5;  // above the terrain: a footprint shows a building, e.g. a carport

/// The cells in `window` (map metres), in local metres.
Grid<float> window_of(const Grid<float>& grid, const Box& window, Point offset) {
  Grid<float> part = cells_in(grid, window);
  part.west -= offset.x, part.north -= offset.y;
  return part;
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
  return is_near_neighbour(site, p, distance) ? RoofZone::outside : RoofZone::fringe;
}

}  // namespace

RoofSite make_roof_site(const Grid<float>& dsm, const Grid<float>& terrain,
                        const std::vector<Building>& buildings, int building,
                        const RoofDetectionOptions& options, const RunControl& control) {
  RoofSite site;
  const Building& own = buildings[building];
  site.building = building;
  site.from_footprints = own.from_footprints || own.rectangle;
  site.rectangle = own.rectangle;
  site.cells = options.cells.value_or(CellKind::unknown);
  site.highest_of_m2 = options.highest_of_m2;
  if (own.footprint.outer.size() < 3) return site;
  const Box map_box = bounding_box(own.footprint.outer).grown(kMargin_m);
  site.offset = {std::floor(map_box.min_x), std::floor(map_box.min_y)};
  site.height = window_of(dsm, map_box, site.offset);
  if (site.height.values.empty()) return {};
  site.ground = window_of(terrain, map_box, site.offset);
  const Point to_local = Point{} - site.offset;
  site.footprint = translated(own.footprint, to_local);
  if (own.rectangle && returns_that_count(options.highest_of_m2, dsm.cell_m) > 1)
    site.footprint = without_reached_cells(site.footprint, dsm.cell_m);
  for (std::size_t i = 0; i < buildings.size(); ++i)
    if (static_cast<int>(i) != building && buildings[i].footprint.outer.size() >= 3 &&
        bounding_box(buildings[i].footprint.outer).overlaps(map_box))
      site.neighbours.push_back(translated(buildings[i].footprint, to_local));
  // An outline that was itself read from the heights may miss cells of the roof, above all steep ones.
  const double reach_m = kMostOverhang_m + (site.from_footprints ? 0.25 : 1.5) * site.height.cell_m;
  const double low_m = site.from_footprints ? kLowestOnFootprint_m : kLowestRoof_m;
  site.zone = site.height.like<RoofZone>(RoofZone::outside);
  for (const auto [col, row] : all_cells(site.zone)) {
    control.checkpoint();  // a footprint may have thousands of corners, and each cell asks for its distance
    if (site.height.at(col, row) - site.ground.at(col, row) >= low_m)
      site.zone.at(col, row) = zone_of(site, site.zone.centre(col, row), reach_m);
  }
  return site;
}

bool is_near_neighbour(const RoofSite& site, Point p, double reach_m) {
  return std::any_of(site.neighbours.begin(), site.neighbours.end(), [&](const Polygon& n) {
    return contains(n, p) || (reach_m > 0 && bounding_box(n.outer).grown(reach_m).contains(p) &&
                              distance_to_boundary(n, p) < reach_m);
  });
}

}  // namespace geo
