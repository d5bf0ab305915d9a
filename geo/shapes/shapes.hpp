// Points and polygons as plain values. Light to include; Boost.Geometry's view of them is in
// boost_shapes.hpp.
#pragma once
#include <vector>

namespace geo {

/// WGS84, degrees.
struct LonLat {
  double lon_deg = 0;
  double lat_deg = 0;
};

/// A point in a projected grid (map metres, x east, y north) or in a roof plane (u along the eaves, v up the
/// slope, true metres): the function that takes it says which.
struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// Not closed (the last point differs from the first).
using Ring = std::vector<Point>;

/// Outer ring counter-clockwise, holes clockwise (RFC 7946's sense).
struct Polygon {
  Ring outer;
  std::vector<Ring> holes;
  friend bool operator==(const Polygon&, const Polygon&) = default;
};

}  // namespace geo
