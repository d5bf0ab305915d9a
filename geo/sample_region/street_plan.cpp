#include "geo/sample_region/street_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace geo::sample {

StreetPlan::StreetPlan(int streets, Random& random)
    : streets_(streets),
      radius_m_(std::max(400.0, 2.2 * streets * kStreetPitch_m)),
      turn_rad_(random.uniform(0, 2 * std::numbers::pi)) {}

Point StreetPlan::on_ground(double s, double t) const {
  const double angle = s / radius_m_;
  const double x = (radius_m_ + t) * std::sin(angle), y = (radius_m_ + t) * std::cos(angle) - radius_m_;
  const double c = std::cos(turn_rad_), n = std::sin(turn_rad_);
  return {c * x - n * y, n * x + c * y};
}

Point StreetPlan::on_plan(Point ground) const {
  const double c = std::cos(turn_rad_), n = std::sin(turn_rad_);
  const double x = c * ground.x + n * ground.y, y = c * ground.y - n * ground.x + radius_m_;
  return {radius_m_ * std::atan2(x, y), std::hypot(x, y) - radius_m_};
}

double StreetPlan::direction_rad(double s) const { return turn_rad_ - s / radius_m_; }

Ring StreetPlan::area(double s0, double s1, double t0, double t1) const {
  std::vector<double> stations{s0};
  for (double s = (std::floor(s0 / kLattice_m) + 1) * kLattice_m; s < s1; s += kLattice_m)
    stations.push_back(s);
  stations.push_back(s1);
  Ring ring;
  for (const double s : stations) ring.push_back(on_ground(s, t0));
  for (auto s = stations.rbegin(); s != stations.rend(); ++s) ring.push_back(on_ground(*s, t1));
  return ring;
}

}  // namespace geo::sample
