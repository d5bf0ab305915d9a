// Is it a roof, whose cells scatter by what fits assume, or a crown, in which they scatter several times as
// much? The odds of the one against the other (likelihood ratio, Neyman & Pearson 1933). The caller decides
// from which odds it takes the cells for a roof.
#pragma once
#include <algorithm>
#include <cmath>

namespace geo {

/// What a cell counts as evidence: leaves hang together on twigs and branches, so that finer cells than a
/// metre's do not scatter each by itself.
inline double evidence_of_cell(double cell_m) { return std::min(1.0, cell_m * cell_m); }

/// Logarithm of the odds that cells are a roof's and no crown's. `freedom`: cells, each by its
/// evidence_of_cell(), less the fit's parameters; `misfit`: the sum of their squared residuals, each over
/// what a roof's scatters by and by its evidence_of_cell(); `crown_scatter`: how many times as much a crown's
/// cells scatter, at least.
inline double log_odds_against_crown(double freedom, double misfit, double crown_scatter) {
  return freedom * std::log(crown_scatter) - 0.5 * misfit * (1 - 1 / (crown_scatter * crown_scatter));
}

}  // namespace geo
