// Is it a roof, whose cells scatter by what fits assume, or a crown, in which they scatter several times as
// much? The odds of the one against the other (likelihood ratio, Neyman & Pearson 1933). How high they must
// be says who asks.
#pragma once
#include <cmath>

namespace geo {

/// Logarithm of the odds that cells are a roof's and no crown's. `freedom`: cells less the fit's parameters;
/// `misfit`: the cells' sum of squared residuals, each over what a roof's scatters by; `crown_scatter`: how
/// many times as much a crown's cells scatter, at least.
inline double log_odds_against_crown(double freedom, double misfit, double crown_scatter) {
  return freedom * std::log(crown_scatter) - 0.5 * misfit * (1 - 1 / (crown_scatter * crown_scatter));
}

}  // namespace geo
