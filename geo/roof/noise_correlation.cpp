#include "geo/roof/noise_correlation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geo/grid/cell_block.hpp"

namespace geo {
namespace {

constexpr std::size_t kFewestResiduals =
    20;  // in smaller segments the fit itself makes the residuals alternate
constexpr int kFewestPairs = 40;
constexpr double kOutlierResidual = 3;  // sigmas: a chimney is no noise
constexpr double kStandsOut = 0.5;
constexpr double kMost = 6;

/// Steps to half of the cells at one distance; the other half lies opposite.
using Lag = std::vector<GridCell>;
const std::array<Lag, 4> kLags{Lag{{1, 0}, {0, 1}}, Lag{{1, 1}, {1, -1}}, Lag{{2, 0}, {0, 2}},
                               Lag{{2, 1}, {1, 2}, {2, -1}, {1, -2}}};

struct Products {
  double sum = 0;
  int pairs = 0;
};

/// Residuals divided by the expected scatter of the plane's cells; NaN for outliers and other segments'
/// cells.
Grid<double> standardised(const RoofSegmentation& roof, std::size_t segment) {
  Grid<double> out = roof.cells.index.like<double>(NAN);
  const RoofSegment& s = roof.segments[segment];
  const double sigma_m = roof.noise.sigma_m(s.fit.plane);
  for (const auto [col, row] : all_cells(out)) {
    if (roof.segment_at(col, row) != static_cast<int>(segment)) continue;
    const double r = residual(roof.cells.points[roof.cells.index.at(col, row)], s.fit.plane) / sigma_m;
    if (std::abs(r) < kOutlierResidual) out.at(col, row) = r;
  }
  return out;
}

}  // namespace

double noise_correlation(const RoofSegmentation& roof) {
  Products variance;
  std::array<Products, kLags.size()> lagged;
  double lost = 0;  // what the three fitted parameters take from each product
  for (std::size_t s = 0; s < roof.segments.size(); ++s) {
    if (roof.segments[s].cells.size() < kFewestResiduals) continue;
    const Grid<double> r = standardised(roof, s);
    const Products before = variance;
    for (const auto [col, row] : all_cells(r)) {
      if (std::isnan(r.at(col, row))) continue;
      variance.sum += r.at(col, row) * r.at(col, row);
      ++variance.pairs;
      for (std::size_t k = 0; k < kLags.size(); ++k)
        for (const GridCell& step : kLags[k]) {
          const int c = col + step.col, w = row + step.row;
          if (!r.contains(c, w) || std::isnan(r.at(c, w))) continue;
          lagged[k].sum += r.at(col, row) * r.at(c, w);
          ++lagged[k].pairs;
        }
    }
    lost += 3 * (variance.sum - before.sum) / std::max(1, variance.pairs - before.pairs);
  }
  if (lagged[0].pairs < kFewestPairs || variance.sum <= 0) return 1;
  const double mean_lost = lost / variance.pairs;
  const double own = variance.sum / variance.pairs + mean_lost;
  double factor = 1;
  // The sum goes only as far as the correlation stands out of its own scatter (an initial sequence, Geyer
  // 1992): beyond that, chance could only make the error larger.
  for (std::size_t k = 0; k < kLags.size() && lagged[k].pairs > 0; ++k) {
    const double correlation = (lagged[k].sum / lagged[k].pairs + mean_lost) / own;
    if (correlation < kStandsOut / std::sqrt(lagged[k].pairs)) break;
    factor += 2 * static_cast<double>(kLags[k].size()) * correlation;
  }
  return std::clamp(factor, 1.0, kMost);
}

}  // namespace geo
