// Outlines of the buildings that stand in a surface model, for places without footprints. They follow the
// cells (so a roof's overhang belongs to them) and are simplified (Douglas and Peucker 1973): a hint to where
// the building is, not a survey. Touching houses are one block. Map metres.
#pragma once
#include <cstdint>
#include <vector>

#include "geo/failure.hpp"
#include "geo/grid/grid.hpp"
#include "geo/property/small_roofs.hpp"
#include "geo/run_control.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct BuildingOutline {
  Polygon shape;
  bool rectangle = false;  ///< a garage's: fitted to the heights, as good as a footprint
};

/// Valid polygons, with courtyards, of all buildings in the window, starting in the north-west. Garages come
/// last; only the box `garages` is searched for them. `fits`: of this surface model and terrain, for the next
/// search in it.
Result<std::vector<BuildingOutline>> building_outlines(const Grid<float>& dsm, const Grid<float>& terrain,
                                                       const Box& garages, RectangleFits& fits,
                                                       const RunControl& control);

/// The outlines of the cells that are 1, connected by edges. Courtyards under 10 m2 are filled.
Result<std::vector<Polygon>> outlines_of(Grid<std::uint8_t> cells, const RunControl& control);

}  // namespace geo
