// A small roof over a rectangle, fitted to single cells: level, leaning to one side, or a gable with its
// ridge in the middle. On a garage hardly a window of cells lies in one half of the roof, and its edges are
// mixed with the ground; so a cell is compared with the mean of what it covers, roof and ground, and the
// edges come out to a fraction of a cell (a parametric primitive, in the manner of Maas & Vosselman 1999,
// "Two algorithms for extracting building models from raw laser altimetry data"). Metres.
#pragma once
#include <cmath>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo {

/// How a cell lies to a house. On its planes no small roof goes. What counted as its edge, one cell all
/// around, may be the small roof's; its eave may reach into that and into what lies beside: no evidence where
/// it does.
enum class ToHouse { apart, beside, edge, plane };

/// A cell near a small roof: its centre, the surface's height and the ground's.
struct RoofEdgeCell {
  Point at;
  double z = 0, ground = 0;
  ToHouse to_house = ToHouse::apart;
};

struct RectangleRoof {
  Point middle;
  double direction_rad = 0;         ///< of its first side
  double half_u = 0, half_v = 0;    ///< half its extent along that direction and across it, eaves included
  bool gable = false;               ///< its ridge runs along the first side; else one plane
  double top_m = 0;                 ///< of the ridge, or in the middle of the plane
  double slope_u = 0, slope_v = 0;  ///< of the plane; of a gable `slope_v` is how its halves fall
  double cost = 1e300;  ///< of all cells, as a log-likelihood; unexplained ones cost kUnexplainedCell
  double sigma_m = 0;   ///< by which cells that lie wholly on it scatter
  int covered = 0;      ///< cells that lie wholly on it, without those that a house reaches into
  double misfit = 0;    ///< their sum of squared standardised residuals

  /// By the cells that lie wholly on it.
  double log_odds_against_crown() const;
  Ring corners() const;  ///< counter-clockwise
  double area() const { return 4 * half_u * half_v; }
  /// How far outside of the rectangle a point lies; negative inside.
  double outside_m(Point p) const;
  /// The place of the rectangle that is nearest to a point.
  Point nearest(Point p) const;
  /// Gradient, of a gable either half's.
  double slope() const { return std::hypot(slope_u, slope_v); }
  /// Above a point, as far as the roof reaches.
  double height_at(Point p) const;
};

inline constexpr double kUnexplainedCell = 4;

/// The best roof over the high cells `seen`, which are among `cells`; all of them are explained by it or by
/// the ground. `cell_m`: their size; `noise_per_slope_m`: how far they scatter about a slope, over its
/// gradient. A cost of 1e300 when nothing fits at all.
RectangleRoof fit_rectangle_roof(const std::vector<RoofEdgeCell>& cells, const std::vector<Point>& seen,
                                 double cell_m, double noise_per_slope_m);

}  // namespace geo
