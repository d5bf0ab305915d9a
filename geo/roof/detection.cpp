#include "geo/roof/detection.hpp"

#include <algorithm>
#include <cmath>

#include "geo/roof/building_site.hpp"
#include "geo/roof/clip.hpp"
#include "geo/roof/eaves.hpp"
#include "geo/roof/faces.hpp"
#include "geo/roof/hips.hpp"
#include "geo/roof/lines.hpp"
#include "geo/roof/mansards.hpp"
#include "geo/roof/map.hpp"
#include "geo/roof/obstacles.hpp"
#include "geo/roof/outline_error.hpp"
#include "geo/roof/partition.hpp"
#include "geo/roof/regularisation.hpp"
#include "geo/roof/segments.hpp"
#include "geo/roof/small_building.hpp"
#include "geo/roof/statistics.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr double kLineReach_m = 1.3;  // how far a line goes on beyond its support to meet the next
constexpr double kListed_m2 = 4;      // plan area from which a surface is listed
constexpr double kMinCoverage = 0.5;
constexpr double kMinCoverageOfStrip = 0.6;
constexpr double kSteep = 1.19;         // 50 degrees
constexpr double kWidestStrip_m = 2.5;  // as mean_width_m()

RoofPartition cut_plan(const RoofSite& site, const std::vector<RoofLine>& lines, const RunControl& control) {
  const Grid<float>& g = site.height;
  // Rough outlines leave more of an eave unsupported.
  const double reach_m = site.from_footprints ? kLineReach_m : 1.5 * kLineReach_m;
  RoofPartition partition({g.west, g.north - g.height * g.cell_m, g.west + g.width * g.cell_m, g.north});
  for (const RoofLine& l : lines) {
    control.checkpoint();
    partition.cut(l.line, std::max(l.first, l.from - reach_m), std::min(l.last, l.to + reach_m));
  }
  return partition;
}

/// A building's roof before its surfaces end at the neighbours', and what their figures are made from.
struct Roof {
  RoofSite site;
  RoofSegmentation segmentation;
  std::vector<SegmentOutline> outlines;
};

/// A surface and the plane's segment in its building's roof.
struct DetectedSurface {
  RoofPlane plane;
  int segment = 0;
  bool is_shown = false;  ///< by its cells
};

/// Whether the cells within the outline show the surface. A steep plane can pass through a strip of cells
/// that walls and eaves mix, and be near some of them. So more of a steep strip's cells must lie on it, those
/// at its edges too. A hip was already compared with what the cells would be without it (hips.hpp).
bool is_shown(const RoofSegment& segment, const Polygon& outline, const RoofObstacles& obstacles) {
  if (obstacles.share_on_plane().value_or(0) < kMinCoverage) return false;
  const bool steep = segment.fit.plane.slope() > kSteep;
  if (!steep || segment.hip || mean_width_m(outline) > kWidestStrip_m) return true;
  return obstacles.cells_on_plane >= kMinCoverageOfStrip * obstacles.all_cells;
}

/// What lies within the outline: obstacles, statistics, and whether the cells show the surface. `outline` in
/// local metres.
void describe(const Roof& roof, const PlaceFrame& frame, const Polygon& outline, DetectedSurface& surface) {
  const RoofSite& site = roof.site;
  const RoofSegment& segment = roof.segmentation.segments[surface.segment];
  const RoofObstacles obstacles =
      find_obstacles(site.height, segment.fit.plane, outline, roof.segmentation.noise);
  surface.is_shown = is_shown(segment, outline, obstacles);
  RoofPlane& out = surface.plane;
  out.outline = translated(outline, site.offset);
  out.obstacles.clear();
  for (const Polygon& shape : obstacles.shapes) out.obstacles.push_back(translated(shape, site.offset));
  const double area_error_m2 =
      plan_area_error_m2(site, roof.segmentation, roof.outlines, surface.segment, outline, obstacles);
  out.fit = fit_statistics(roof.segmentation, segment, outline, obstacles, frame, area_error_m2);
}

