#include "geo/roof/statistics.hpp"

#include <cmath>

#include "geo/roof/regularisation.hpp"
#include "geo/shapes/angle.hpp"

namespace geo {

FitStatistics fit_statistics(const RoofSegmentation& segmentation, const RoofSegment& segment,
                             const Polygon& outline, const RoofObstacles& obstacles, const PlaceFrame& frame,
                             double plan_error_m2) {
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
  const double plan_error = plan_error_m2 * frame.area_scale();
  const double plan_area = area(outline) * frame.area_scale();
  const double stretch = std::sqrt(1 + slope * slope);
  statistics.area_error_m2 = std::hypot(plan_error * stretch, plan_area * slope / stretch * along_error);
  statistics.residual_m = segment.fit.rms_m;
  statistics.cells = segment.fit.points;
  statistics.coverage_pct = 100 * obstacles.share_on_plane().value_or(0);
  statistics.below_vegetation = obstacles.below_vegetation;
  return statistics;
}

}  // namespace geo
