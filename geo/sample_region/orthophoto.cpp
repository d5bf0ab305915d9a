#include "geo/sample_region/orthophoto.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/sample_region/colours.hpp"
#include "geo/sample_region/ground_cover.hpp"
#include "geo/sample_region/random.hpp"

namespace geo::sample {
namespace {

constexpr double kPixel_m = 0.2;
constexpr double kSunBearing_deg = 152;  // a summer morning's flight
constexpr double kSunElevation_deg = 47;
constexpr double kAmbient = 0.5;  // of the light, in full shadow
constexpr double kShadowReach_m = 26;
constexpr double kShadowStep_m = 0.4;
constexpr double kShadowBias_m = 0.25;  // what rises less than this above the ray casts no shadow

struct Sun {
  double east, north, up;  // unit vector towards it
};

Sun sun() {
  const double bearing = kSunBearing_deg * std::numbers::pi / 180,
               up = kSunElevation_deg * std::numbers::pi / 180;
  return {std::cos(up) * std::sin(bearing), std::cos(up) * std::cos(bearing), std::sin(up)};
}

/// What is seen in every cell: its height, its slope and its own colour.
struct View {
  Grid<float> z;
  Grid<float> facing;  ///< share of the sun's light that the surface takes, 0..1
  Grid<Rgb> colour;
};

Rgb to_rgb(const Colour& c) {
  auto channel = [](double v) { return static_cast<std::uint8_t>(std::clamp(v, 0.0, 255.0)); };
  return {channel(c.r), channel(c.g), channel(c.b)};
}

double facing(double gx, double gy, const Sun& s) {
  return std::max(0.0, (s.up - gx * s.east - gy * s.north) / std::sqrt(1 + gx * gx + gy * gy));
}

double roof_facing(const Solid& solid, Point at, const Sun& s) {
  const LocalFrame& frame = solid.cluster->frame;
  const Point p = frame.to_local(at);
  const LocalPlane& plane = solid.body->planes[static_cast<std::size_t>(solid.body->plane_at(p.x, p.y))];
  const double c = std::cos(frame.direction_rad), n = std::sin(frame.direction_rad);
  return facing(c * plane.gu - n * plane.gv, n * plane.gu + c * plane.gv, s);
}

double leaf_facing(const Leaf& leaf, Point at, const Sun& s) {
  if (!leaf.tree) return s.up;
  constexpr double kStep_m = 0.3;
  auto height = [&](double dx, double dy) {
    const double z = crown_height(*leaf.tree, {at.x + dx, at.y + dy});
    return std::isnan(z) ? leaf.z - 0.4 : z;
  };
  const double gx = (height(kStep_m, 0) - height(-kStep_m, 0)) / (2 * kStep_m);
  const double gy = (height(0, kStep_m) - height(0, -kStep_m)) / (2 * kStep_m);
  return facing(std::clamp(gx, -2.0, 2.0), std::clamp(gy, -2.0, 2.0), s);
}

View look_down(const Scene& scene, const PlaceFrame& frame, const Grid<std::uint16_t>& cover) {
  const Sun s = sun();
  View view{cover.like<float>(), cover.like<float>(), cover.like<Rgb>()};
  for (int row = 0; row < cover.height; ++row)
    for (int col = 0; col < cover.width; ++col) {
      const Eigen::Vector2d here = frame.to_true(cover.centre(col, row));
      const Point at{here.x(), here.y()};
      const Solid solid = scene.solid(at);
      const std::size_t i = cover.index(col, row);
      if (const auto leaf = scene.leaf(at, solid.ground_z); leaf && leaf->z > solid.z) {
        view.z.values[i] = static_cast<float>(leaf->z);
        view.facing.values[i] = static_cast<float>(leaf_facing(*leaf, at, s));
        view.colour.values[i] = to_rgb(leaf_colour(*leaf, at));
        continue;
      }
      view.z.values[i] = static_cast<float>(solid.z);
      view.facing.values[i] = static_cast<float>(solid.body ? roof_facing(solid, at, s) : s.up);
      view.colour.values[i] =
          to_rgb(solid.body ? roof_colour(solid, at) : ground_colour(cover.values[i], at));
    }
  return view;
}

/// Steps in cells towards the sun, one every kShadowStep_m, and how much the ray has risen.
struct RayStep {
  int columns, rows;
  float rise_m;
};

std::vector<RayStep> ray_to_sun(const PlaceFrame& frame) {
  const Sun s = sun();
  const double flat = std::hypot(s.east, s.north);
  const Eigen::Vector2d map = frame.true_per_map().inverse() * Eigen::Vector2d(s.east / flat, s.north / flat);
  std::vector<RayStep> ray;
  for (double d = kShadowStep_m; d <= kShadowReach_m; d += kShadowStep_m)
    ray.push_back({static_cast<int>(std::lround(map.x() * d / kPixel_m)),
                   static_cast<int>(std::lround(-map.y() * d / kPixel_m)),
                   static_cast<float>(d * s.up / flat)});
  return ray;
}

bool in_shadow(const Grid<float>& z, const std::vector<RayStep>& ray, int col, int row) {
  const float from = z.at(col, row) + static_cast<float>(kShadowBias_m);
  for (const RayStep& step : ray) {
    const int c = col + step.columns, r = row + step.rows;
    if (!z.contains(c, r)) return false;
    if (z.at(c, r) > from + step.rise_m) return true;
  }
  return false;
}

/// Light with soft edges: the share of a cell and its neighbours that the sun reaches.
Grid<float> sunlight(const Grid<float>& z, const PlaceFrame& frame) {
  const std::vector<RayStep> ray = ray_to_sun(frame);
  Grid<float> lit = z.like<float>(1);
  for (int row = 0; row < z.height; ++row)
    for (int col = 0; col < z.width; ++col) lit.at(col, row) = in_shadow(z, ray, col, row) ? 0.f : 1.f;
  Grid<float> soft = lit;
  for (int row = 1; row + 1 < z.height; ++row)
    for (int col = 1; col + 1 < z.width; ++col) {
      float total = 0;
      for (int r = row - 1; r <= row + 1; ++r)
        for (int c = col - 1; c <= col + 1; ++c) total += lit.at(c, r);
      soft.at(col, row) = total / 9;
    }
  return soft;
}

}  // namespace

Result<Grid<Rgb>> orthophoto(const Scene& scene, const Settlement& settlement, const PlaceFrame& frame,
                             const Box& area) {
  const auto cover = ground_cover(settlement, frame, area, kPixel_m);
  if (!cover) return tl::make_unexpected(cover.error());
  View view = look_down(scene, frame, *cover);
  const Grid<float> lit = sunlight(view.z, frame);
  const double level = kAmbient + (1 - kAmbient) * sun().up;  // level ground keeps its own colour
  for (std::size_t i = 0; i < view.colour.values.size(); ++i) {
    const double direct = (1 - kAmbient) * view.facing.values[i] * lit.values[i];
    const double light = 1.12 * (kAmbient + direct) / level;
    const double grain = 0.98 + 0.04 * hash_unit(static_cast<std::int64_t>(i), 7, 50);
    const Rgb& own = view.colour.values[i];
    // Shadows are bluish: only the sky lights them.
    const double blue = 1 + 0.12 * (1 - lit.values[i]);
    view.colour.values[i] = to_rgb(Colour{own.r * light, own.g * light, own.b * light * blue} * grain);
  }
  return std::move(view.colour);
}

}  // namespace geo::sample
