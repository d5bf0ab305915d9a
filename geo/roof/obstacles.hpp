// What stands on a surface: groups of cells within its outline that do not lie on its plane. Chimneys, small
// dormers and recesses become rectangles along the slope in which no module may lie; trees above the surface
// are told apart, because they are not part of the roof. Local metres.
#pragma once
#include <optional>
#include <vector>

#include "geo/roof/segments.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {

struct RoofObstacles {
  std::vector<Polygon> shapes;  ///< clipped to the outline
  bool below_vegetation = false;
  int all_cells = 0;       ///< of the outline, with data
  int cells = 0;           ///< of those, not mixed at the outline's edge
  int cells_on_plane = 0;  ///< of those, on the plane; a cell on it counts as not mixed
  /// Nothing where there are no such cells.
  std::optional<double> share_on_plane() const {
    return cells ? std::optional(static_cast<double>(cells_on_plane) / cells) : std::nullopt;
  }
};

RoofObstacles find_obstacles(const Grid<float>& height, const Plane& plane, const Polygon& outline,
                             const CellNoise& noise);

}  // namespace geo
