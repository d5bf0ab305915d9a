#include "geo/property/building_pieces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/grid/cell_block.hpp"

namespace geo {

std::vector<Piece> pieces_of(const Mask& cells, Beside beside, const RunControl& control) {
  const std::size_t steps = beside == Beside::edges ? kBeside.size() : kAround.size();
  Mask left = cells;
  std::vector<Piece> pieces;
  for (std::size_t start = 0; start < left.values.size(); ++start) {
    if (!left.values[start]) continue;
    control.checkpoint();
    Piece piece{start};
    left.values[start] = 0;
    for (std::size_t next = 0; next < piece.size(); ++next) {
      const GridCell at = cells.cell(piece[next]);
      for (std::size_t k = 0; k < steps; ++k) {  // the first four of kAround are kBeside
        const int c = at.col + kAround[k][0], r = at.row + kAround[k][1];
        if (!left.contains(c, r) || !left.at(c, r)) continue;
        left.at(c, r) = 0;
        piece.push_back(cells.index(c, r));
      }
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

Mask pieces_that(Mask cells, const std::function<bool(const Piece&)>& keep, const RunControl& control) {
  for (const Piece& piece : pieces_of(cells, Beside::edges, control)) {
    control.checkpoint();
    if (!keep(piece))
      for (std::size_t i : piece) cells.values[i] = 0;
  }
  return cells;
}

double share_in(const Mask& mask, const Piece& piece) {
  const auto count =
      std::count_if(piece.begin(), piece.end(), [&](std::size_t i) { return mask.values[i] != 0; });
  return static_cast<double>(count) / static_cast<double>(piece.size());
}

bool has_core(const Mask& cells, const Piece& piece) {
  const int radius = std::max(1, static_cast<int>(std::lround(1 / cells.cell_m)));
  return std::any_of(piece.begin(), piece.end(), [&](std::size_t i) {
    const GridCell at = cells.cell(i);
    for (int r = at.row - radius; r <= at.row + radius; ++r)
      for (int c = at.col - radius; c <= at.col + radius; ++c)
        if (!cells.contains(c, r) || !cells.at(c, r)) return false;
    return true;
  });
}

double share_hemmed_in(const Mask& high, const Mask& known, const Piece& piece) {
  Mask own = high.like(std::uint8_t{0});
  for (std::size_t i : piece) own.values[i] = 1;
  int around = 0, hemmed = 0;
  for (std::size_t i : piece)
    for (const auto [c, r] : cells_around(own, own.cell(i))) {
      if (own.at(c, r)) continue;
      own.at(c, r) = 2;  // each cell once
      ++around;
      hemmed += high.at(c, r) && !known.at(c, r);
    }
  return around > 0 ? static_cast<double>(hemmed) / around : 0;
}

double share_without_walls(const Grid<float>& dsm, const Grid<float>& terrain, const Mask& high,
                           const Piece& piece) {
  constexpr double kEven_m = 0.25;   // an even slope bends less than this
  constexpr double kSteepest_m = 1;  // drop over a metre: ramps and embankments are flatter, walls steeper
  const int step_cells = std::max(1, static_cast<int>(std::lround(1 / dsm.cell_m)));
  int border = 0, open = 0;
  for (std::size_t i : piece) {
    const GridCell at = dsm.cell(i);
    for (const auto& step : kBeside) {
      const int c = at.col + step[0], r = at.row + step[1];
      if (!dsm.contains(c, r) || high.at(c, r)) continue;
      ++border;
      // From one step inside to two steps outside.
      std::array<double, 4> z{};
      bool known = true;
      for (int k = 0; k < 4 && known; ++k) {
        const int kc = at.col + (k - 1) * step_cells * step[0], kr = at.row + (k - 1) * step_cells * step[1];
        known = dsm.contains(kc, kr) && !std::isnan(dsm.at(kc, kr));
        if (known) z[k] = dsm.at(kc, kr) - terrain.at(kc, kr);
      }
      if (!known) continue;
      const bool even =
          std::abs(z[0] - 2 * z[1] + z[2]) < kEven_m && std::abs(z[1] - 2 * z[2] + z[3]) < kEven_m;
      open += even && z[1] - z[2] < kSteepest_m && z[3] > 0.2;
    }
  }
  return border > 0 ? static_cast<double>(open) / border : 0;
}

}  // namespace geo
