#include "geo/roof/fit.hpp"

#include <algorithm>
#include <cmath>

namespace geo {
namespace {

constexpr double kTukey = 4.685;  // 95 % efficient for normal errors
constexpr double kMadToSigma = 1.4826;

/// Spread for the covariance of an M-estimator with Tukey's function: E[psi^2] / E[psi']^2 (Huber 1981).
double robust_sigma_m(const std::vector<HeightPoint>& points, const std::vector<double>& trust,
                      const Plane& plane, double scale_m) {
  double squares = 0, slopes = 0, weights = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = residual(points[i], plane), u = r / (kTukey * scale_m);
    if (std::abs(u) >= 1) continue;
    const double inner = 1 - u * u;
    squares += trust[i] * trust[i] * r * r * inner * inner * inner * inner;
    slopes += trust[i] * inner * (1 - 5 * u * u);
    weights += trust[i] * inner * inner;
  }
  return slopes > 0.3 * weights ? std::sqrt(squares * weights) / slopes : std::sqrt(squares / weights) / 0.3;
}

Eigen::Vector3d vector(const HeightPoint& p) { return {p.x, p.y, p.z}; }

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

PlaneFit fit_plane(const std::vector<HeightPoint>& points, const std::vector<double>& weights) {
  PlaneFit fit;
  double sum = 0;
  Eigen::Vector3d mean(0, 0, 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum += weights[i];
    mean += weights[i] * vector(points[i]);
    fit.points += weights[i] > 0;
  }
  if (fit.points < 3 || sum <= 0) return fit;
  mean /= sum;
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Eigen::Vector3d off = vector(points[i]) - mean;
    moments += (weights[i] * off) * off.transpose();
  }
  const double xx = moments(0, 0), xy = moments(0, 1), yy = moments(1, 1);
  const double xz = moments(0, 2), yz = moments(1, 2), determinant = xx * yy - xy * xy;
  if (determinant < 1e-4 * (xx * xx + yy * yy)) return fit;
  fit.plane = {mean.x(), mean.y(), mean.z(), (yy * xz - xy * yz) / determinant,
               (xx * yz - xy * xz) / determinant};
  double squares = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = residual(points[i], fit.plane);
    squares += weights[i] * r * r;
  }
  fit.rms_m = fit.sigma_m = std::sqrt(squares / sum);
  fit.cofactor << 1 / sum, 0, 0, 0, yy / determinant, -xy / determinant, 0, -xy / determinant,
      xx / determinant;
  fit.ok = true;
  return fit;
}

PlaneFit fit_plane(const std::vector<HeightPoint>& points) {
  return fit_plane(points, std::vector<double>(points.size(), 1.0));
}

PlaneFit fit_plane_robust(const std::vector<HeightPoint>& points, const std::vector<double>& trust,
                          double sigma_m) {
  std::vector<double> weights = trust;
  PlaneFit fit = fit_plane(points, weights);
  std::vector<double> residuals(points.size());
  double scale_m = 0;
  for (int round = 0; round < 8 && fit.ok; ++round) {
    for (std::size_t i = 0; i < points.size(); ++i) residuals[i] = std::abs(residual(points[i], fit.plane));
    scale_m = std::max(sigma_m, kMadToSigma * median(residuals));
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double u = residuals[i] / (kTukey * scale_m);
      weights[i] = u < 1 ? trust[i] * (1 - u * u) * (1 - u * u) : 0;
    }
    const PlaneFit next = fit_plane(points, weights);
    if (!next.ok) break;
    const bool settled =
        std::abs(next.plane.gx - fit.plane.gx) + std::abs(next.plane.gy - fit.plane.gy) < 1e-6;
    fit = next;
    if (settled) break;
  }
  if (fit.ok) fit.sigma_m = std::max(fit.rms_m, robust_sigma_m(points, trust, fit.plane, scale_m));
  return fit;
}

Plane level_plane(const std::vector<HeightPoint>& points, double gx, double gy) {
  Plane plane{.gx = gx, .gy = gy};
  std::vector<double> levels;
  for (const HeightPoint& p : points) {
    plane.x0 += p.x / static_cast<double>(points.size());
    plane.y0 += p.y / static_cast<double>(points.size());
  }
  for (const HeightPoint& p : points) levels.push_back(residual(p, plane));
  plane.z0 = median(std::move(levels));
  return plane;
}

}  // namespace geo
