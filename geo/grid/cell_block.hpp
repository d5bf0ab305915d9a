// Cells of a grid one after another, row by row: all of it, those that a box touches, those around one of
// them.
#pragma once
#include <algorithm>

#include "geo/grid/grid.hpp"
#include "geo/shapes/box.hpp"

namespace geo {

/// The cells of these columns and rows, the last ones included.
struct CellBlock {
  int first_col, last_col, first_row, last_row;

  struct Iterator {
    const CellBlock* block;
    GridCell cell;
    GridCell operator*() const { return cell; }
    void operator++() {
      if (++cell.col > block->last_col) cell = {block->first_col, cell.row + 1};
    }
    bool operator!=(const Iterator& o) const { return cell.row != o.cell.row; }
  };
  Iterator begin() const { return {this, {first_col, first_row}}; }
  Iterator end() const {
    return {this, {first_col, last_col < first_col ? first_row : std::max(first_row, last_row + 1)}};
  }
};

template <class T>
CellBlock all_cells(const Grid<T>& grid) {
  return {0, grid.width - 1, 0, grid.height - 1};
}

/// The part of the block that lies in the grid.
template <class T>
CellBlock clipped(const CellBlock& cells, const Grid<T>& grid) {
  return {std::max(cells.first_col, 0), std::min(cells.last_col, grid.width - 1),
          std::max(cells.first_row, 0), std::min(cells.last_row, grid.height - 1)};
}

template <class T>
CellBlock cells_touching(const Grid<T>& grid, const Box& box) {
  return clipped(
      {grid.col_of(box.min_x), grid.col_of(box.max_x), grid.row_of(box.max_y), grid.row_of(box.min_y)}, grid);
}

/// A cell and the eight around it, as far as the grid goes.
template <class T>
CellBlock cells_around(const Grid<T>& grid, GridCell at) {
  return clipped({at.col - 1, at.col + 1, at.row - 1, at.row + 1}, grid);
}

}  // namespace geo
