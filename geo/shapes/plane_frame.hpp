// Coordinates in a roof plane, true metres: u along the eaves, to the right as seen from below looking up the
// slope; v up the slope; the outline's bounding box starts at (0, 0). On a surface of under half a degree of
// tilt there are no eaves: u runs along the outline's longest edge.
#pragma once
#include <Eigen/Core>

#include "geo/shapes/plane.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

class PlaneFrame {
 public:
  /// `outline` in map metres; `true_per_map` as PlaceFrame gives it.
  PlaneFrame(const Plane& plane, const Polygon& outline, const Eigen::Matrix2d& true_per_map);

  Point to_plane(Point map) const;
  Point to_map(Point uv) const;
  Polygon to_plane(const Polygon& map) const;
  Polygon to_map(const Polygon& uv) const;
  /// Height of a point of the plane, metres.
  double height_at(Point uv) const { return plane_.height_at(to_map(uv)); }

 private:
  Plane plane_;
  Point corner_;  ///< map position of (0, 0)
  Eigen::Matrix2d uv_per_map_, map_per_uv_;
};

}  // namespace geo
