// Is it a roof, whose cells scatter by what fits assume, or a crown, in which they scatter several times as
// much? The odds of the one against the other (likelihood ratio, Neyman & Pearson 1933). How high they must
// be says who asks.
#pragma once
#include <cmath>

namespace geo {

/// Logarithm of the odds that cells are a roof's and no crown's. `freedom`: cells less the fit's parameters;
/// `misfit`: the cells' sum of squared residuals, each over what a roof's scatters by.
inline double log_odds_against_crown(double freedom, double misfit) {
  constexpr double kCrownScatter = 4;  // leaves against a roof, at least
  return freedom * std::log(kCrownScatter) - 0.5 * misfit * (1 - 1 / (kCrownScatter * kCrownScatter));
}

}  // namespace geo
