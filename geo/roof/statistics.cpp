#include "geo/roof/statistics.hpp"

#include <cmath>

#include "geo/roof/regularisation.hpp"
#include "geo/shapes/angle.hpp"

namespace geo {
namespace {

/// How well an eave or a verge is located.
struct EdgeError {
  double fixed_m, of_a_cell;
  double in_cells_of(double cell_m) const { return std::hypot(fixed_m, of_a_cell * cell_m); }
};
constexpr EdgeError kWithWall{0.03, 0.0975}, kFromHeights{0.03, 0.1347};

/// Standard deviation of the outline's area when each edge is displaced independently.
double area_error(const Polygon& outline, double edge_error_m) {
  double squares = 0;
  auto add = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      squares += squared(length(ring[(i + 1) % ring.size()] - ring[i]) * edge_error_m);
  };
  add(outline.outer);
  for (const Ring& hole : outline.holes) add(hole);
  return std::sqrt(squares);
}

}  // namespace

FitStatistics fit_statistics(const RoofSegmentation& segmentation, const RoofSegment& segment,
                             const Polygon& outline, const RoofObstacles& obstacles, const PlaceFrame& frame,
                             bool from_footprints) {
  FitStatistics statistics;
  const Eigen::Vector2d gradient = true_gradient(segment.fit.plane, frame.true_per_map());
  const double slope = gradient.norm();
  const Eigen::Matrix2d covariance = stated_gradient_covariance(segment, segmentation.noise);
  const Eigen::Vector2d along = slope > 1e-6 ? Eigen::Vector2d(gradient / slope) : Eigen::Vector2d(0, 1);
  const Eigen::Vector2d across(-along.y(), along.x());
  const double along_error = std::sqrt(along.dot(covariance * along));
  const double across_error = std::sqrt(across.dot(covariance * across));
  statistics.tilt_error_deg = along_error / (1 + slope * slope) / kDegree;
  statistics.azimuth_error_deg = std::min(180.0, std::atan2(across_error, slope) / kDegree);
  const double plan_error =
      area_error(outline,
                 (from_footprints ? kWithWall : kFromHeights).in_cells_of(segmentation.cells.index.cell_m)) *
      frame.area_scale();
  const double plan_area = area(outline) * frame.area_scale();
  const double stretch = std::sqrt(1 + slope * slope);
  statistics.area_error_m2 = std::hypot(plan_error * stretch, plan_area * slope / stretch * along_error);
  statistics.residual_m = segment.fit.rms_m;
  statistics.cells = segment.fit.points;
  statistics.coverage_pct = obstacles.cells ? 100.0 * obstacles.cells_on_plane / obstacles.cells : 0;
  statistics.below_vegetation = obstacles.below_vegetation;
  return statistics;
}

}  // namespace geo
