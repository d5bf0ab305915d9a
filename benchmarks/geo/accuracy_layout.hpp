// The module layout on found surfaces against an exhaustive packing: the rigid grid set down every few
// centimetres both ways, counting the cells that keep their distances. Shares no code with geo/layout.
#pragma once
#include <vector>

#include "benchmarks/geo/accuracy_scene.hpp"
#include "geo/roof/roof_plane.hpp"

namespace bench {

struct LayoutCheck {
  int surfaces = 0;
  int modules = 0;   ///< laid out, both orientations counted
  int searched = 0;  ///< by the exhaustive packing
  int fewer = 0;     ///< surfaces on which the packing has more
  int outside = 0;   ///< modules nearer to an edge or an obstacle than the margin
  void add(const LayoutCheck& other);
};

/// Of the scene's first `most` surfaces.
LayoutCheck check_layout(const Scene& scene, const std::vector<geo::RoofPlane>& planes, std::size_t most);

}  // namespace bench
