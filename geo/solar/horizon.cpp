#include "geo/solar/horizon.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace geo {
namespace {

constexpr double kEndless_m = 1e6;

/// How far the surface model has data along each ray from the place. Looks from the outermost block inwards
/// for the last patch that has some.
std::array<double, kHorizonSectors> reach_m(const HeightField& surface, const BlockMaxima& maxima) {
  std::array<double, kHorizonSectors> reach{};
  const Grid<float>& grid = *surface.heights;
  std::vector<std::pair<double, double>> with_data;
  for (int i = 0; i < kHorizonSectors; ++i) {
    const GridRay ray = grid_ray(surface, surface.place, ray_direction(i));
    with_data.clear();
    for_each_block(grid, maxima, ray, 0, kEndless_m, [&](float highest, double enters, double leaves) {
      if (!std::isnan(highest)) with_data.emplace_back(enters, leaves);
    });
    for (; reach[i] == 0 && !with_data.empty(); with_data.pop_back())
      for_each_patch(patch_count(grid), ray, with_data.back().first, with_data.back().second,
                     [&](int column, int row, double, double leaves) {
                       if (patch_corners(grid, column, row).any()) reach[i] = leaves;
                     });
  }
  return reach;
}

/// The lowest cell. Column by column, so that many cells are compared at once. (NaN is not lower.)
float lowest_of(const Grid<float>& grid) {
  std::vector<float> columns(static_cast<std::size_t>(grid.width), std::numeric_limits<float>::infinity());
  for (int row = 0; row < grid.height; ++row) {
    const float* cells = grid.values.data() + grid.index(0, row);
    for (std::size_t c = 0; c < columns.size(); ++c)
      columns[c] = cells[c] < columns[c] ? cells[c] : columns[c];
  }
  return columns.empty() ? std::numeric_limits<float>::infinity()
                         : *std::min_element(columns.begin(), columns.end());
}

/// Eyes lie on or above the surface model.
EyeRange eyes_on(const HeightField& surface) {
  const Grid<float>& grid = *surface.heights;
  double off_place_m = 0;
  for (const double x : {grid.west, grid.west + grid.width * grid.cell_m})
    for (const double y : {grid.north, grid.north - grid.height * grid.cell_m})
      off_place_m = std::max(off_place_m, surface.to_true({x, y}).norm());
  return {lowest_of(grid), off_place_m};
}

/// Parts of [enters, leaves] in which a profile is positive: up to three, between its roots.
template <class Use>
void where_positive(const PatchProfile& p, double enters, double leaves, Use&& use) {
  std::array<double, 4> cuts{enters, leaves, leaves, leaves};
  int count = 1;
  const auto cut = [&](double t) {
    if (t > enters && t < leaves) cuts[count++] = t;
  };
  if (std::abs(p.c) < 1e-12) {
    if (p.b != 0) cut(-p.a / p.b);
  } else if (const double d = p.b * p.b - 4 * p.a * p.c; d > 0) {
    const double q = -(p.b + std::copysign(std::sqrt(d), p.b)) / 2;
    cut(q / p.c);
    if (q != 0) cut(p.a / q);
  }
  cuts[count] = leaves;
  if (count == 3 && cuts[1] > cuts[2]) std::swap(cuts[1], cuts[2]);
  for (int i = 0; i < count; ++i)
    if (cuts[i + 1] > cuts[i] && p.at((cuts[i] + cuts[i + 1]) / 2) > 0) use(cuts[i], cuts[i + 1]);
}

/// The own plane, raised by the tolerance, along a ray.
PatchProfile plane_along(const Plane& plane, const HeightField& surface, const Eye& eye,
                         const Eigen::Vector2d& direction, double raised_m) {
  const Eigen::Vector2d step = surface.true_per_map.inverse() * direction;
  return {.a = plane.height_at(eye.map) + raised_m, .b = plane.gx * step.x() + plane.gy * step.y(), .c = 0};
}

}  // namespace

HeightField height_field(const Grid<float>& heights, const PlaceFrame& frame) {
  return {.heights = &heights, .place = frame.origin(), .true_per_map = frame.true_per_map()};
}

HorizonScene::HorizonScene(const HeightField& surface, const HeightField* relief, const RunControl& run,
                           const HorizonOptions& options)
    : surface_(surface), options_(options), maxima_(block_maxima(*surface.heights)) {
  if (relief)
    far_ = FarHorizon(*relief, reach_m(surface, maxima_), options.far_m, options.refraction_k,
                      eyes_on(surface), run);
}

/// At least `other`, the tangent of what else stands on the ray.
double HorizonScene::near_tangent(const Eye& eye, const Eigen::Vector2d& direction, double other) const {
  const Grid<float>& grid = *surface_.heights;
  const GridRay ray = grid_ray(surface_, eye.map, direction);
  const double sinking = sinks_m(1, options_.refraction_k);
  PatchProfile own_plane{.a = -std::numeric_limits<double>::infinity()};
  if (eye.own_plane)
    own_plane = plane_along(*eye.own_plane, surface_, eye, direction, options_.out_of_plane_m);

  double best = other;
  // Most patches cannot reach the line of sight that is already blocked. (NaN: they do not.)
  const auto reaches = [&](float highest, double enters) { return highest - eye.height_m > best * enters; };
  const auto visit = [&](int column, int row, double enters, double leaves) {
    const PatchCorners corners = patch_corners(grid, column, row);
    if (!reaches(corners.highest(), enters)) return;
    const PatchProfile z = corners.along(ray, column, row);
    const PatchProfile above_eye{.a = z.a - eye.height_m, .b = z.b, .c = z.c - sinking};
    if (!eye.own_plane || enters > options_.own_roof_m) {
      best = std::max(best, steepest(above_eye, enters, leaves));
      return;
    }
    const PatchProfile above_plane{.a = z.a - own_plane.a, .b = z.b - own_plane.b, .c = z.c};
    where_positive(above_plane, enters, leaves,
                   [&](double from, double to) { best = std::max(best, steepest(above_eye, from, to)); });
  };
  for_each_patch_that(grid, maxima_, ray, options_.near_from_m, kEndless_m, reaches, visit);
  return best;
}

HorizonLine HorizonScene::line_from(const Eye& eye, const RunControl& run) const {
  const Eigen::Vector2d offset = surface_.to_true(eye.map);
  HorizonLine line;
  for (int i = 0; i < kHorizonSectors; ++i) {
    run.checkpoint();
    // What stands far off is cheap to ask for, and most of what is nearer cannot reach it.
    const double far = far_.beyond(i, offset, eye.height_m);
    const double near = near_tangent(eye, ray_direction(i), far);
    const double highest = far_.detailed(i, offset, eye.height_m, near);
    line.elevation_deg[i] = static_cast<float>(std::atan(highest) * 180 / std::numbers::pi);
  }
  return line;
}

}  // namespace geo
