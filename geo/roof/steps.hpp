// Rows of houses that step by a few decimetres. Their slopes run on from house to house, and one plane that
// leans along the row, or several that cross the party walls, explain them nearly as well. What tells them
// apart is that along the ridge the heights, less what the slope explains, are even but for jumps. Where they
// jump is found over all partitions of the ridge by dynamic programming (Bellman 1961; Auger & Lawrence 1989,
// "Algorithms for the optimal identification of segment neighborhoods"), every piece paying for itself.
// Local metres; costs in the unit of residual_cost().
#pragma once
#include <vector>

#include "geo/roof/segments.hpp"

namespace geo {

/// An even slope between two party walls.
struct SlopePiece {
  Plane plane;
  std::vector<int> cells;  ///< indices into RoofCells
};

struct SteppedSlope {
  std::vector<SlopePiece> pieces;
  double cost = 1e300;  ///< of the cells, and of a plane a piece
};

/// The best partition of these cells, which fall along about `gradient`; a slope without steps is one piece.
/// `sigma_m`: a cell's noise. No piece when the cells are too few.
SteppedSlope stepped_slope(const RoofCells& cells, const std::vector<int>& own,
                           const Eigen::Vector2d& gradient, double sigma_m);

/// Puts level pieces in the place of segments that fall alike and touch, wherever that explains their cells
/// at less cost. `noise`: of the cells alone, without allowances. True when anything changed.
bool part_at_steps(RoofSegmentation& roof, const CellNoise& noise, const RunControl& control);

/// Whether two segments that fall alike are parted by a step that their cells' noise does not explain.
bool is_step(const RoofSegmentation& roof, const RoofSegment& a, const RoofSegment& b,
             const CellNoise& noise);

}  // namespace geo
