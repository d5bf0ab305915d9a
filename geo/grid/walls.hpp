// Walls in a surface model: in a line of cells, a jump between two even sides. Cells between the sides mix
// both (cell_kind.hpp), and rows of them look like a steep slope. Metres.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "geo/grid/grid.hpp"

namespace geo {

/// Cells in a row, along an axis of the grid or a diagonal.
class CellLine {
 public:
  /// Of a wall's height: a cell nearer to a side counts as that side's.
  static constexpr double kBetween = 0.15;

  CellLine(const Grid<float>& heights, int col, int row, int east, int south)
      : heights_(heights), col_(col), row_(row), east_(east), south_(south) {}
  bool contains(int i) const { return heights_.contains(col_ + i * east_, row_ + i * south_); }
  double height(int i) const { return heights_.at(col_ + i * east_, row_ + i * south_); }
  /// Where the height of a cell lies between those of two others: 0 at the first, 1 at the second.
  double share(int i, int from, int to) const {
    return (height(i) - height(from)) / (height(to) - height(from));
  }
  /// Whether the heights jump from one cell to another and are even on both sides of them.
  bool has_wall(int from, int to) const;

 private:
  const Grid<float>& heights_;
  int col_, row_, east_, south_;
};

/// 1 for the cells that a wall explains. Up to `mixed_cells` in a row are one wall's.
Grid<std::uint8_t> wall_cells(const Grid<float>& heights, int mixed_cells);

}  // namespace geo
