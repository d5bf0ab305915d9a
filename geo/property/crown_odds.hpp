// The odds that cells belong to a roof rather than to a crown (likelihood ratio, Neyman & Pearson 1933). A
// roof's cells scatter as much as fits assume, a crown's several times as much. The caller decides which odds
// are enough for a roof.
#pragma once
#include <algorithm>
#include <cmath>

namespace geo {

/// How much a cell counts as evidence. Leaves hang together on twigs and branches, so cells smaller than a
/// metre do not scatter independently.
inline double evidence_of_cell(double cell_m) { return std::min(1.0, cell_m * cell_m); }

/// Logarithm of the odds that cells belong to a roof and not to a crown. `freedom`: the number of cells, each
/// weighted by evidence_of_cell(), less the fit's parameters. `misfit`: the sum of the squared residuals,
/// each divided by a roof's variance and weighted by evidence_of_cell(). `crown_scatter`: how many times as
/// much as a roof's cells a crown's cells scatter, at least.
inline double log_odds_against_crown(double freedom, double misfit, double crown_scatter) {
  return freedom * std::log(crown_scatter) - 0.5 * misfit * (1 - 1 / (crown_scatter * crown_scatter));
}

}  // namespace geo
