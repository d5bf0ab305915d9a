// Garages, sheds and carports, standing alone or against a house. Hardly any window of cells on their roofs
// is even, so each group of high cells that belongs to no house is compared with a small roof over a
// rectangle. The roof is accepted when noise explains the scatter of its cells: the cells of a crown, a hedge
// or a lorry's load scatter many times as much. Metres.
#pragma once
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "geo/grid/grid.hpp"
#include "geo/property/planar_segments.hpp"
#include "geo/property/rectangle_fit.hpp"
#include "geo/property/rectangle_roof.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/box.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct SmallRoof {
  Polygon outline;                 ///< of the eaves; drawn out to the house where it stands against one
  bool of_house = false;           ///< it continues the house's own roof: a wing's end, not a garage
  std::vector<std::size_t> cells;  ///< those that it mostly covers, high or not
};

/// What is known about each cell; 1 means yes.
struct SmallRoofCells {
  const Mask& groups;        ///< the cells whose connected groups may be a small roof each
  const Mask& high;          ///< all cells that rise above the ground and belong to no house
  const Mask& houses;        ///< cells of houses
  const Mask& house_planes;  ///< cells on the houses' planes, and other roofs: no small roof covers them;
                             ///< the rest of `houses` is edges, which may belong to a garage beside them
  const Mask& refused;       ///< cells looked at before; a group of nothing else is skipped
};

/// The roofs fitted so far in one surface model. Most groups are looked at several times: before and after
/// the houses are known, and once more when garages are searched farther away. Where nothing around a group
/// has changed, its roof has not either.
class RectangleFits {
 public:
  /// The roof of the group that `key` describes, from `fit` when it is not known yet.
  template <class Fit>
  const RectangleRoof& of(std::string key, const Fit& fit) {
    const auto [known, is_new] = roofs_.try_emplace(std::move(key));
    if (is_new) known->second = fit();
    return known->second;
  }

 private:
  std::unordered_map<std::string, RectangleRoof> roofs_;
};

/// The small roofs among the groups with a cell in `where`. Other groups are not searched: each takes a
/// millisecond, and a neighbourhood has hundreds of bushes. `fits`: of this surface model, terrain and cell
/// model.
std::vector<SmallRoof> small_roofs(const Grid<float>& dsm, const Grid<float>& terrain,
                                   const SmallRoofCells& cells, const Box& where, const CellModel& model,
                                   RectangleFits& fits, const RunControl& control);

}  // namespace geo
