// The rectangular roof that explains single cells best. On a garage hardly a window of cells lies in one half
// of the roof, and its edges are mixed with the ground; so a cell is compared with the mean of what it
// covers, roof and ground, and the edges come out to a fraction of a cell (a parametric primitive, in the
// manner of Maas & Vosselman 1999, "Two algorithms for extracting building models from raw laser altimetry
// data"). Metres.
#pragma once
#include <vector>

#include "geo/property/rectangle_roof.hpp"

namespace geo {

/// How a cell lies to a house. On its planes no small roof goes. What counted as its edge, one cell all
/// around, may be the small roof's; its eave may reach into that and into what lies beside: no evidence where
/// it does.
enum class ToHouse { apart, beside, edge, plane };

/// A cell near a small roof: its centre, the surface's height and the ground's.
struct RoofEdgeCell {
  Point at;
  double z = 0, ground = 0;
  ToHouse to_house = ToHouse::apart;
};

/// The best roof over the high cells `seen`, which are among `cells`; all of them are explained by it or by
/// the ground. `cell_m`: their size; `noise_per_slope_m`: how far they scatter about a slope, over its
/// gradient. A cost of 1e300 when nothing fits at all.
RectangleRoof fit_rectangle_roof(const std::vector<RoofEdgeCell>& cells, const std::vector<Point>& seen,
                                 double cell_m, double noise_per_slope_m);

}  // namespace geo
