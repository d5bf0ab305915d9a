// Planes fitted to cells, by least squares and robustly (Tukey's biweight, Beaton & Tukey 1974), and how well
// the cells determine them. Local metres.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "geo/shapes/plane.hpp"

namespace geo {

struct HeightPoint : Point {
  double z = 0;
};

/// Height above (+) or below a plane.
inline double residual(const HeightPoint& p, const Plane& plane) { return p.z - plane.height_at(p); }

struct PlaneFit {
  Plane plane;
  int points = 0;    ///< those that carry weight
  double rms_m = 0;  ///< weighted, about the plane
  /// A point's standard deviation. Of a robust fit it is larger than rms_m, because points that are weighted
  /// down are uncertain, too (Huber 1981, "Robust Statistics").
  double sigma_m = 0;
  /// Of (z0, gx, gy): times sigma_m squared it is their covariance.
  Eigen::Matrix3d cofactor = Eigen::Matrix3d::Zero();
  bool ok = false;  ///< false when the points do not span a plane
};

PlaneFit fit_plane(const std::vector<HeightPoint>& points);
PlaneFit fit_plane(const std::vector<HeightPoint>& points, const std::vector<double>& weights);

/// `trust`: weight of each point before its residual is known. `sigma_m`: the least spread the caller
/// expects; the robust scale of the residuals is used when larger.
PlaneFit fit_plane_robust(const std::vector<HeightPoint>& points, const std::vector<double>& trust,
                          double sigma_m);

/// z0 alone, with the slope given: the median of the heights less the slope.
Plane level_plane(const std::vector<HeightPoint>& points, double gx, double gy);

double median(std::vector<double> values);

}  // namespace geo
