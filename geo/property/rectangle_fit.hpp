// The rectangular roof that explains single cells best. On a garage hardly any window of cells lies wholly in
// one half of the roof, and the cells at its edges mix roof and ground. So a cell is compared with the mean
// of what it covers, roof and ground, and the edges are found to a fraction of a cell (a parametric
// primitive, in the manner of Maas & Vosselman 1999, "Two algorithms for extracting building models from raw
// laser altimetry data"). Metres.
#pragma once
#include <vector>

#include "geo/property/rectangle_roof.hpp"

namespace geo {

/// Where a cell lies relative to a house. No small roof covers a house's planes. The house's edge, one cell
/// all around its planes, may belong to the small roof. The house's eave may reach into the edge and into the
/// cells beside it; a cell that it reaches into is no evidence.
enum class ToHouse { apart, beside, edge, plane };

/// A cell near a small roof: its centre, the surface's height and the ground's.
struct RoofEdgeCell {
  Point at;
  double z = 0, ground = 0;
  ToHouse to_house = ToHouse::apart;
};

/// What the cells of a surface model show.
struct CellModel {
  double cell_m = 1;             ///< size of a cell
  double support_m = 1;          ///< side of the square over which its height is a mean (cell_kind.hpp)
  double noise_per_slope_m = 0;  ///< how far cells scatter about a slope, divided by its gradient
};

/// The best roof over the high cells `seen`, a subset of `cells`. Every one of `cells` must be explained by
/// the roof or by the ground. The cost is 1e300 when nothing fits.
RectangleRoof fit_rectangle_roof(const std::vector<RoofEdgeCell>& cells, const std::vector<Point>& seen,
                                 const CellModel& model);

}  // namespace geo
