#include "geo/economics/household.hpp"

#include <algorithm>

namespace geo {

double household_share(double storage_kwh, double consumption_kwh, double generation_kwh) {
  constexpr double kWithout = 0.78, kWithOne = 0.97, kWithTwo = 1, kAllBaseLoad = 0.25;
  const double stored_of_kwh = std::min(consumption_kwh, generation_kwh);
  if (stored_of_kwh <= 0) return kWithTwo;
  const double kwh_per_mwh = std::clamp(1000 * storage_kwh / stored_of_kwh, 0.0, 2.0);
  const double of_one = kwh_per_mwh < 1 ? kWithout + kwh_per_mwh * (kWithOne - kWithout)
                                        : kWithOne + (kwh_per_mwh - 1) * (kWithTwo - kWithOne);
  const double above_base_load = std::min(1.0, generation_kwh / consumption_kwh / kAllBaseLoad);
  return 1 - (1 - of_one) * above_base_load;
}

EnergyBalance household_balance(const EnergyBalance& of_many, double share) {
  EnergyBalance b = of_many;
  b.direct *= share;
  b.charged *= share;
  b.discharged *= share;
  b.fed_in = b.generation - b.direct - b.charged;
  b.drawn = b.consumption - b.direct - b.discharged;
  return b;
}

YearBalance household_year(YearBalance of_many, double share) {
  of_many.year = household_balance(of_many.year, share);
  for (EnergyBalance& month : of_many.months) month = household_balance(month, share);
  for (SeasonDay& day : of_many.seasons)
    for (double& kwh : day.direct) kwh *= share;
  return of_many;
}

}  // namespace geo
