// Walks a straight ray over a height grid, patch by patch, each patch once. A patch lies between four
// neighbouring cell centres; in it the surface is bilinear. Method: Amanatides & Woo (1987), "A fast voxel
// traversal algorithm for ray tracing". Distances along the ray are true metres.
#pragma once
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "geo/grid/grid.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

/// As std::fmax and std::fmin, which pass NaN over. Those are calls, and rays ask millions of times.
inline float higher(float a, float b) { return a >= b || std::isnan(b) ? a : b; }
inline float lower(float a, float b) { return a <= b || std::isnan(b) ? a : b; }

struct BlockMaxima;

/// Heights over a map, and how the map lies on the ground near a place.
struct HeightField {
  const Grid<float>* heights = nullptr;
  Point place;                                                 ///< the place in this grid's map
  Eigen::Matrix2d true_per_map = Eigen::Matrix2d::Identity();  ///< true metres (east, north) per map unit
  const BlockMaxima* maxima = nullptr;                         ///< of the heights, where they are at hand

  Eigen::Vector2d to_true(Point map) const {
    return true_per_map * Eigen::Vector2d(map.x - place.x, map.y - place.y);
  }
};

/// A ray in units of cells, counted from the centre of the first cell (x to the east, y to the south).
struct GridRay {
  double x = 0, y = 0;    ///< where it starts
  double dx = 0, dy = 0;  ///< per true metre
};

/// `direction`: east and north, of length 1 on the ground.
inline GridRay grid_ray(const HeightField& field, Point from, const Eigen::Vector2d& direction) {
  const Grid<float>& grid = *field.heights;
  const Eigen::Vector2d step = field.true_per_map.inverse() * direction;
  return {.x = (from.x - grid.west) / grid.cell_m - 0.5,
          .y = (grid.north - from.y) / grid.cell_m - 0.5,
          .dx = step.x() / grid.cell_m,
          .dy = -step.y() / grid.cell_m};
}

/// Heights along a ray within one patch: a + b t + c t^2, t the distance from the ray's start.
struct PatchProfile {
  double a = 0, b = 0, c = 0;
  double at(double t) const { return a + t * (b + t * c); }
};

/// The largest p(t) / t within [enters, leaves]: the tangent of an elevation angle, for heights above the
/// eye. It lies at an end or where a = c t^2.
inline double steepest(const PatchProfile& above_eye, double enters, double leaves) {
  double best = std::max(above_eye.at(enters) / enters, above_eye.at(leaves) / leaves);
  if (above_eye.a < 0 && above_eye.c < 0) {
    const double t = std::sqrt(above_eye.a / above_eye.c);
    if (t > enters && t < leaves) best = std::max(best, above_eye.at(t) / t);
  }
  return best;
}

/// The four heights of a patch, north-west first.
struct PatchCorners {
  float nw, ne, sw, se;

  float highest() const { return higher(higher(nw, ne), higher(sw, se)); }
  float lowest() const { return lower(lower(nw, ne), lower(sw, se)); }
  bool any() const { return !std::isnan(highest()); }

  /// A corner without data takes the lowest of the others, so that it raises no horizon.
  PatchProfile along(const GridRay& ray, int column, int row) const {
    const float low = lowest();
    const auto filled = [low](float z) { return std::isnan(z) ? low : z; };
    const double z00 = filled(nw), zx = filled(ne) - z00, zy = filled(sw) - z00;
    const double zxy = filled(se) - z00 - zx - zy;
    const double x = ray.x - column, y = ray.y - row;  // the ray's start as seen from the corner
    return {.a = z00 + zx * x + zy * y + zxy * x * y,
            .b = zx * ray.dx + zy * ray.dy + zxy * (x * ray.dy + y * ray.dx),
            .c = zxy * ray.dx * ray.dy};
  }
};

inline PatchCorners patch_corners(const Grid<float>& grid, int column, int row) {
  const float* upper = grid.values.data() + grid.index(column, row);
  const float* lower = upper + grid.width;
  return {upper[0], upper[1], lower[0], lower[1]};
}

/// How many patches there are to the east and to the south.
struct PatchCount {
  int columns = 0, rows = 0;
};
inline PatchCount patch_count(const Grid<float>& grid) { return {grid.width - 1, grid.height - 1}; }

/// The part of a ray over the patches, within [from, to]; empty when first >= second.
inline std::pair<double, double> clipped(PatchCount count, const GridRay& ray, double from, double to) {
  const auto clip = [&](double start, double step, double last) {
    if (step == 0) {
      if (start < 0 || start > last) to = from;
      return;
    }
    const double t0 = -start / step, t1 = (last - start) / step;
    from = std::max(from, std::min(t0, t1));
    to = std::min(to, std::max(t0, t1));
  };
  clip(ray.x, ray.dx, count.columns);
  clip(ray.y, ray.dy, count.rows);
  return {from, to};
}

/// Whether a visit that returns a bool says so; others always go on.
template <class Visit, class... Arguments>
bool goes_on(Visit& visit, Arguments... arguments) {
  if constexpr (std::is_void_v<std::invoke_result_t<Visit&, Arguments...>>) {
    visit(arguments...);
    return true;
  } else {
    return visit(arguments...);
  }
}

/// Calls visit(column, row, enters, leaves) for every patch under the ray, in order, within [from, to], until
/// one returns false.
template <class Visit>
void for_each_patch(PatchCount count, const GridRay& ray, double from, double to, Visit&& visit) {
  if (count.columns < 1 || count.rows < 1) return;
  const auto [begin, end] = clipped(count, ray, from, to);
  if (!(begin < end)) return;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double middle = begin + 1e-9 * (end - begin);
  int column = std::clamp(static_cast<int>(std::floor(ray.x + ray.dx * middle)), 0, count.columns - 1);
  int row = std::clamp(static_cast<int>(std::floor(ray.y + ray.dy * middle)), 0, count.rows - 1);
  const int column_step = ray.dx > 0 ? 1 : -1, row_step = ray.dy > 0 ? 1 : -1;
  double next_x = ray.dx == 0 ? kNever : (column + (ray.dx > 0) - ray.x) / ray.dx;
  double next_y = ray.dy == 0 ? kNever : (row + (ray.dy > 0) - ray.y) / ray.dy;
  const double each_x = ray.dx == 0 ? kNever : std::abs(1 / ray.dx);
  const double each_y = ray.dy == 0 ? kNever : std::abs(1 / ray.dy);
  double enters = begin;
  while (enters < end) {
    const double leaves = std::min({next_x, next_y, end});
    if (leaves > enters && !goes_on(visit, column, row, enters, leaves)) return;
    enters = std::max(enters, leaves);
    if (leaves >= end) return;
    if (next_x <= next_y) {
      column += column_step;
      next_x += each_x;
    } else {
      row += row_step;
      next_y += each_y;
    }
    if (column < 0 || row < 0 || column >= count.columns || row >= count.rows) return;
  }
}

}  // namespace geo
