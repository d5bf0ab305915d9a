#include "geo/economics/day_skies.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <random>

namespace geo {
namespace {

/// Shares of the variance. Chosen so that what a household uses itself at Potsdam is what it uses in the real
/// hours of the test reference year, without storage and with (tests/geo/economics_test.cpp).
constexpr double kOfDay = 0.78;
constexpr double kOfHour = 0.15;
constexpr double kOfMinutes = 1 - kOfDay - kOfHour;
constexpr double kLikeTheDayBefore = 0.35;    ///< correlation; that of daily irradiation in Central Europe
constexpr int kDaySteps = 2, kHourSteps = 2;  ///< of the integrals over a day's and an hour's part

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double normal_quantile(double p) { return -std::sqrt(2.0) * boost::math::erfc_inv(2 * p); }

/// Cuts the standard normal distribution into `parts` equally likely parts. Returns points that are spread
/// evenly over one of them.
template <int kSteps>
std::array<double, kSteps> steps_of(int part, int parts) {
  std::array<double, kSteps> steps;
  for (int step = 0; step < kSteps; ++step)
    steps[step] = normal_quantile((part + (step + 0.5) / kSteps) / parts);
  return steps;
}

/// The days' brightness: standard normal, the same on every machine.
std::vector<double> brightness(std::size_t days) {
  std::mt19937 random(1);
  std::vector<double> series;
  double before = 0;
  for (std::size_t day = 0; day < days; ++day) {
    const double fresh = normal_quantile((random() + 0.5) / (1.0 + std::mt19937::max()));
    before = kLikeTheDayBefore * before + std::sqrt(1 - kLikeTheDayBefore * kLikeTheDayBefore) * fresh;
    series.push_back(before);
  }
  return series;
}

/// For each state of the sky: the normal quantile of the probability of this state or a duller one.
SkyStateValues thresholds(const SkyStateValues& of_month) {
  SkyStateValues upper{};
  double below = 0;
  for (std::size_t j = 0; j < kSkyStates; ++j) {
    below += of_month[j];
    upper[j] = normal_quantile(std::clamp(below, 1e-12, 1 - 1e-12));
  }
  return upper;
}

/// The states of one part of the hours of the day whose brightness is the `rank`-th of `days`.
SkyStateValues hour_sky(const std::array<double, kDaySteps>& day, const std::array<double, kHourSteps>& hour,
                        const SkyStateValues& upper) {
  SkyStateValues sky{};
  double before = 0;
  for (std::size_t j = 0; j < kSkyStates; ++j) {
    double below = 0;
    for (double d : day)
      for (double h : hour)
        below +=
            normal_cdf((upper[j] - std::sqrt(kOfDay) * d - std::sqrt(kOfHour) * h) / std::sqrt(kOfMinutes));
    below = j + 1 == kSkyStates ? 1 : below / (kDaySteps * kHourSteps);
    sky[j] = below - before;
    before = below;
  }
  return sky;
}

}  // namespace

std::vector<DaySky> day_skies(const std::vector<Day>& year, const std::array<SkyStateValues, 12>& by_month) {
  const std::vector<double> bright = brightness(year.size());
  std::array<std::array<double, kHourSteps>, kHourSkies> hours;
  for (std::size_t part = 0; part < kHourSkies; ++part)
    hours[part] = steps_of<kHourSteps>(static_cast<int>(part), kHourSkies);
  std::array<SkyStateValues, 12> upper;
  std::transform(by_month.begin(), by_month.end(), upper.begin(), thresholds);
  std::vector<DaySky> skies(year.size());
  for (std::size_t i = 0; i < year.size(); ++i) {
    const Day& day = year[i];
    const auto month = bright.begin() + static_cast<std::ptrdiff_t>(i) - day.of_month;
    const auto rank =
        std::count_if(month, month + day.days_in_month, [&](double b) { return b < bright[i]; });
    const auto days = steps_of<kDaySteps>(static_cast<int>(rank), day.days_in_month);
    for (std::size_t part = 0; part < kHourSkies; ++part)
      skies[i][part] = hour_sky(days, hours[part], upper[day.month]);
  }
  return skies;
}

}  // namespace geo
