#include "geo/solar/far_horizon.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace geo {
namespace {

constexpr double kDetailed_m = 10000;
constexpr double kTooNear_m = 1;

}  // namespace

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

FarHorizon::FarHorizon(const HeightField& relief, const std::array<double, kHorizonSectors>& begins_m,
                       double to_m, double refraction_k, double lowest_eye_m, const RunControl& run)
    : relief_(relief),
      maxima_(relief.maxima ? *relief.maxima : block_maxima(*relief.heights)),
      begins_m_(begins_m),
      refraction_k_(refraction_k) {
  constexpr int kSteps = 4;  // within a patch, where the surface is slightly bent
  const Grid<float>& grid = *relief.heights;
  for (int i = 0; i < kHorizonSectors; ++i) {
    run.checkpoint();
    const GridRay ray = grid_ray(relief, relief.place, ray_direction(HorizonLine::azimuth_deg(i)));
    const double from_m = std::max(begins_m[i], kDetailed_m);
    std::vector<Corner>& hull = hulls_[i];
    // What lies lower than every eye raises no horizon. (NaN: neither.)
    const auto rises = [&](float highest, double enters) {
      return highest - sinks_m(enters, refraction_k) > lowest_eye_m;
    };
    const auto add_to_hull = [&](int column, int row, double enters, double leaves) {
      const PatchCorners corners = patch_corners(grid, column, row);
      if (!rises(corners.highest(), enters)) return;
      const PatchProfile heights = corners.along(ray, column, row);
      for (int step = 0; step <= kSteps; ++step) {
        const double t = enters + (leaves - enters) * step / kSteps;
        append_to_hull(hull, {.distance_m = t, .height_m = heights.at(t) - sinks_m(t, refraction_k)});
      }
    };
    for_each_patch_that(grid, maxima_, ray, from_m, to_m, rises, add_to_hull);
    hull.shrink_to_fit();
  }
}

double FarHorizon::detailed_tangent(int sector, const Eigen::Vector2d& offset, double height_m,
                                    double nearer) const {
  const Eigen::Vector2d direction = ray_direction(HorizonLine::azimuth_deg(sector));
  const Eigen::Vector2d shift = relief_.true_per_map.inverse() * offset;
  const GridRay ray =
      grid_ray(relief_, {relief_.place.x + shift.x(), relief_.place.y + shift.y()}, direction);
  const double ahead_m = offset.dot(direction);
  const double from_m = std::max(kTooNear_m, begins_m_[sector] - ahead_m);
  const double sinking = sinks_m(1, refraction_k_);
  double highest = nearer;
  const auto reaches = [&](float top, double enters) { return top - height_m > highest * enters; };
  const auto visit = [&](int column, int row, double enters, double leaves) {
    const PatchCorners corners = patch_corners(*relief_.heights, column, row);
    if (!reaches(corners.highest(), enters)) return;
    const PatchProfile z = corners.along(ray, column, row);
    highest =
        std::max(highest, steepest({.a = z.a - height_m, .b = z.b, .c = z.c - sinking}, enters, leaves));
  };
  for_each_patch_that(*relief_.heights, maxima_, ray, from_m, kDetailed_m - ahead_m, reaches, visit);
  return highest;
}

double FarHorizon::tangent(int sector, const Eigen::Vector2d& offset, double height_m, double nearer) const {
  if (!relief_.heights) return nearer;
  double highest = nearer;
  // The point's shift along the ray shortens the way; the shift across it is small at such a distance.
  const double ahead_m = offset.dot(ray_direction(HorizonLine::azimuth_deg(sector)));
  for (const Corner& corner : hulls_[sector]) {
    const double distance_m = corner.distance_m - ahead_m;
    if (distance_m > kTooNear_m) highest = std::max(highest, (corner.height_m - height_m) / distance_m);
  }
  return detailed_tangent(sector, offset, height_m, highest);
}

}  // namespace geo
