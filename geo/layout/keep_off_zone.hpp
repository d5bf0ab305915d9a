// Where a module's lower left corner must not lie because of one edge of an outline or an obstacle. The
// module keeps off the edge by a rectangle, `margin` wide on either side of the edge and beyond its ends; all
// corner positions at which module and rectangle overlap are a convex polygon, their Minkowski sum
// (configuration space: Lozano-Perez 1983). True metres in the roof plane.
#pragma once
#include <vector>

#include "geo/data/gdal.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct ModuleSize {
  double u_m = 0, v_m = 0;
};

/// Part of a stretch from 0 (its start) to 1 (its end).
struct Part {
  double from = 0, to = 0;
};

class KeepOffZone {
 public:
  KeepOffZone(Point a, Point b, double margin_m, ModuleSize module);

  /// Touching is no overlap: a corner up to a micrometre inside the zone is still free.
  static constexpr double kTolerance_m = 1e-6;
  bool covers(Point corner) const;
  /// The part of the stretch inside the zone; empty (from >= to) when there is none.
  Part covered_part(Point start, Point end) const;

  const Box& bounds() const { return bounds_; }
  /// The zone's border, half a tolerance inside it: what touches the zone exactly is free there, and rounding
  /// cannot make it blocked.
  const Ring& border() const { return border_; }

 private:
  struct HalfPlane {
    double nu, nv, limit;
  };
  std::vector<HalfPlane> sides_;
  Box bounds_;
  Ring border_;
};

}  // namespace geo
