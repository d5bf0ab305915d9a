#include "geo/roof/address_roof.hpp"

#include <algorithm>
#include <limits>

#include "geo/property/cell_figures.hpp"
#include "geo/shapes/shape_algebra.hpp"

namespace geo {
namespace {

constexpr double kBeside_m = 1;  // a dormer too small to be listed, an edge that the cells blur

bool is_high(Point p, const Grid<float>& dsm, const Grid<float>& terrain) {
  const int col = dsm.col_of(p.x), row = dsm.row_of(p.y);
  return dsm.contains(col, row) && dsm.at(col, row) - terrain.at(col, row) >= kLowestRoof_m;
}

}  // namespace

bool roof_stands_at(Point address, const std::vector<RoofPlane>& planes,
                    const std::vector<Building>& buildings, const Grid<float>& dsm,
                    const Grid<float>& terrain) {
  double to_roof_m = std::numeric_limits<double>::infinity();
  for (const RoofPlane& plane : planes) to_roof_m = std::min(to_roof_m, distance_m(plane.outline, address));
  // An address point in front of the house stands for the wall next to it; a point on something high stands
  // for that.
  const double to_wall_m =
      is_high(address, dsm, terrain) ? 0 : distance_m(buildings.front().footprint, address);
  return to_roof_m <= to_wall_m + kBeside_m;
}

}  // namespace geo
