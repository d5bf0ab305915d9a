#include "geo/solar/snow.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace geo {
namespace {

constexpr std::size_t kTilts = 6;
constexpr std::array<double, kTilts> kTilt_deg{0, 10, 20, 30, 45, 60};

struct SnowBand {
  double from_m;
  std::array<double, kTilts> loss_pct;
};
constexpr std::array<SnowBand, 7> kSnowBands{{
    {200, {2.2, 1.4, 0.9, 0.8, 0.7, 0.6}},
    {450, {3.6, 2.0, 1.5, 1.2, 1.1, 1.0}},
    {600, {5.5, 2.6, 1.8, 1.4, 1.2, 1.2}},
    {800, {6.9, 4.4, 3.1, 2.5, 2.0, 1.9}},
    {1000, {13.3, 6.2, 4.3, 3.5, 2.8, 2.6}},
    {1200, {20.9, 8.1, 5.7, 4.7, 3.9, 3.7}},
    {1500, {17.5, 7.4, 4.9, 4.0, 3.5, 3.3}},
}};

constexpr double kSnowBelow_c = 4;
constexpr double kMostOfAMonth = 0.9;

}  // namespace

double snow_loss_pct(double altitude_m, double tilt_deg) {
  const SnowBand* band = &kSnowBands.front();
  for (const SnowBand& candidate : kSnowBands)
    if (altitude_m >= candidate.from_m) band = &candidate;
  const double tilt = std::clamp(tilt_deg, kTilt_deg.front(), kTilt_deg.back());
  std::size_t i = 0;
  while (i + 2 < kTilts && kTilt_deg[i + 1] <= tilt) ++i;
  const double share = (tilt - kTilt_deg[i]) / (kTilt_deg[i + 1] - kTilt_deg[i]);
  return band->loss_pct[i] + share * (band->loss_pct[i + 1] - band->loss_pct[i]);
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
