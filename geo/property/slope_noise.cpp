#include "geo/property/slope_noise.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace geo {
namespace {

constexpr double kLevelScatter_m =
    0.03;                            // of a cell on a level roof; detection allows more (cell_figures.hpp)
constexpr double kFlattest_m = 0.3;  // rise across a cell: below, level noise is all there is
constexpr double kFreedom = 6;       // nine cells less a plane's three
constexpr double kMedianOfChiSquare = 0.891;  // with kFreedom degrees of freedom, divided by them
constexpr double kUsualCounts = 20;           // the usual figure counts as so many (overlapping) windows

}  // namespace

double slope_noise(const Grid<float>& dsm, const Mask& planar) {
  constexpr SegmentWindow kWindow{3, 3};
  std::vector<double> variances;
  for (int row = 0; row + 2 < dsm.height; ++row)
    for (int col = 0; col + 2 < dsm.width; ++col) {
      if (!holds_all_of(planar, col, row, kWindow)) continue;
      const WindowFit fit = fit_window(dsm, col, row, kWindow);
      if (!(fit.rise_m() > kFlattest_m)) continue;  // NaN included
      const double squares = 9 * fit.rms_m * fit.rms_m;
      variances.push_back((squares / kFreedom / kMedianOfChiSquare - kLevelScatter_m * kLevelScatter_m) /
                          (fit.rise_m() * fit.rise_m()));
    }
  if (variances.empty()) return kUsualSlopeNoise;
  const auto middle = variances.begin() + static_cast<std::ptrdiff_t>(variances.size() / 2);
  std::nth_element(variances.begin(), middle, variances.end());
  const auto windows = static_cast<double>(variances.size());
  return std::sqrt((kUsualCounts * kUsualSlopeNoise * kUsualSlopeNoise + windows * std::max(0.0, *middle)) /
                   (kUsualCounts + windows));
}

}  // namespace geo
