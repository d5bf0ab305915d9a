#include "geo/roof/contours.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "geo/grid/cell_block.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

struct CellEdge {
  int from_col, from_row, to_col, to_row;  // corners of cells; the label lies to the left
  int across;
};

/// Directed cell edges around all cells of `label`, counter-clockwise seen with north up.
std::vector<CellEdge> cell_edges(const Grid<int>& labels, int label) {
  std::vector<CellEdge> edges;
  auto at = [&](int c, int r) { return labels.contains(c, r) ? labels.at(c, r) : -1; };
  for (const auto [col, row] : all_cells(labels)) {
    if (labels.at(col, row) != label) continue;
    if (int o = at(col, row + 1); o != label) edges.push_back({col, row + 1, col + 1, row + 1, o});
    if (int o = at(col + 1, row); o != label) edges.push_back({col + 1, row + 1, col + 1, row, o});
    if (int o = at(col, row - 1); o != label) edges.push_back({col + 1, row, col, row, o});
    if (int o = at(col - 1, row); o != label) edges.push_back({col, row, col, row + 1, o});
  }
  return edges;
}

std::vector<std::vector<CellEdge>> rings_of(std::vector<CellEdge> edges) {
  std::map<std::pair<int, int>, std::vector<std::size_t>> leaving;
  for (std::size_t i = 0; i < edges.size(); ++i) leaving[{edges[i].from_col, edges[i].from_row}].push_back(i);
  std::vector<char> used(edges.size(), 0);
  std::vector<std::vector<CellEdge>> rings;
  for (std::size_t start = 0; start < edges.size(); ++start) {
    if (used[start]) continue;
    std::vector<CellEdge> ring;
    std::size_t at = start;
    for (;;) {
      used[at] = 1;
      ring.push_back(edges[at]);
      const CellEdge& e = edges[at];
      std::size_t next = edges.size();
      int best_turn = 2;
      for (std::size_t candidate : leaving[{e.to_col, e.to_row}]) {
        if (used[candidate]) continue;
        const CellEdge& n = edges[candidate];
        // Where two cells touch at a corner only, turn left: each keeps its own ring. Rows count southwards.
        const int turn = (e.to_col - e.from_col) * (n.to_row - n.from_row) -
                         (e.to_row - e.from_row) * (n.to_col - n.from_col);
        if (turn < best_turn) {
          best_turn = turn;
          next = candidate;
        }
      }
      if (next == edges.size()) break;
      at = next;
    }
    rings.push_back(std::move(ring));
  }
  return rings;
}

void add_pieces(const Grid<int>& labels, int label, const std::vector<CellEdge>& ring, double tolerance_m,
                std::vector<ContourPiece>& pieces) {
  auto corner = [&](int col, int row) {
    return Point{labels.west + col * labels.cell_m, labels.north - row * labels.cell_m};
  };
  // Midpoints of the cell edges make a smoother chain than the corners: a slanting edge is no staircase
  // there.
  Ring midpoints;
  for (const CellEdge& e : ring)
    midpoints.push_back((corner(e.from_col, e.from_row) + corner(e.to_col, e.to_row)) * 0.5);
  const Ring corners = simplified_ring(midpoints, tolerance_m);
  if (corners.size() < 3) return;
  std::size_t start = 0;
  while (!(midpoints[start] == corners[0])) ++start;
  std::size_t at = start;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    ContourPiece piece{.label = label, .a = corners[i], .b = corners[(i + 1) % corners.size()]};
    std::map<int, int> votes;
    for (bool first = true; first || !(midpoints[at] == piece.b);
         first = false, at = (at + 1) % midpoints.size()) {
      piece.midpoints.push_back(midpoints[at]);
      piece.across.push_back(ring[at].across);
      ++votes[ring[at].across];
    }
    piece.midpoints.push_back(midpoints[at]);
    piece.across.push_back(ring[at].across);
    piece.beyond = std::max_element(votes.begin(), votes.end(), [](auto& x, auto& y) {
                     return x.second < y.second;
                   })->first;
    pieces.push_back(std::move(piece));
  }
}

}  // namespace

std::vector<ContourPiece> contour_pieces(const Grid<int>& labels, double tolerance_m) {
  std::vector<ContourPiece> pieces;
  const int last = labels.values.empty() ? -1 : *std::max_element(labels.values.begin(), labels.values.end());
  for (int label = 0; label <= last; ++label)
    for (const auto& ring : rings_of(cell_edges(labels, label)))
      add_pieces(labels, label, ring, tolerance_m, pieces);
  return pieces;
}

}  // namespace geo
