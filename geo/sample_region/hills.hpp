// The sample region's ground, one smooth function from the garden to the horizon: a slope with undulations
// where the houses stand, hills further out and a mountain chain to the south. Region metres (true east and
// north of the place).
#pragma once
#include <cstdint>
#include <vector>

#include "geo/shapes/shapes.hpp"

namespace geo::sample {

class Terrain {
 public:
  /// `base_m`: the height at the place itself.
  Terrain(std::uint32_t seed, double base_m);
  double height(Point at) const;

 private:
  struct Wave {
    double kx, ky, phase, amplitude_m;
  };
  static double sum(const std::vector<Wave>& waves, Point at);

  double base_m_;
  double slope_x_, slope_y_;
  std::vector<Wave> undulations_;
  std::uint64_t hills_;              ///< which hills: the salt of their noise
  double chain_east_, chain_north_;  ///< unit vector towards the mountain chain
};

}  // namespace geo::sample
