#include "geo/solar/snow.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "geo/solar/interpolation.hpp"

namespace geo {
namespace {

constexpr std::size_t kTilts = 6;
constexpr std::array<double, kTilts> kTilt_deg{0, 10, 20, 30, 45, 60};

/// A band's loss holds at its middle.
struct SnowLosses {
  double altitude_m;
  std::array<double, kTilts> loss_pct;
};
constexpr std::array<SnowLosses, 7> kSnowLosses{{
    {325, {2.2, 1.4, 0.9, 0.8, 0.7, 0.6}},
    {525, {3.6, 2.0, 1.5, 1.2, 1.1, 1.0}},
    {700, {5.5, 2.6, 1.8, 1.4, 1.2, 1.2}},
    {900, {6.9, 4.4, 3.1, 2.5, 2.0, 1.9}},
    {1100, {13.3, 6.2, 4.3, 3.5, 2.8, 2.6}},
    {1350, {20.9, 8.1, 5.7, 4.7, 3.9, 3.7}},
    {1650, {17.5, 7.4, 4.9, 4.0, 3.5, 3.3}},
}};

constexpr double kSnowBelow_c = 4;
constexpr double kMostOfAMonth = 0.9;

}  // namespace

double snow_loss_pct(double altitude_m, double tilt_deg) {
  const BetweenPlaces high =
      between_places(kSnowLosses, altitude_m, [](const SnowLosses& one) { return one.altitude_m; });
  const BetweenPlaces tilted = between_places(kTilt_deg, tilt_deg, [](double tilt) { return tilt; });
  const auto at = [&](std::size_t row) {
    const auto& loss = kSnowLosses[row].loss_pct;
    return std::lerp(loss[tilted.first], loss[tilted.first + 1], tilted.share);
  };
  return std::lerp(at(high.first), at(high.first + 1), high.share);
}

MonthlyValues snow_shares_by_month(double yearly_pct, const MonthlyValues& air_temperature_c,
                                   const MonthlyValues& yield) {
  const double coldest = *std::min_element(air_temperature_c.begin(), air_temperature_c.end());
  const double warm_limit = std::max(kSnowBelow_c, coldest + 1);
  MonthlyValues shares{};
  double weighted = 0;
  for (int m = 0; m < 12; ++m) {
    shares[m] = std::max(0.0, warm_limit - air_temperature_c[m]);
    weighted += shares[m] * yield[m];
  }
  if (weighted <= 0) return MonthlyValues{};
  const double lost = yearly_pct / 100 * std::accumulate(yield.begin(), yield.end(), 0.0);
  for (double& share : shares) share = std::min(kMostOfAMonth, share * lost / weighted);
  return shares;
}

}  // namespace geo
