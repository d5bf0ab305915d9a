// Rows of houses that step by a few decimetres. Their slopes run on from house to house, and one plane that
// leans along the row, or several that cross the party walls, explain them nearly as well. What tells them
// apart is that along the ridge the heights, less what the slope explains, are even but for jumps
// (geo/roof/step_profile.hpp), and that they jump on both sides of the ridge alike. Every step pays for
// itself. Local metres; costs in the unit of residual_cost().
#pragma once
#include <vector>

#include "geo/roof/segments.hpp"
#include "geo/roof/step_profile.hpp"

namespace geo {

/// An even slope between two party walls.
struct SlopePiece {
  Plane plane;
  std::vector<int> cells;  ///< indices into RoofCells
  std::size_t side = 0;    ///< of the ridge
  std::size_t unit = 0;    ///< which house along the ridge; both sides of one have the same number
};

struct SteppedSlope {
  std::vector<SlopePiece> pieces;
  std::size_t units = 1;  ///< houses in a row; 1 without steps
  double cost = 1e300;    ///< of the cells, of one plane for each side, and of the steps
};

/// The best partition of one slope, or of both sides of a ridge in common, without steps lower than 12 cm: a
/// roof is built no more evenly. `sigma_m`: a cell's noise. No piece when the cells are too few.
SteppedSlope stepped_slope(const RoofCells& cells, const std::vector<SlopeSide>& sides, double sigma_m);

/// Replaces segments that fall alike and touch with pieces that are even along the ridge, wherever these
/// explain the cells at less cost. `noise`: of the cells alone, without allowances. True when anything
/// changed.
bool part_at_steps(RoofSegmentation& roof, const CellNoise& noise, const RunControl& control);

}  // namespace geo
