// Connected pieces of cells that look like a building, and the tests that tell buildings from other high and
// even things: crowns, hedges, cranes' jibs, bridges, embankments. Metres.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "geo/property/planar_segments.hpp"

namespace geo {

using Piece = std::vector<std::size_t>;  ///< indices of connected cells

enum class Beside { edges, edges_and_corners };

/// The pieces of the cells that are 1.
std::vector<Piece> pieces_of(const Mask& cells, Beside beside, const RunControl& control);

/// The cells of `cells`, without the pieces for which `keep` says false.
Mask pieces_that(Mask cells, const std::function<bool(const Piece&)>& keep, const RunControl& control);

/// Share of the piece's cells that are 1 in `mask`.
double share_in(const Mask& mask, const Piece& piece);

/// Whether some cell of the piece is the middle of about 3 m by 3 m of `cells`. A jib, a hedge or a wall has
/// no such cell.
bool has_core(const Mask& cells, const Piece& piece);

/// Of the cells around the piece, the share that is 1 in `high` but not in `known`. A crown goes on beyond
/// the piece; a shed ends.
double share_hemmed_in(const Mask& high, const Mask& known, const Piece& piece);

/// Of a piece that ends as a shed does.
inline constexpr double kMostHemmedIn = 0.35;

/// Share of the piece's border across which the surface goes on down to the ground without a step, as beside
/// a road on a bridge's ramp or an embankment. A roof ends at a wall.
double share_without_walls(const Grid<float>& dsm, const Grid<float>& terrain, const Mask& high,
                           const Piece& piece);

}  // namespace geo
