// One household is less even than the mean of many: it cooks for half an hour and then takes nothing.
#pragma once
#include "geo/economics/energy_balance.hpp"

namespace geo {

/// What a single household uses itself, as a share of what H0 gives. 0.78 without storage, 0.97 with 1 kWh of
/// usable storage for each MWh a year, 1 from 2 kWh; linear between them. The MWh are those of the
/// consumption or, if that is less, of the generation, which is what a storage has to take. Derived where
/// both are alike (1 kWp per MWh) by setting minutes of 74 measured households (HTW Berlin; Tjaden, Bergner,
/// Weniger & Quaschning 2015, "Repräsentative elektrische Lastprofile für Wohngebäude in Deutschland auf
/// 1-sekündiger Datenbasis") beside H0 under Potsdam's test reference year. A plant that gives less than a
/// quarter of the consumption runs below the household's base load more and more: the share goes to 1, linear
/// (an assumption).
double household_share(double storage_kwh, double consumption_kwh, double generation_kwh);

/// Multiplies direct use and storage of `of_many` by `share`; the grid takes and gives the rest.
EnergyBalance household_balance(const EnergyBalance& of_many, double share);
YearBalance household_year(YearBalance of_many, double share);

}  // namespace geo
