// Which day of a month has which sky. A day of the year is brighter or duller as a whole, its sky changes
// from hour to hour and within minutes. The day's brightness decides how long a battery lasts, the hour's how
// much of the generation is used at once; the minutes' is levelled within a quarter of an hour.
//
// Model: the state of the sky is the rank of sqrt(a) D + sqrt(b) H + sqrt(1 - a - b) M among the month's,
// with D the day's brightness, H the hour's, M the minute's, all standard normal (a Gaussian copula; Sklar
// 1959). D's distribution is cut into n equally likely parts for a month of n days, and each day gets one;
// H's in the same way for a day. So the days together have the month's mix of skies. Their order is fixed:
// the ranks of one series in which each day resembles the one before.
#pragma once
#include <array>
#include <vector>

#include "geo/economics/calendar.hpp"
#include "geo/solar/sky_mix.hpp"

namespace geo {

inline constexpr std::size_t kHourSkies = 8;

/// Equal parts of a day's hours, from dull to bright: how often each state occurs within minutes.
using DaySky = std::array<SkyStateValues, kHourSkies>;

/// Of each day of the year. `by_month`: how often each state occurs in the month.
std::vector<DaySky> day_skies(const std::vector<Day>& year, const std::array<SkyStateValues, 12>& by_month);

}  // namespace geo
