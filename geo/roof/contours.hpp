// The outlines of labelled cells as straight pieces: rings along the cells' edges, simplified (Douglas &
// Peucker 1973), each piece with what lies on its other side. Grid frame's metres.
#pragma once
#include <vector>

#include "geo/grid/grid.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

struct ContourPiece {
  int label = -1;                ///< the cells to the left
  int beyond = -1;               ///< the most frequent label to the right, -1 for none
  Point a, b;                    ///< ends of the simplified piece
  std::vector<Point> midpoints;  ///< of the cell edges it stands for
  std::vector<int> across;       ///< the label to the right of each of them
};

/// Pieces of all labels >= 0, in the order of labels and cells.
std::vector<ContourPiece> contour_pieces(const Grid<int>& labels, double tolerance_m);

}  // namespace geo
