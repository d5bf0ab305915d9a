#include "geo/solar/measuring_points.hpp"

#include <cmath>
#include <exception>
#include <limits>

#include "geo/shapes/boost_shapes.hpp"

namespace geo {
namespace {

namespace bg = boost::geometry;

constexpr double kInset_m = 0.5;
constexpr double kSmallestInset_m = 0.02;

/// Unit vectors in the map, to the right along the eaves and up the slope.
struct SlopeAxes {
  Eigen::Vector2d right, up;
};

SlopeAxes slope_axes(const Plane& plane, const PlaceFrame& frame) {
  const Eigen::Vector2d gradient = true_gradient(plane, frame.true_per_map());
  const Eigen::Vector2d up_true = tilt_deg(gradient) < 0.5 ? Eigen::Vector2d(0, 1) : gradient.normalized();
  const Eigen::Matrix2d map_per_true = frame.true_per_map().inverse();
  return {.right = map_per_true * Eigen::Vector2d(up_true.y(), -up_true.x()), .up = map_per_true * up_true};
}

BoostMultiPolygon without_obstacles(const BoostPolygon& outline, const std::vector<Polygon>& obstacles) {
  BoostMultiPolygon rest{outline};
  for (const Polygon& obstacle : obstacles) {
    BoostMultiPolygon next;
    bg::difference(rest, to_boost(obstacle), next);
    rest = std::move(next);
  }
  return rest;
}

BoostMultiPolygon shrunk(const BoostMultiPolygon& shape, double by_m) {
  BoostMultiPolygon out;
  bg::buffer(shape, out, bg::strategy::buffer::distance_symmetric<double>(-by_m),
             bg::strategy::buffer::side_straight(), bg::strategy::buffer::join_miter(),
             bg::strategy::buffer::end_flat(), bg::strategy::buffer::point_circle(8));
  return out;
}

/// What stays of the surface inside its margins, with the widest inset that leaves anything.
BoostMultiPolygon inner_surface(const Polygon& outline, const std::vector<Polygon>& obstacles) {
  const BoostPolygon whole = to_boost(outline);
  for (const BoostMultiPolygon& shape : {without_obstacles(whole, obstacles), BoostMultiPolygon{whole}})
    for (double inset = kInset_m; inset > kSmallestInset_m; inset /= 2)
      if (BoostMultiPolygon inner = shrunk(shape, inset); bg::area(inner) > 0) return inner;
  return {};
}

/// A vertex, its position along the eaves and up the slope as shares of the surface's extent.
struct Vertex {
  Point point;
  double right = 0, up = 0;
};

std::vector<Vertex> vertices(const BoostMultiPolygon& shape, const SlopeAxes& axes) {
  std::vector<Vertex> out;
  for (const BoostPolygon& part : shape)
    for (const Point& p : part.outer())
      out.push_back({.point = p,
                     .right = axes.right.dot(Eigen::Vector2d(p.x, p.y)),
                     .up = axes.up.dot(Eigen::Vector2d(p.x, p.y))});
  for (double Vertex::*axis : {&Vertex::right, &Vertex::up}) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Vertex& v : out) {
      least = std::min(least, v.*axis);
      most = std::max(most, v.*axis);
    }
    for (Vertex& v : out) v.*axis = most > least ? (v.*axis - least) / (most - least) : 0.5;
  }
  return out;
}

/// The vertex furthest into a corner. Height counts more than width, so that both upper points of a triangle
/// that leans to one side are at its apex. The first of equal ones.
Point corner(const std::vector<Vertex>& vertices, double to_right, double to_up) {
  constexpr double kUpBeforeRight = 1.25;
  const auto reach = [&](const Vertex& v) { return to_right * v.right + kUpBeforeRight * to_up * v.up; };
  const Vertex* best = &vertices.front();
  for (const Vertex& v : vertices)
    if (reach(v) > reach(*best) + 1e-9) best = &v;
  return best->point;
}

/// The centroid. Where that lies outside (an L, a frame): a point of the part that remains longest while the
/// surface shrinks.
Point middle(BoostMultiPolygon shape) {
  Point centre;
  bg::centroid(shape, centre);
  for (double inset = kInset_m; !bg::within(centre, shape); inset *= 1.5) {
    BoostMultiPolygon smaller = shrunk(shape, inset);
    if (!(bg::area(smaller) > 0)) return shape.front().outer().front();
    shape = std::move(smaller);
    bg::centroid(shape.front(), centre);
  }
  return centre;
}

}  // namespace

std::vector<MeasuringPoint> measuring_points(const Polygon& outline, const std::vector<Polygon>& obstacles,
                                             const Plane& plane, const PlaceFrame& frame) {
  if (outline.outer.size() < 3) return {};
  for (const Point& p : outline.outer)
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return {};
  // Boost.Geometry 1.74 may throw on odd coordinates; such an outline has no points.
  try {
    const BoostMultiPolygon inner = inner_surface(outline, obstacles);
    if (inner.empty()) return {};
    const std::vector<Vertex> all = vertices(inner, slope_axes(plane, frame));
    std::vector<MeasuringPoint> points{{.name = "traufe_links", .map = corner(all, -1, -1)},
                                       {.name = "traufe_rechts", .map = corner(all, 1, -1)},
                                       {.name = "first_rechts", .map = corner(all, 1, 1)},
                                       {.name = "first_links", .map = corner(all, -1, 1)},
                                       {.name = "mitte", .map = middle(inner)}};
    for (MeasuringPoint& point : points) point.height_m = plane.height_at(point.map);
    return points;
  } catch (const std::exception&) {
    return {};
  }
}

Eye eye_at(const MeasuringPoint& point, const Plane& plane, double above_roof_m) {
  return {.map = point.map, .height_m = point.height_m + above_roof_m, .own_plane = plane};
}

}  // namespace geo
