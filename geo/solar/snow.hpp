// What lying snow costs in a year, by altitude and tilt. Source: the sliding rule of Marion, Schaefer, Caine
// & Sanchez (2013), "Measured and modeled photovoltaic system energy losses from snow for Colorado and
// Wisconsin locations", Solar Energy 97, run on daily snow depths; median of sites, south-facing.
#pragma once
#include "geo/solar/climate.hpp"

namespace geo {

/// In per cent of the year. Linear between the tilts (0, 10, 20, 30, 45, 60 degrees) and the middles of the
/// altitude bands (325 to 1650 m) of the table; beyond it its end.
double snow_loss_pct(double altitude_m, double tilt_deg);

/// The same loss by month: shares of each month's yield that together lose `yearly_pct` of the year. They
/// follow how far the month's mean temperature lies below 4 degrees; where no month is as cold, below the
/// coldest month's and a degree. No month loses more than nine tenths.
MonthlyValues snow_shares_by_month(double yearly_pct, const MonthlyValues& air_temperature_c,
                                   const MonthlyValues& yield);

}  // namespace geo
