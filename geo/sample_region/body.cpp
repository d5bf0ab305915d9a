#include "geo/sample_region/body.hpp"

#include <algorithm>

namespace geo::sample {

double Body::height(double u, double v) const {
  double lowest = planes.front().at(u, v);
  for (std::size_t i = 1; i < planes.size(); ++i) lowest = std::min(lowest, planes[i].at(u, v));
  return lowest;
}

int Body::plane_at(double u, double v) const {
  std::size_t lowest = 0;
  for (std::size_t i = 1; i < planes.size(); ++i)
    if (planes[i].at(u, v) < planes[lowest].at(u, v)) lowest = i;
  return static_cast<int>(lowest);
}

double Cluster::radius_m() const {
  double radius = 0;
  for (const Body& body : bodies)
    for (const Point& p : body.base.ring()) radius = std::max(radius, std::hypot(p.x, p.y));
  return radius;
}

}  // namespace geo::sample
