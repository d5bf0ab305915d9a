// The error budget: the likely cause of every lost true plane and of every wrong surface, counted by cause.
// It shows where work on the detection pays.
#pragma once
#include <array>
#include <vector>

#include "benchmarks/geo/accuracy_scene.hpp"
#include "benchmarks/geo/accuracy_score.hpp"
#include "geo/roof/roof_plane.hpp"

namespace bench {

enum class Cause {
  no_building,  ///< what was handed to the detection as buildings does not cover the plane
  no_surface,   ///< a building, and no surface on it
  merged,       ///< one surface over several true planes
  split,        ///< several surfaces on one true plane
  slope,        ///< the outline is right, the normal is not
  outline,      ///< the normal is right, the outline is not
  no_roof,      ///< a surface where no roof is
};
inline constexpr std::size_t kCauses = 7;
const char* name_of(Cause cause);

/// Counts by cause, of true planes lost and of surfaces that match none.
struct Budget {
  std::array<int, kCauses> lost{}, lost_below_trees{}, wrong{};
  void add(const Budget& other);
};

Cause cause_of_loss(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const TruePlane& lost);
Cause cause_of_error(const Scene& scene, const geo::RoofPlane& wrong);
Budget budget(const Scene& scene, const std::vector<geo::RoofPlane>& planes, const Score& score);
void print(const char* name, const Budget& budget);

}  // namespace bench
