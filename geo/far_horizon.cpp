#include "geo/far_horizon.hpp"

#include <numbers>

namespace geo {

Eigen::Vector2d ray_direction(double azimuth_deg) {
  const double a = azimuth_deg * std::numbers::pi / 180;
  return {-std::sin(a), -std::cos(a)};
}

void FarHorizon::append_to_hull(std::vector<Corner>& hull, Corner corner) {
  // Andrew's monotone chain (1979), upper half: the last corner goes when it lies below the line past it.
  const auto last_is_below = [&] {
    const Corner& p = hull[hull.size() - 2];
    const Corner& q = hull.back();
    return (q.height_m - p.height_m) * (corner.distance_m - p.distance_m) <=
           (corner.height_m - p.height_m) * (q.distance_m - p.distance_m);
  };
  while (hull.size() >= 2 && last_is_below()) hull.pop_back();
  hull.push_back(corner);
}

FarHorizon::FarHorizon(const HeightField& relief, const std::array<double, kHorizonSectors>& begins_m, double to_m,
                       double refraction_k, const RunControl& run) {
  constexpr int kSteps = 4;  // within a patch, where the surface is slightly bent
  const Grid<float>& grid = *relief.heights;
  for (int i = 0; i < kHorizonSectors; ++i) {
    run.checkpoint();
    const GridRay ray = grid_ray(relief, relief.place, ray_direction(HorizonLine::azimuth_deg(i)));
    std::vector<Corner>& hull = hulls_[i];
    for_each_patch(grid, ray, begins_m[i], to_m, [&](int column, int row, double enters, double leaves) {
      const PatchCorners corners = patch_corners(grid, column, row);
      if (!corners.any()) return;
      const PatchProfile heights = corners.along(ray, column, row);
      for (int step = 0; step <= kSteps; ++step) {
        const double t = enters + (leaves - enters) * step / kSteps;
        append_to_hull(hull, {.distance_m = t, .height_m = heights.at(t) - sinks_m(t, refraction_k)});
      }
    });
    hull.shrink_to_fit();
  }
}

double FarHorizon::tangent(int sector, const Eigen::Vector2d& offset, double height_m) const {
  constexpr double kTooNear_m = 1;
  // The point's shift along the ray shortens the way; the shift across it is small against the relief's cells.
  const double ahead_m = offset.dot(ray_direction(HorizonLine::azimuth_deg(sector)));
  double highest = 0;
  for (const Corner& corner : hulls_[sector]) {
    const double distance_m = corner.distance_m - ahead_m;
    if (distance_m < kTooNear_m) continue;
    highest = std::max(highest, (corner.height_m - height_m) / distance_m);
  }
  return highest;
}

}  // namespace geo
