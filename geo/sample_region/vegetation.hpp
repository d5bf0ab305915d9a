// Trees and hedges as a laser sees them: a rough surface that lets a part of the pulses through. Region
// metres.
#pragma once
#include <cmath>

#include "geo/shapes/shapes.hpp"

namespace geo::sample {

struct Tree {
  Point at;
  double ground_m = 0;  ///< height of the ground at the trunk
  double height_m = 8;
  double radius_m = 3;
  bool conifer = false;
};

struct Hedge {
  Point from, to;
  double width_m = 0.8;
  double height_m = 1.8;
};

/// Height of the crown's upper side over a point, NaN beside the crown: a lumpy ellipsoid, or a cone for
/// conifers.
double crown_height(const Tree& tree, Point at);
/// Height of the crown's lower side: pulses that enter the crown end between its two sides, or pass through.
double crown_base(const Tree& tree);
bool covers(const Hedge& hedge, Point at);

}  // namespace geo::sample
