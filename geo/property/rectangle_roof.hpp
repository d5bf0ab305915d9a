// A small roof over a rectangle: level, leaning to one side, or a gable with its ridge in the middle. Metres.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "geo/property/crown_odds.hpp"
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
  double log_odds_against_crown() const {
    // Of the 3 m windows in the woods of Essen (North Rhine-Westphalia's surface model) 19 of 20 scatter at
    // least this much about their plane, and half of them 1 m; steep windows scatter more.
    constexpr double kCrownScatter_m = 0.28, kSteepCrownScatter = 4;
    const double crown_scatter = std::max(kCrownScatter_m / sigma_m, kSteepCrownScatter);
    return geo::log_odds_against_crown(covered - (gable ? 2 : 3), misfit, crown_scatter);
  }

  /// A place on the map from its distances along the first side and across it, from the middle.
  Point place(Point uv) const {
    const double c = std::cos(direction_rad), s = std::sin(direction_rad);
    return {middle.x + c * uv.x - s * uv.y, middle.y + s * uv.x + c * uv.y};
  }
  /// The inverse of place().
  Point distances(Point place) const {
    const double c = std::cos(direction_rad), s = std::sin(direction_rad);
    const Point d{place.x - middle.x, place.y - middle.y};
    return {c * d.x + s * d.y, c * d.y - s * d.x};
  }

  /// The same with one of kSides moved out.
  RectangleRoof with_side_moved(Point side, double out_m) const {
    RectangleRoof out = *this;
    out.half_u += std::abs(side.x) * out_m / 2, out.half_v += std::abs(side.y) * out_m / 2;
    out.middle = place({side.x * out_m / 2, side.y * out_m / 2});
    return out;
  }
  /// The same, turned about its middle.
  RectangleRoof turned(double by_rad) const {
    RectangleRoof out = *this;
    out.direction_rad += by_rad;
    return out;
  }

  /// Counter-clockwise.
  Ring corners() const {
    return {place({-half_u, -half_v}), place({half_u, -half_v}), place({half_u, half_v}),
            place({-half_u, half_v})};
  }
  double area() const { return 4 * half_u * half_v; }
  /// How far outside of the rectangle a point lies; negative inside.
  double outside_m(Point p) const {
    const Point d = distances(p);
    return std::max(std::abs(d.x) - half_u, std::abs(d.y) - half_v);
  }
  /// The place of the rectangle that is nearest to a point.
  Point nearest(Point p) const {
    const Point d = distances(p);
    return place({std::clamp(d.x, -half_u, half_u), std::clamp(d.y, -half_v, half_v)});
  }
  /// Gradient; for a gable that of either half.
  double slope() const { return std::hypot(slope_u, slope_v); }
  /// Height at a point; outside the rectangle the planes go on.
  double height_at(Point p) const {
    const Point d = distances(p);
    return gable ? top_m - slope_v * std::abs(d.y) : top_m + slope_u * d.x + slope_v * d.y;
  }
};

}  // namespace geo
