// A rectangle along the axes, of map metres or any others.
#pragma once
#include <algorithm>

#include "geo/shapes/shapes.hpp"

namespace geo {

/// Empty until a point is added.
struct Box {
  double min_x = 1e300, min_y = 1e300, max_x = -1e300, max_y = -1e300;

  void add(Point p) { *this = united({p.x, p.y, p.x, p.y}); }
  Box united(const Box& o) const {
    return {std::min(min_x, o.min_x), std::min(min_y, o.min_y), std::max(max_x, o.max_x),
            std::max(max_y, o.max_y)};
  }
  Box grown(double by) const { return {min_x - by, min_y - by, max_x + by, max_y + by}; }
  bool overlaps(const Box& o) const {
    return min_x <= o.max_x && o.min_x <= max_x && min_y <= o.max_y && o.min_y <= max_y;
  }
  /// More than an edge or a corner in common.
  bool shares_area_with(const Box& o) const {
    return min_x < o.max_x && o.min_x < max_x && min_y < o.max_y && o.min_y < max_y;
  }
  bool contains(Point p) const { return p.x >= min_x && p.x <= max_x && p.y >= min_y && p.y <= max_y; }
  friend bool operator==(const Box&, const Box&) = default;
};
inline constexpr Box kEverywhere{-1e300, -1e300, 1e300, 1e300};

inline Box bounding_box(const Ring& ring) {
  Box box;
  for (Point p : ring) box.add(p);
  return box;
}

}  // namespace geo
