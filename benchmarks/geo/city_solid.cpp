#include "benchmarks/geo/city_solid.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace bench {
namespace {

constexpr double kWall_deg = 80;
// Of a closed shell's faces all look out or all in exactly when their areas, as vectors along their normals,
// cancel out. A face that is missing or turned round is more than this part of the whole.
constexpr double kOpen = 0.01;

Eigen::Vector3d offset(const geo::HeightPoint& from, const geo::HeightPoint& to) {
  return {to.x - from.x, to.y - from.y, to.z - from.z};
}

/// Along the normal, as long as the area is large (Newell's method). Holes run the other way round.
Eigen::Vector3d area_vector(const CityPolygon& face, const geo::HeightPoint& origin) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const CityRing& ring : face.rings)
    for (std::size_t i = 0; i < ring.size(); ++i)
      sum += offset(origin, ring[i]).cross(offset(origin, ring[(i + 1) % ring.size()])) / 2;
  return sum;
}

/// 1: the faces look out, -1: they look in, 0: neither.
int side_of_faces(const std::vector<CityPolygon>& shell, const geo::HeightPoint& origin) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double areas_m2 = 0, volume_m3 = 0;
  for (const CityPolygon& face : shell) {
    if (face.rings.empty() || face.rings[0].empty()) continue;
    const Eigen::Vector3d area = area_vector(face, origin);
    sum += area;
    areas_m2 += area.norm();
    volume_m3 += offset(origin, face.rings[0][0]).dot(area) / 3;
  }
  if (sum.norm() > kOpen * areas_m2 || volume_m3 == 0) return 0;
  return volume_m3 > 0 ? 1 : -1;
}

}  // namespace

std::vector<const CityPolygon*> faces_that_look_up(const std::vector<CityPolygon>& shell) {
  std::vector<const CityPolygon*> up;
  if (shell.empty() || shell[0].rings.empty() || shell[0].rings[0].empty()) return up;
  const geo::HeightPoint& origin = shell[0].rings[0][0];  // map coordinates are too large for areas
  const int side = side_of_faces(shell, origin);
  const double least = std::cos(kWall_deg * std::numbers::pi / 180);
  for (const CityPolygon& face : shell) {
    const Eigen::Vector3d area = side * area_vector(face, origin);
    if (area.z() > least * area.norm()) up.push_back(&face);
  }
  return up;
}

}  // namespace bench
