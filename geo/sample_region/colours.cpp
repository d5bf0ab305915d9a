#include "geo/sample_region/colours.hpp"

#include <algorithm>
#include <cmath>

#include "geo/sample_region/ground_cover.hpp"
#include "geo/sample_region/random.hpp"

namespace geo::sample {
namespace {

constexpr Colour kTiles[] = {{176, 92, 66}, {158, 80, 62}, {190, 108, 74},  {124, 76, 62},
                             {104, 84, 74}, {92, 94, 98},  {118, 118, 120}, {168, 98, 78}};
constexpr Colour kFlatRoofs[] = {{176, 172, 162}, {134, 146, 100}, {128, 128, 130}, {196, 192, 184}};
constexpr double kSteepest_flat = 0.1;  // rise over run up to which a roof has gravel, not tiles

double slope_of(const LocalPlane& plane) { return std::hypot(plane.gu, plane.gv); }

/// How far the second lowest plane is above the lowest: small along ridges and hips.
double ridge_gap_m(const Body& body, double u, double v) {
  double lowest = 1e9, second = 1e9;
  for (const LocalPlane& plane : body.planes) {
    const double z = plane.at(u, v);
    if (z < lowest)
      second = lowest, lowest = z;
    else
      second = std::min(second, z);
  }
  return second - lowest;
}

double edge_distance_m(const Rect& base, double u, double v) {
  return std::min(std::min(u - base.u0, base.u1 - u), std::min(v - base.v0, base.v1 - v));
}

Colour tiled(const Body& body, const LocalPlane& plane, double u, double v) {
  const auto building = static_cast<std::int64_t>(body.building);
  Colour colour = kTiles[static_cast<int>(hash_unit(building, 1, 21) * std::size(kTiles))];
  const double slope = slope_of(plane);
  const double along = (plane.gv * u - plane.gu * v) / slope;                        // parallel to the eaves
  const double down = (plane.gu * u + plane.gv * v) / slope * std::hypot(1, slope);  // in the roof's plane
  const auto course = static_cast<std::int64_t>(std::floor(down / 0.42));
  const auto tile = static_cast<std::int64_t>(std::floor(along / 0.36));
  const double joint = down / 0.42 - std::floor(down / 0.42) < 0.3 ? 0.93 : 1.0;
  colour = colour * (joint * (0.94 + 0.12 * hash_unit(course, tile, 22)));
  const double weather = value_noise(u, v, 2.4, 23 + static_cast<std::uint64_t>(building));
  colour = mix(colour, {112, 108, 96}, 0.22 * weather);
  if (body.planes.size() > 1 && ridge_gap_m(body, u, v) < 0.3 * slope) return colour * 1.13;
  if (edge_distance_m(body.base, u, v) < 0.16) return mix(colour, {150, 148, 144}, 0.6);
  return colour;
}

Colour flat(const Body& body, double u, double v) {
  const auto building = static_cast<std::int64_t>(body.building);
  const Colour colour = kFlatRoofs[static_cast<int>(hash_unit(building, 2, 24) * std::size(kFlatRoofs))];
  if (edge_distance_m(body.base, u, v) < 0.3) return {188, 188, 186};
  return colour * (0.9 + 0.12 * value_noise(u, v, 0.5, 25) + 0.08 * value_noise(u, v, 3, 26));
}

/// A field's crop and the direction of its rows, by a coarse slanted grid.
Colour field_colour(Point at) {
  const double x = 0.94 * at.x + 0.34 * at.y + 900, y = -0.34 * at.x + 0.94 * at.y + 900;
  const auto column = static_cast<std::int64_t>(std::floor(x / 58));
  const double shift = 40 * hash_unit(column, 3, 30);
  const auto row = static_cast<std::int64_t>(std::floor((y + shift) / 96));
  static constexpr Colour kCrops[] = {{126, 148, 84}, {138, 156, 92}, {188, 174, 116},
                                      {116, 138, 76}, {146, 124, 96}, {132, 152, 88}};
  const int crop = static_cast<int>(hash_unit(column, row, 31) * std::size(kCrops));
  const double rows = crop == 2 || crop == 4 ? 0.05 * std::sin(x * 4.2) : 0.02 * std::sin(x * 0.7);
  const double edge = std::min(x / 58 - std::floor(x / 58), (y + shift) / 96 - std::floor((y + shift) / 96));
  const double noise =
      0.9 + rows + 0.1 * value_noise(at.x, at.y, 6, 32) + 0.1 * value_noise(at.x, at.y, 0.7, 33);
  const Colour colour = edge < 0.012 ? Colour{150, 146, 104} : kCrops[crop];
  return colour * noise;
}

Colour garden_colour(std::uint16_t cover, Point at) {
  const double fresh = hash_unit(cover, 5, 34);
  const Colour lawn = mix({112, 142, 76}, {134, 148, 88}, fresh);
  Colour colour =
      lawn * (0.88 + 0.14 * value_noise(at.x, at.y, 3.5, 35) + 0.1 * value_noise(at.x, at.y, 0.5, 36));
  // Beds and dry patches.
  if (value_noise(at.x, at.y, 5, 37) > 0.86) colour = mix(colour, {128, 112, 84}, 0.6);
  return colour;
}

}  // namespace

Colour mix(const Colour& a, const Colour& b, double share_of_b) {
  return a * (1 - share_of_b) + b * share_of_b;
}

Colour roof_colour(const Solid& solid, Point at) {
  const Body& body = *solid.body;
  const Point p = solid.cluster->frame.to_local(at);
  const LocalPlane& plane = body.planes[static_cast<std::size_t>(body.plane_at(p.x, p.y))];
  switch (body.role) {
    case BodyRole::chimney:
      return edge_distance_m(body.base, p.x, p.y) < 0.18 ? Colour{150, 112, 96} : Colour{52, 46, 44};
    case BodyRole::skylight:
      return edge_distance_m(body.base, p.x, p.y) < 0.12 ? Colour{120, 122, 124} : Colour{98, 124, 150};
    default:
      break;
  }
  return slope_of(plane) < kSteepest_flat ? flat(body, p.x, p.y) : tiled(body, plane, p.x, p.y);
}

Colour ground_colour(std::uint16_t cover, Point at) {
  const double grain = 0.93 + 0.1 * value_noise(at.x, at.y, 0.4, 40) + 0.04 * value_noise(at.x, at.y, 7, 41);
  switch (cover) {
    case kField:
      return field_colour(at);
    case kRoad:
      return Colour{128, 128, 130} * grain;
    case kPavement:
      return Colour{166, 162, 156} * grain;
    case kPaving:
      return Colour{178, 170, 158} *
             (grain * (0.95 + 0.08 * hash_unit(std::lround(at.x * 2), std::lround(at.y * 2), 42)));
    case kPool:
      return Colour{92, 172, 196} * (0.95 + 0.1 * value_noise(at.x, at.y, 0.8, 43));
    default:
      return garden_colour(cover, at);
  }
}

Colour leaf_colour(const Leaf& leaf, Point at) {
  const double lumps = 0.8 + 0.34 * value_noise(at.x, at.y, 0.55, 44);
  if (!leaf.tree) return Colour{66, 98, 52} * lumps;
  const double kind = hash_unit(std::lround(leaf.tree->at.x * 8), std::lround(leaf.tree->at.y * 8), 45);
  if (leaf.tree->conifer) return mix({50, 82, 62}, {62, 90, 58}, kind) * lumps;
  return mix({74, 106, 50}, {110, 128, 62}, kind) * lumps;
}

}  // namespace geo::sample
