// The settlement's plan: parallel curved streets with a row of plots on either side and one cross street.
// Plan coordinates (s along the streets, t across) are bent onto the ground by concentric arcs; plots are
// rectangles in the plan whose corners lie on a lattice, so that neighbours share their borders to the last
// bit. Metres.
#pragma once
#include <vector>

#include "geo/sample_region/random.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo::sample {

inline constexpr double kLattice_m = 4;     ///< plots begin and end on multiples of this
inline constexpr double kStreetHalf_m = 4;  ///< from a street's axis to the plots
inline constexpr double kPlotDepth_m = 30;
inline constexpr double kStreetPitch_m = 2 * (kStreetHalf_m + kPlotDepth_m);

class StreetPlan {
 public:
  StreetPlan(int streets, Random& random);
  int streets() const { return streets_; }
  double street_t(int street) const { return (street - (streets_ - 1) / 2.0) * kStreetPitch_m; }
  Point on_ground(double s, double t) const;
  Point on_plan(Point ground) const;  ///< x is s, y is t
  /// Of growing s, counter-clockwise from east, radians.
  double direction_rad(double s) const;
  /// Ground metres per metre of s at t.
  double stretch(double t) const { return (radius_m_ + t) / radius_m_; }
  /// The plan's rectangle on the ground, with a point at every lattice multiple along s.
  Ring area(double s0, double s1, double t0, double t1) const;

 private:
  int streets_;
  double radius_m_;
  double turn_rad_;
};

/// A stretch of one side of a street.
struct Plot {
  int street = 0;
  int side = 1;  ///< +1: towards growing t
  double s0 = 0, s1 = 0;
};

}  // namespace geo::sample
