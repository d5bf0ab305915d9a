// The kinds of roof by their formulas: each is a rectangle of walls and a few planes that rise inwards from
// them. Local metres and heights of body.hpp; slopes are rise over run. The ridge runs along u.
#pragma once
#include <vector>

#include "geo/sample_region/body.hpp"

namespace geo::sample {

enum class RoofKind { gable, hip, half_hip, shed, flat, mansard, pyramid, l_shape, t_shape };
const char* name_of(RoofKind kind);

enum class Side { u0, u1, v0, v1 };

/// How far a roof overhangs each wall; 0 where a neighbour's wall is shared.
struct Overhang {
  double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
  static Overhang all(double m) { return {m, m, m, m}; }
};

/// The plane through height `eaves_m` over the wall on `side`, rising inwards.
LocalPlane rise_from(Side side, const Rect& walls, double eaves_m, double slope);

Body make_body(const Rect& walls, const Overhang& overhang, std::vector<LocalPlane> planes);

Body gable(const Rect& walls, const Overhang& overhang, double eaves_m, double slope_v0, double slope_v1);
Body hip(const Rect& walls, const Overhang& overhang, double eaves_m, double slope, double end_slope);
/// The hips cut the gables from `share` of the ridge's height above the eaves upwards.
Body half_hip(const Rect& walls, const Overhang& overhang, double eaves_m, double slope, double end_slope,
              double share);
Body shed(const Rect& walls, const Overhang& overhang, double eaves_m, double slope);
/// Steep up to `break_m` above the eaves, then gentle.
Body mansard(const Rect& walls, const Overhang& overhang, double eaves_m, double steep, double gentle,
             double break_m);
/// Main roof and a wing of the same slope at its u1 end, towards v0: a hip over the outer corner, a valley in
/// the inner.
std::vector<Body> l_shape(const Rect& walls, const Rect& wing, const Overhang& overhang, double eaves_m,
                          double slope);
/// Main roof and a wing whose ridge runs into the main ridge's side: a valley on either side of it.
std::vector<Body> t_shape(const Rect& walls, const Rect& wing, const Overhang& overhang, double eaves_m,
                          double slope);

}  // namespace geo::sample