DetectedSurface detected_surface(const Roof& roof, const SegmentOutline& outline, const RoofEaves& eaves,
                                 const PlaceFrame& frame) {
  DetectedSurface out{.segment = outline.segment};
  out.plane.building = roof.site.building;
  out.plane.plane = roof.segmentation.segments[outline.segment].fit.plane;
  out.plane.plane.x0 += roof.site.offset.x;
  out.plane.plane.y0 += roof.site.offset.y;
  for (const Polygon& strip : eaves.strips_over_neighbours())
    out.plane.over_neighbours.push_back(translated(strip, roof.site.offset));
  describe(roof, frame, outline.outline, out);
  return out;
}

/// The surfaces of one roof, regardless of what stands beside it.
std::vector<DetectedSurface> surfaces_of(Roof& roof, const PlaceFrame& frame, const RunControl& control) {
  const RoofSite& site = roof.site;
  RoofSegmentation& segmentation = roof.segmentation;
  segmentation = segment_roof(site, control);
  const bool whole = fit_small_building(site, segmentation, control);
  if (segmentation.segments.empty()) return {};
  if (!whole) {
    if (!site.from_footprints) fit_mansards(site, segmentation, control);
    add_hips(segmentation, control);
  }
  regularise(site, segmentation);
  const RoofMap map = make_roof_map(site, segmentation);
  const RoofEaves eaves = roof_eaves(site, segmentation, map);
  const RoofPartition partition = cut_plan(site, roof_lines(site, segmentation, map, eaves), control);
  roof.outlines = label_faces(site, segmentation, map, eaves, partition, control);
  std::vector<DetectedSurface> surfaces;
  for (const SegmentOutline& outline : roof.outlines) {
    if (area(outline.outline) * frame.area_scale() < kListed_m2) continue;
    DetectedSurface surface = detected_surface(roof, outline, eaves, frame);
    if (surface.is_shown) surfaces.push_back(std::move(surface));
  }
  return surfaces;
}

/// Each surface clipped at its neighbours, with the figures of what is left.
std::vector<RoofPlane> clipped(const std::vector<DetectedSurface>& surfaces, const std::vector<Roof>& roofs,
                               const std::vector<Building>& buildings, const PlaceFrame& frame,
                               const RunControl& control) {
  std::vector<RoofPlane> whole, out;
  for (const DetectedSurface& surface : surfaces) whole.push_back(surface.plane);
  const double min_area_m2 = kListed_m2 / frame.area_scale();
  for (const ClippedOutline& part : end_at_neighbours(whole, buildings, min_area_m2, control)) {
    DetectedSurface surface = surfaces[part.plane];
    if (!(part.outline == surface.plane.outline)) {
      const Roof& roof = roofs[surface.plane.building];
      describe(roof, frame, translated(part.outline, Point{} - roof.site.offset), surface);
      surface.plane.outline = part.outline;  // to the last digit, so that neighbours share their edges
    }
    if (surface.is_shown) out.push_back(std::move(surface.plane));
  }
  return out;
}

}  // namespace

std::vector<RoofPlane> detect_roof_planes(const Grid<float>& dsm, const Grid<float>& terrain,
                                          const std::vector<Building>& buildings, const PlaceFrame& frame,
                                          const RoofDetectionOptions& options, const RunControl& control) {
  RoofDetectionOptions known = options;
  if (!known.cells) known.cells = cell_kind(dsm);
  std::vector<Roof> roofs(buildings.size());
  std::vector<DetectedSurface> surfaces;
  for (std::size_t i = 0; i < buildings.size(); ++i) {
    control.checkpoint();
    roofs[i].site = make_roof_site(dsm, terrain, buildings, static_cast<int>(i), known, control);
    if (roofs[i].site.height.width == 0) continue;
    for (DetectedSurface& surface : surfaces_of(roofs[i], frame, control))
      surfaces.push_back(std::move(surface));
  }
  return clipped(surfaces, roofs, buildings, frame, control);
}

}  // namespace geo
