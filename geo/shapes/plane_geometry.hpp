// Small plane geometry on rings, polygons and straight lines, light enough for inner loops: distances, areas,
// point tests, oriented lines. Rarer questions are in shape_algebra.hpp. Any metres.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "geo/shapes/box.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(Point a, double s) { return {a.x * s, a.y * s}; }
inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
inline double length(Point a) { return std::hypot(a.x, a.y); }
inline double squared(double x) { return x * x; }

/// Positive for a counter-clockwise ring.
double signed_area(const Ring& ring);
double area(const Polygon& polygon);
/// Even-odd rule; a point on the border may be in or out.
bool contains(const Ring& ring, Point p);
bool contains(const Polygon& polygon, Point p);
double distance_to_segment(Point p, Point a, Point b);
/// To the nearest boundary, outer or hole.
double distance_to_boundary(const Polygon& polygon, Point p);
Polygon translated(const Polygon& polygon, Point by);

/// A directed straight line: unit direction, and the signed distance of points to its left.
struct Line {
  Point at;
  Point direction;
  double left_of(Point p) const { return cross(direction, p - at); }
  double along(Point p) const { return dot(direction, p - at); }
  Point point(double t) const { return at + direction * t; }
  Point normal() const { return {-direction.y, direction.x}; }
};

/// The line from one point towards another.
inline Line line_through(Point from, Point to) { return {from, (to - from) * (1 / length(to - from))}; }

/// The box around points as a line sees them: along it and to its left.
template <class Points>
Box box_along(const Line& line, const Points& points) {
  Box box;
  for (const Point& p : points) box.add({line.along(p), line.left_of(p)});
  return box;
}

/// Angle between two undirected directions, 0..pi/2.
inline double angle_between_rad(Point a, Point b) {
  return std::atan2(std::abs(cross(a, b)), std::abs(dot(a, b)));
}

/// The polygonal chain with fewer corners, none farther than `tolerance` from it (Douglas & Peucker 1973).
std::vector<Point> simplified_chain(const std::vector<Point>& chain, double tolerance);
/// The same for a closed ring.
Ring simplified_ring(const Ring& ring, double tolerance);

}  // namespace geo
