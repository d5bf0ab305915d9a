// The climate of a place: what falls on the horizontal in each month, how much of it is diffuse, how warm the
// air is and how turbid. Built-in figures for Austria, Germany and Switzerland; an irradiance data set may
// replace the irradiation. kWh/m2, degrees Celsius.
//
// Irradiation: satellite grid (climate_table.hpp) times monthly factors, mean of measured / grid at Potsdam
// and Bern (lowland) and by altitude in the Alps. There the grid mistakes snow for cloud, so of the four
// nodes of a cell the one with the highest year serves. All is interpolated: no figure jumps from a place to
// the next. Diffuse fraction: monthly regression on the clearness index, rmse 0.035. Air temperature: least
// squares on latitude, longitude and altitude over 156 places of the three countries (weather stations and
// test reference years, monthly means), rmse 0.5 K, largest error 2.5 K. Linke turbidity: rural up to 600 m,
// mountains from 1500 m, between them by altitude.
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "geo/failure.hpp"
#include "geo/shapes/shapes.hpp"

namespace geo {

using MonthlyValues = std::array<double, 12>;

inline constexpr std::array<int, 12> kDaysOfMonth{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

struct MonthlyClimate {
  MonthlyValues ghi_kwh_m2{};
  MonthlyValues diffuse_fraction{};
  MonthlyValues air_temperature_c{};
  MonthlyValues linke_turbidity{};
  LonLat place;
  double altitude_m = 0;
  bool built_in_irradiation = true;  ///< false: the irradiation was given; kBuiltInSource need not be named
};

/// For `quellen`, in German where a client reads it.
struct ClimateSource {
  std::string_view name, provider, licence, attribution, url;
  int first_year = 0, last_year = 0;
  double grid_m = 0;
};
inline constexpr ClimateSource kBuiltInSource{
    .name = "Globalstrahlung aus Satellitendaten, Monatsmittel 2006-2025",
    .provider = "EUMETSAT CM SAF, Deutscher Wetterdienst (DWD)",
    .licence = "CC BY 4.0",
    .attribution = "Strahlungsdaten: EUMETSAT CM SAF / Deutscher Wetterdienst, CC BY 4.0, Daten bearbeitet",
    .url = "https://opendata.dwd.de/climate_environment/CDC/",
    .first_year = 2006,
    .last_year = 2025,
    .grid_m = 20000};

/// Within the Alps the alpine factors hold, elsewhere the lowland's (alps.hpp). Beyond the grid (45.6-55.2
/// N, 5.8-16.0 E) the nearest node holds; more than 3 degrees beyond it: invalid_input. `ghi_kwh_m2` replaces
/// the built-in irradiation (an irradiance data set).
Result<MonthlyClimate> climate_at(LonLat place, double altitude_m,
                                  const std::optional<MonthlyValues>& ghi_kwh_m2 = std::nullopt);

/// Irradiation on the horizontal above the air in a month (0 = January), kWh/m2.
double extraterrestrial_kwh_m2(double lat_deg, int month);

/// Diffuse share of a month's irradiation, from its clearness index (irradiation / extraterrestrial).
double monthly_diffuse_fraction(double clearness, double altitude_m);

}  // namespace geo
