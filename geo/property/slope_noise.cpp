#include "geo/property/slope_noise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace geo {
namespace {

constexpr double kLevelScatter_m =
    0.03;                            // of a cell on a level roof; detection allows more (cell_figures.hpp)
constexpr double kFlattest_m = 0.3;  // rise across a cell: below, level noise is all there is
constexpr double kFreedom = 6;       // nine cells less a plane's three
constexpr double kMedianOfChiSquare = 0.891;  // with kFreedom degrees of freedom, divided by them
constexpr double kUsualCounts = 20;           // the usual figure counts as so many (overlapping) windows

/// Of one window: the squared rise across a cell and the sum of squared residuals about its plane.
struct WindowFit {
  double rise_squared, residuals;
};

std::optional<WindowFit> fit(const Grid<float>& dsm, const Mask& planar, int col, int row) {
  double sum = 0, along_u = 0, along_v = 0, squares = 0;
  const double z0 = dsm.at(col, row);
  for (int v = -1; v <= 1; ++v)
    for (int u = -1; u <= 1; ++u) {
      if (!planar.at(col + u, row + v)) return {};
      const double z = dsm.at(col + u, row + v) - z0;
      sum += z, along_u += u * z, along_v += v * z, squares += z * z;
    }
  const double slopes = along_u * along_u + along_v * along_v;  // each along_ is six times a gradient
  return WindowFit{slopes / 36, squares - sum * sum / 9 - slopes / 6};
}

}  // namespace

double slope_noise(const Grid<float>& dsm, const Mask& planar) {
  std::vector<double> variances;
  for (int row = 1; row + 1 < dsm.height; ++row)
    for (int col = 1; col + 1 < dsm.width; ++col)
      if (const auto window = fit(dsm, planar, col, row);
          window && window->rise_squared > kFlattest_m * kFlattest_m)
        variances.push_back(
            (window->residuals / kFreedom / kMedianOfChiSquare - kLevelScatter_m * kLevelScatter_m) /
            window->rise_squared);
  if (variances.empty()) return kUsualSlopeNoise;
  const auto middle = variances.begin() + static_cast<std::ptrdiff_t>(variances.size() / 2);
  std::nth_element(variances.begin(), middle, variances.end());
  const auto windows = static_cast<double>(variances.size());
  return std::sqrt((kUsualCounts * kUsualSlopeNoise * kUsualSlopeNoise + windows * std::max(0.0, *middle)) /
                   (kUsualCounts + windows));
}

}  // namespace geo
