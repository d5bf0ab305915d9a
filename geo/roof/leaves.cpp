#include "geo/roof/leaves.hpp"

#include <algorithm>

#include "geo/grid/cell_block.hpp"
#include "geo/property/cell_figures.hpp"
#include "geo/shapes/plane_geometry.hpp"

namespace geo {
namespace {

constexpr int kFellows = 5;        // most of the eight cells around: a strip along an eave has two
constexpr double kEave_cells = 1;  // around a neighbour's walls

/// High cells that lie on no plane, and no wall explains them.
Grid<char> stray_cells(const RoofSite& site, const RoofSegmentation& roof) {
  Grid<char> strays = site.height.like<char>(0);
  for (const auto [col, row] : all_cells(strays)) {
    const int cell = roof.cells.index.at(col, row);
    if (cell >= 0 && roof.segment_of[cell] >= 0) continue;
    if (cell >= 0 && roof.cells.at_wall[cell]) continue;
    if (!(site.height.at(col, row) - site.ground.at(col, row) >= kLowestRoof_m)) continue;  // NaN included
    strays.at(col, row) =
        !is_near_neighbour(site, site.height.centre(col, row), kEave_cells * site.height.cell_m);
  }
  return strays;
}

}  // namespace

Grid<char> leaf_cells(const RoofSite& site, const RoofSegmentation& roof) {
  const Grid<char> strays = stray_cells(site, roof);
  Grid<char> leaves = strays.like<char>(0);
  for (const auto [col, row] : all_cells(leaves)) {
    if (!strays.at(col, row)) continue;
    int fellows = -1;  // itself
    for (const auto [c, r] : cells_around(strays, {col, row})) fellows += strays.at(c, r);
    leaves.at(col, row) = fellows >= kFellows;
  }
  return leaves;
}

}  // namespace geo
