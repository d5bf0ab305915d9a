// What stands on roofs: dormers (shed and gable), chimneys, skylights. Each is a body of its own; where it is
// higher than the roof, it takes the laser's return. Local metres and heights of body.hpp.
#pragma once
#include <vector>

#include "geo/sample_region/body.hpp"
#include "geo/sample_region/random.hpp"

namespace geo::sample {

/// One side of a ridge that runs along u. `d` below is the distance from its eaves' wall towards the ridge.
struct Slope {
  Rect walls;
  bool from_v0 = true;
  double eaves_m = 0;
  double slope = 0;                 ///< rise over run
  double free_u0 = 0, free_u1 = 0;  ///< where dormers and skylights have room
  double ridge_d() const { return walls.width() / 2; }
};

/// Up to three equal dormers in a row; none when the roof is too low for them.
std::vector<Body> dormer_row(const Slope& slope, Random& random);
/// One to three skylights where `taken` leaves room.
std::vector<Body> skylight_row(const Slope& slope, const std::vector<Body>& taken, Random& random);
/// Its top stands above the highest roof body within a metre.
Body chimney(double u, double v, const std::vector<Body>& roof, Random& random);

}  // namespace geo::sample
