#include "geo/shapes/plane_geometry.hpp"

#include <algorithm>

#include "geo/shapes/boost_shapes.hpp"

namespace geo {

double signed_area(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++)
    twice += cross(ring[j] - ring[0], ring[i] - ring[0]);
  return ring.empty() ? 0 : twice / 2;
}

double area(const Polygon& polygon) {
  double total = std::abs(signed_area(polygon.outer));
  for (const Ring& hole : polygon.holes) total -= std::abs(signed_area(hole));
  return total;
}

bool contains(const Ring& ring, Point p) {
  bool in = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Point a = ring[j], b = ring[i];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

bool contains(const Polygon& polygon, Point p) {
  if (!contains(polygon.outer, p)) return false;
  return std::none_of(polygon.holes.begin(), polygon.holes.end(),
                      [p](const Ring& h) { return contains(h, p); });
}

double distance_to_segment(Point p, Point a, Point b) {
  const Point d = b - a;
  const double squared_length = dot(d, d);
  const double t = squared_length > 0 ? std::clamp(dot(p - a, d) / squared_length, 0.0, 1.0) : 0;
  return length(p - (a + d * t));
}

namespace {
double distance_to_ring(const Ring& ring, Point p) {
  double nearest = 1e300;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++)
    nearest = std::min(nearest, distance_to_segment(p, ring[j], ring[i]));
  return nearest;
}
}  // namespace

double distance_to_boundary(const Polygon& polygon, Point p) {
  double nearest = distance_to_ring(polygon.outer, p);
  for (const Ring& hole : polygon.holes) nearest = std::min(nearest, distance_to_ring(hole, p));
  return nearest;
}

Polygon translated(const Polygon& polygon, Point by) {
  Polygon out = polygon;
  for (Point& p : out.outer) p = p + by;
  for (Ring& hole : out.holes)
    for (Point& p : hole) p = p + by;
  return out;
}

std::vector<Point> simplified_chain(const std::vector<Point>& chain, double tolerance) {
  namespace bg = boost::geometry;
  bg::model::linestring<Point> out;
  bg::simplify(bg::model::linestring<Point>(chain.begin(), chain.end()), out, tolerance);
  return {out.begin(), out.end()};
}

Ring simplified_ring(const Ring& ring, double tolerance) {
  if (ring.size() < 4) return ring;
  // The corner farthest from the centre is one of the true corners: the ring is cut open there.
  Point centre{};
  for (Point p : ring) centre = centre + p * (1.0 / static_cast<double>(ring.size()));
  std::size_t start = 0;
  for (std::size_t i = 1; i < ring.size(); ++i)
    if (length(ring[i] - centre) > length(ring[start] - centre)) start = i;
  std::vector<Point> chain(ring.begin() + static_cast<std::ptrdiff_t>(start), ring.end());
  chain.insert(chain.end(), ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(start) + 1);
  // A closed chain has no base line of its own: the point opposite the start splits it.
  std::size_t opposite = 0;
  for (std::size_t i = 0; i < chain.size(); ++i)
    if (length(chain[i] - chain[0]) > length(chain[opposite] - chain[0])) opposite = i;
  const auto middle = chain.begin() + static_cast<std::ptrdiff_t>(opposite);
  std::vector<Point> out = simplified_chain({chain.begin(), middle + 1}, tolerance);
  const std::vector<Point> rest = simplified_chain({middle, chain.end()}, tolerance);
  out.insert(out.end(), rest.begin() + 1, rest.end() - 1);
  return out;
}

}  // namespace geo
