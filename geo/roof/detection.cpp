#include "geo/roof/detection.hpp"

#include <algorithm>

#include "geo/roof/clip.hpp"
#include "geo/roof/eaves.hpp"
#include "geo/roof/faces.hpp"
#include "geo/roof/gables.hpp"
#include "geo/roof/hips.hpp"
#include "geo/roof/lines.hpp"
#include "geo/roof/mansards.hpp"
#include "geo/roof/map.hpp"
#include "geo/roof/obstacles.hpp"
#include "geo/roof/partition.hpp"
#include "geo/roof/regularisation.hpp"
#include "geo/roof/segments.hpp"
#include "geo/roof/site.hpp"
#include "geo/roof/splinters.hpp"
#include "geo/roof/statistics.hpp"

namespace geo {
namespace {

constexpr double kLineReach_m = 1.3;  // beyond its support a line goes on so far to meet the next
constexpr double kMinCoverage = 0.5;

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

RoofPlane roof_plane(const RoofSite& site, const RoofSegmentation& segmentation,
                     const SegmentOutline& surface, const RoofEaves& eaves, const PlaceFrame& frame) {
  const RoofSegment& segment = segmentation.segments[static_cast<std::size_t>(surface.segment)];
  const RoofObstacles obstacles =
      find_obstacles(site.height, segment.fit.plane, surface.outline, segmentation.noise);
  RoofPlane out;
  out.building = site.building;
  out.plane = segment.fit.plane;
  out.plane.x0 += site.offset.x;
  out.plane.y0 += site.offset.y;
  out.outline = translated(surface.outline, site.offset);
  for (const Polygon& shape : obstacles.shapes) out.obstacles.push_back(translated(shape, site.offset));
  for (const Polygon& strip : eaves.strips_over_neighbours())
    out.over_neighbours.push_back(translated(strip, site.offset));
  out.fit = fit_statistics(segmentation, segment, surface.outline, obstacles, frame, site.from_footprints);
  return out;
}

void add_roof(const RoofSite& site, const PlaceFrame& frame, const RoofDetectionOptions& options,
              const RunControl& control, std::vector<RoofPlane>& planes) {
  RoofSegmentation segmentation = segment_roof(site, options, control);
  const bool gable = fit_small_gable(site, segmentation, control);
  if (segmentation.segments.empty()) return;
  if (!gable) {
    if (!site.from_footprints) fit_mansards(site, segmentation, control);
    add_hips(segmentation, control);
  }
  regularise(site, segmentation);
  const RoofMap map = make_roof_map(site, segmentation);
  const RoofEaves eaves = roof_eaves(site, segmentation, map, options);
  const RoofPartition partition = cut_plan(site, roof_lines(site, segmentation, map, eaves), control);
  std::vector<SegmentOutline> surfaces = label_faces(site, segmentation, map, eaves, partition, control);
  if (!site.from_footprints) remove_splinters(site, segmentation, surfaces);
  for (const SegmentOutline& surface : surfaces) {
    if (area(surface.outline) * frame.area_scale() < options.min_area_m2) continue;
    RoofPlane plane = roof_plane(site, segmentation, surface, eaves, frame);
    if (plane.fit.coverage_pct >= 100 * kMinCoverage) planes.push_back(std::move(plane));
  }
}

}  // namespace

std::vector<RoofPlane> detect_roof_planes(const Grid<float>& dsm, const Grid<float>& terrain,
                                          const std::vector<Building>& buildings, const PlaceFrame& frame,
                                          const RoofDetectionOptions& options, const RunControl& control) {
  std::vector<RoofPlane> planes;
  for (std::size_t i = 0; i < buildings.size(); ++i) {
    control.checkpoint();
    const RoofSite site = make_roof_site(dsm, terrain, buildings, static_cast<int>(i), options, control);
    if (site.height.width > 0) add_roof(site, frame, options, control, planes);
  }
  return end_at_neighbours(planes, buildings, options.min_area_m2 / frame.area_scale(), control);
}

}  // namespace geo
