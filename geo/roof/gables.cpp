#include "geo/roof/gables.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/roof/shapes.hpp"

namespace geo {
namespace {

constexpr double kLargest_m2 = 50;  // larger halves speak for themselves
constexpr double kFlattest = 0.2, kSteepest = 1.4, kSlopeStep = 0.05;
constexpr double kOffCentre_m = 0.6, kOffCentreStep_m = 0.15;
constexpr double kGain = 4;  // in the unit of residual_cost()
constexpr std::size_t kFewest = 4;

struct Gable {
  std::array<Plane, 2> halves;  ///< the roof is the lower of the two
  double cost = 1e300;
};

double unexplained(const RoofCells& cells, std::size_t i) {
  return cells.inside[i] ? kUnexplained : kUnexplainedFringe;
}

double cost_now(const RoofSegmentation& roof) {
  double sum = 0;
  for (const RoofSegment& s : roof.segments) sum += s.borrowed ? kPerBorrowedPlane : kPerPlane;
  for (std::size_t i = 0; i < roof.cells.points.size(); ++i) {
    const double left = unexplained(roof.cells, i);
    if (const int s = roof.segment_of[i]; s >= 0) {
      const Plane& plane = roof.segments[static_cast<std::size_t>(s)].fit.plane;
      sum += std::min(left, residual_cost(residual(roof.cells.points[i], plane), roof.noise.sigma_m(plane)));
    } else {
      sum += left;
    }
  }
  return sum;
}

/// The gable's height is the median of what the cells ask for; its cost counts the slope and the ridge's
/// place as one plane and the other half as borrowed from it.
Gable gable_at(const RoofSegmentation& roof, Point middle, Point across, double slope) {
  std::vector<double> ridge_heights;
  const Line axis{middle, across};
  for (std::size_t i = 0; i < roof.cells.points.size(); ++i) {
    const HeightPoint& p = roof.cells.points[i];
    if (roof.cells.inside[i]) ridge_heights.push_back(p.z + slope * std::abs(axis.along({p.x, p.y})));
  }
  Gable gable;
  if (ridge_heights.size() < 2 * kFewest) return gable;
  const double top = median(std::move(ridge_heights));
  gable.halves = {Plane{middle.x, middle.y, top, -slope * across.x, -slope * across.y},
                  Plane{middle.x, middle.y, top, slope * across.x, slope * across.y}};
  const double sigma_m = roof.noise.sigma_m(gable.halves[0]);
  gable.cost = kPerPlane + kPerBorrowedPlane;
  for (std::size_t i = 0; i < roof.cells.points.size(); ++i) {
    const HeightPoint& p = roof.cells.points[i];
    const double height = top - slope * std::abs(axis.along({p.x, p.y}));
    gable.cost += std::min(unexplained(roof.cells, i), residual_cost(p.z - height, sigma_m));
  }
  return gable;
}

/// The rectangle's middle and its two directions, the longer first.
struct Frame {
  Point middle, along, across;
};

Frame frame_of(const Polygon& footprint) {
  const Ring& ring = footprint.outer;
  Point longest{};
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (const Point wall = ring[(i + 1) % ring.size()] - ring[i]; length(wall) > length(longest))
      longest = wall;
  const Point along = longest * (1 / length(longest));
  const Line axis{{}, along};
  Box box{1e300, 1e300, -1e300, -1e300};
  for (Point p : ring) {
    box.min_x = std::min(box.min_x, axis.along(p));
    box.max_x = std::max(box.max_x, axis.along(p));
    box.min_y = std::min(box.min_y, axis.left_of(p));
    box.max_y = std::max(box.max_y, axis.left_of(p));
  }
  const Point middle =
      axis.point((box.min_x + box.max_x) / 2) + axis.normal() * ((box.min_y + box.max_y) / 2);
  return {middle, along, axis.normal()};
}

Gable best_gable(const RoofSegmentation& roof, const Polygon& footprint, const RunControl& control) {
  const Frame frame = frame_of(footprint);
  const int off_centre = static_cast<int>(std::lround(kOffCentre_m / kOffCentreStep_m));
  const int slopes = static_cast<int>(std::lround((kSteepest - kFlattest) / kSlopeStep));
  Gable best;
  for (const Point across : {frame.across, frame.along})
    for (int o = -off_centre; o <= off_centre; ++o) {
      control.checkpoint();
      for (int s = 0; s <= slopes; ++s) {
        const Gable gable = gable_at(roof, frame.middle + across * (o * kOffCentreStep_m), across,
                                     kFlattest + s * kSlopeStep);
        if (gable.cost < best.cost) best = gable;
      }
    }
  return best;
}

/// The cells of each half, and what they say about its slope.
RoofSegmentation with_gable(const RoofSegmentation& roof, const Gable& gable) {
  RoofSegmentation out = roof;
  out.segments.assign(2, {});
  for (std::size_t i = 0; i < roof.cells.points.size(); ++i) {
    const HeightPoint& p = roof.cells.points[i];
    const bool second = residual(p, gable.halves[1]) > residual(p, gable.halves[0]);
    const Plane& plane = gable.halves[second ? 1 : 0];
    const bool explained =
        residual_cost(residual(p, plane), roof.noise.sigma_m(plane)) < unexplained(roof.cells, i);
    out.segment_of[i] = explained ? static_cast<int>(second) : -1;
  }
  gather_cells(out);
  for (std::size_t s = 0; s < 2; ++s) {
    std::vector<HeightPoint> points;
    for (int i : out.segments[s].cells) points.push_back(out.cells.points[static_cast<std::size_t>(i)]);
    out.segments[s].fit = fit_plane(points);
    out.segments[s].fit.plane = gable.halves[s];
    out.segments[s].borrowed = true;
  }
  return out;
}

}  // namespace

bool fit_small_gable(const RoofSite& site, RoofSegmentation& segmentation, const RunControl& control) {
  if (!site.from_footprints || segmentation.segments.size() > 3 || area(site.footprint) > kLargest_m2)
    return false;
  const Gable gable = best_gable(segmentation, site.footprint, control);
  if (gable.cost + kGain >= cost_now(segmentation)) return false;
  RoofSegmentation changed = with_gable(segmentation, gable);
  const bool both = std::all_of(changed.segments.begin(), changed.segments.end(),
                                [](const RoofSegment& s) { return s.cells.size() >= kFewest; });
  if (both) segmentation = std::move(changed);
  return both;
}

}  // namespace geo
