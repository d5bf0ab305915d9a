#include "geo/solar/far_horizon.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace geo {
namespace {

constexpr double kDetailed_m = 10000;
constexpr double kTooNear_m = 1;

}  // namespace

const Eigen::Vector2d& ray_direction(int sector) {
  static const auto kDirections = [] {
    std::array<Eigen::Vector2d, kHorizonSectors> directions;
    for (int i = 0; i < kHorizonSectors; ++i) {
      const double a = HorizonLine::azimuth_deg(i) * std::numbers::pi / 180;  // south 0, west positive
      directions[i] = {-std::sin(a), -std::cos(a)};
    }
    return directions;
  }();
  return kDirections[sector];
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

/// Whether no eye sees the farther corner above the nearer one. The difference of their tangents, times both
/// distances, is linear in the eye's height and in how far it is ahead of the place. So it is enough to try
/// the lowest eye, and one as high as the farther corner, at both ends. Higher eyes look down on that corner.
bool FarHorizon::hides(const Corner& nearer, const Corner& farther, const EyeRange& eyes) {
  if (nearer.height_m < farther.height_m || nearer.distance_m <= eyes.off_place_m) return false;
  const double nearer_rises_m = nearer.height_m - eyes.lowest_m,
               farther_rises_m = farther.height_m - eyes.lowest_m;
  for (const double ahead_m : {-eyes.off_place_m, eyes.off_place_m})
    if (nearer_rises_m * (farther.distance_m - ahead_m) < farther_rises_m * (nearer.distance_m - ahead_m))
      return false;
  return true;
}

FarHorizon::FarHorizon(const HeightField& relief, const std::array<double, kHorizonSectors>& begins_m,
                       double to_m, double refraction_k, const EyeRange& eyes, const RunControl& run)
    : relief_(relief),
      maxima_(relief.maxima ? *relief.maxima : block_maxima(*relief.heights)),
      begins_m_(begins_m),
      refraction_k_(refraction_k) {
  constexpr int kSteps = 4;  // within a patch, where the surface is slightly bent
  const Grid<float>& grid = *relief.heights;
  for (int i = 0; i < kHorizonSectors; ++i) {
    run.checkpoint();
    const GridRay ray = grid_ray(relief, relief.place, ray_direction(i));
    const double from_m = std::max(begins_m[i], kDetailed_m);
    std::vector<Corner>& hull = hulls_[i];
    Corner screen{.distance_m = from_m, .height_m = eyes.lowest_m};  // what hides most of the rest
    const auto steepness = [&](const Corner& corner) {
      return (corner.height_m - eyes.lowest_m) / corner.distance_m;
    };
    // What lies lower than every eye, or behind what hides it, raises no horizon. (NaN: neither.)
    const auto rises = [&](float highest, double enters) {
      const Corner most{.distance_m = enters, .height_m = highest - sinks_m(enters, refraction_k)};
      return most.height_m > eyes.lowest_m && !hides(screen, most, eyes);
    };
    const auto add_to_hull = [&](int column, int row, double enters, double leaves) {
      const PatchCorners corners = patch_corners(grid, column, row);
      if (!rises(corners.highest(), enters)) return;
      const PatchProfile heights = corners.along(ray, column, row);
      for (int step = 0; step <= kSteps; ++step) {
        const double t = enters + (leaves - enters) * step / kSteps;
        const Corner corner{.distance_m = t, .height_m = heights.at(t) - sinks_m(t, refraction_k)};
        append_to_hull(hull, corner);
        if (steepness(corner) > steepness(screen)) screen = corner;
      }
    };
    for_each_patch_that(grid, maxima_, ray, from_m, to_m, rises, add_to_hull);
    hull.shrink_to_fit();
  }
}

double FarHorizon::beyond(int sector, const Eigen::Vector2d& offset, double height_m) const {
  if (!relief_.heights) return 0;
  double highest = 0;
  // The point's shift along the ray shortens the way; the shift across it is small at such a distance.
  const double ahead_m = offset.dot(ray_direction(sector));
  for (const Corner& corner : hulls_[sector]) {
    const double distance_m = corner.distance_m - ahead_m;
    if (distance_m > kTooNear_m) highest = std::max(highest, (corner.height_m - height_m) / distance_m);
  }
  return highest;
}

double FarHorizon::detailed(int sector, const Eigen::Vector2d& offset, double height_m, double other) const {
  if (!relief_.heights) return other;
  const Eigen::Vector2d& direction = ray_direction(sector);
  const Eigen::Vector2d shift = relief_.true_per_map.inverse() * offset;
  const GridRay ray =
      grid_ray(relief_, {relief_.place.x + shift.x(), relief_.place.y + shift.y()}, direction);
  const double ahead_m = offset.dot(direction);
  const double from_m = std::max(kTooNear_m, begins_m_[sector] - ahead_m);
  const double sinking = sinks_m(1, refraction_k_);
  double highest = other;
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

}  // namespace geo
