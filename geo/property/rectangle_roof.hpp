// A small roof over a rectangle: level, leaning to one side, or a gable with its ridge in the middle. Metres.
#pragma once
#include <array>
#include <cmath>

#include "geo/shapes/shapes.hpp"

namespace geo {

struct RectangleRoof {
  /// Its four sides, each by the direction in which it faces: along the first side and across it.
  static constexpr std::array<Point, 4> kSides{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

  Point middle;
  double direction_rad = 0;         ///< of its first side
  double half_u = 0, half_v = 0;    ///< half its extent along that direction and across it, eaves included
  bool gable = false;               ///< its ridge runs along the first side; false: one plane
  double top_m = 0;                 ///< height of the ridge, or of the middle of the plane
  double slope_u = 0, slope_v = 0;  ///< gradient of the plane; in a gable `slope_v` is that of its halves
  double cost = 1e300;              ///< of all cells, as a log-likelihood
  double sigma_m = 0;               ///< scatter of cells that lie wholly on it
  /// Number of cells that lie wholly on it, without those that a house reaches into, and the sum of their
  /// squared standardised residuals. Both are weighted by evidence_of_cell().
  double covered = 0, misfit = 0;

  /// From the cells that lie wholly on it.
  double log_odds_against_crown() const;
  /// A place on the map from its distances along the first side and across it, from the middle.
  Point place(Point uv) const;
  /// The inverse of place().
  Point distances(Point place) const;
  /// The same with one of kSides moved out.
  RectangleRoof with_side_moved(Point side, double out_m) const;
  /// The same, turned about its middle.
  RectangleRoof turned(double by_rad) const;
  Ring corners() const;  ///< counter-clockwise
  double area() const { return 4 * half_u * half_v; }
  /// How far outside of the rectangle a point lies; negative inside.
  double outside_m(Point p) const;
  /// The place of the rectangle that is nearest to a point.
  Point nearest(Point p) const;
  /// Gradient; for a gable that of either half.
  double slope() const { return std::hypot(slope_u, slope_v); }
  /// Height at a point; outside the rectangle the planes go on.
  double height_at(Point p) const;
};

}  // namespace geo
