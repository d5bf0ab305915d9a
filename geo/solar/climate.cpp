#include "geo/solar/climate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geo/shapes/angle.hpp"
#include "geo/solar/clear_sky.hpp"
#include "geo/solar/climate_table.hpp"

namespace geo {
namespace {

namespace table = climate_table;

constexpr double kAlpineFrom_m = 600;
constexpr double kAlpineSouthOf_deg = 47.9;
constexpr double kBeyondGrid_deg = 3;

/// Measured / grid by month: mean of Potsdam and Bern.
constexpr MonthlyValues kLowlandFactors{0.925, 0.98,  0.98, 0.98,  1,     1,
                                        0.995, 0.983, 0.97, 0.945, 0.876, 0.87};

struct AlpineBand {
  double from_m;
  MonthlyValues factors;
};
constexpr std::array<AlpineBand, 4> kAlpineBands{{
    {600, {1.059, 1.003, 1.033, 1.008, 1.013, 0.923, 0.953, 0.93, 0.878, 0.869, 0.925, 1.016}},
    {900, {1.144, 1.124, 1.101, 1.024, 1.022, 0.929, 0.943, 0.952, 0.9, 0.92, 1.018, 1.107}},
    {1200, {1.288, 1.189, 1.179, 1.111, 1.076, 0.98, 1.004, 0.988, 0.969, 0.991, 1.107, 1.193}},
    {1500, {1.458, 1.403, 1.328, 1.257, 1.233, 1.095, 1.09, 1.086, 1.038, 1.096, 1.291, 1.402}},
}};

/// Air temperature: at 49 N 11 E and sea level, change per degree north, per degree east and per 1000 m.
constexpr double kTemperature[12][4] = {
    {2.46, -0.08, -0.26, -4.86},  {3.86, -0.25, -0.22, -5.39},  {7.63, -0.53, -0.13, -6.09},
    {12.08, -0.55, -0.00, -6.27}, {16.28, -0.61, -0.01, -6.39}, {20.13, -0.70, 0.09, -6.37},
    {21.56, -0.58, 0.08, -6.31},  {20.95, -0.50, 0.05, -6.00},  {16.64, -0.31, -0.03, -5.48},
    {11.88, -0.27, -0.15, -4.65}, {6.63, -0.06, -0.19, -4.38},  {3.40, -0.02, -0.23, -4.49},
};

constexpr MonthlyValues kLinkeRural{2.1, 2.2, 2.5, 2.9, 3.2, 3.4, 3.5, 3.3, 2.9, 2.6, 2.3, 2.2};
constexpr MonthlyValues kLinkeMountains{1.5, 1.6, 1.8, 1.9, 2.0, 2.3, 2.3, 2.3, 2.1, 1.8, 1.6, 1.5};

/// The four nodes around a place and their bilinear weights.
struct Surroundings {
  int row = 0, column = 0;
  double north = 0, east = 0;  ///< shares of the way to the next node
};

Surroundings surroundings(LonLat place) {
  const double y =
      std::clamp((place.lat_deg - table::kSouth_deg) / table::kStep_deg, 0.0, table::kRows - 1.0);
  const double x =
      std::clamp((place.lon_deg - table::kWest_deg) / table::kStep_deg, 0.0, table::kColumns - 1.0);
  Surroundings s;
  s.row = std::min(static_cast<int>(y), table::kRows - 2);
  s.column = std::min(static_cast<int>(x), table::kColumns - 2);
  s.north = y - s.row;
  s.east = x - s.column;
  return s;
}

MonthlyValues node(int row, int column) {
  MonthlyValues values;
  for (int month = 0; month < 12; ++month) values[month] = table::ghi_kwh_m2(row, column, month);
  return values;
}

double year(const MonthlyValues& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

MonthlyValues lowland_ghi(LonLat place) {
  const Surroundings s = surroundings(place);
  MonthlyValues ghi{};
  for (int up = 0; up < 2; ++up) {
    for (int right = 0; right < 2; ++right) {
      const double weight = (up ? s.north : 1 - s.north) * (right ? s.east : 1 - s.east);
      const MonthlyValues values = node(s.row + up, s.column + right);
      for (int month = 0; month < 12; ++month) ghi[month] += weight * kLowlandFactors[month] * values[month];
    }
  }
  return ghi;
}

/// The node with the highest yearly irradiation: there the satellite least mistook snow for cloud.
MonthlyValues alpine_ghi(LonLat place, double altitude_m) {
  const Surroundings s = surroundings(place);
  MonthlyValues ghi = node(s.row, s.column);
  for (const auto& [up, right] : {std::pair{0, 1}, std::pair{1, 0}, std::pair{1, 1}}) {
    const MonthlyValues other = node(s.row + up, s.column + right);
    if (year(other) > year(ghi)) ghi = other;
  }
  const AlpineBand* band = &kAlpineBands.front();
  for (const AlpineBand& candidate : kAlpineBands)
    if (altitude_m >= candidate.from_m) band = &candidate;
  for (int month = 0; month < 12; ++month) ghi[month] *= band->factors[month];
  return ghi;
}

double air_temperature_c(LonLat place, double altitude_m, int month) {
  const auto& c = kTemperature[month];
  return c[0] + c[1] * (place.lat_deg - 49) + c[2] * (place.lon_deg - 11) + c[3] * altitude_m / 1000;
}

double linke_turbidity(double altitude_m, int month) {
  const double mountain = std::clamp((altitude_m - 600) / 900, 0.0, 1.0);
  return kLinkeRural[month] + mountain * (kLinkeMountains[month] - kLinkeRural[month]);
}

/// The Black Forest lies south of 47.9 N, too, but it is not the Alps: there the alpine factors would give a
/// tenth too much (Feldberg, 1486 m).
bool within_alps(LonLat place) {
  const bool black_forest = place.lat_deg > 47.5 && place.lon_deg < 9;
  return place.lat_deg < kAlpineSouthOf_deg && !black_forest;
}

bool far_beyond_the_grid(LonLat place) {
  const double north = table::kSouth_deg + (table::kRows - 1) * table::kStep_deg;
  const double east = table::kWest_deg + (table::kColumns - 1) * table::kStep_deg;
  // Written so that NaN is refused, too.
  return !(place.lat_deg > table::kSouth_deg - kBeyondGrid_deg && place.lat_deg < north + kBeyondGrid_deg &&
           place.lon_deg > table::kWest_deg - kBeyondGrid_deg && place.lon_deg < east + kBeyondGrid_deg);
}

}  // namespace

double extraterrestrial_kwh_m2(double lat_deg, int month) {
  int day_of_year = 0;
  for (int m = 0; m < month; ++m) day_of_year += kDaysOfMonth[m];
  double sum = 0;
  for (int day = 0; day < kDaysOfMonth[month]; ++day) {
    // Spencer (1971): declination and distance by the day of the year; the daily integral is closed.
    const double a = 2 * std::numbers::pi * (day_of_year + day) / 365;
    const double declination = 0.006918 - 0.399912 * std::cos(a) + 0.070257 * std::sin(a) -
                               0.006758 * std::cos(2 * a) + 0.000907 * std::sin(2 * a) -
                               0.002697 * std::cos(3 * a) + 0.00148 * std::sin(3 * a);
    const double distance_factor = 1.000110 + 0.034221 * std::cos(a) + 0.001280 * std::sin(a) +
                                   0.000719 * std::cos(2 * a) + 0.000077 * std::sin(2 * a);
    const double lat = lat_deg * kDegree;
    const double sunset = std::acos(std::clamp(-std::tan(lat) * std::tan(declination), -1.0, 1.0));
    sum += distance_factor * (std::cos(lat) * std::cos(declination) * std::sin(sunset) +
                              sunset * std::sin(lat) * std::sin(declination));
  }
  return kSolarConstant_w_m2 * 24 / std::numbers::pi / 1000 * sum;
}

double monthly_diffuse_fraction(double clearness, double altitude_m) {
  const double kt = std::clamp(clearness, 0.1, 0.8);
  const double fraction = 1.0225 - 1.1198 * kt + 0.0539 * kt * kt - 0.0184 * altitude_m / 1000;
  return std::clamp(fraction, 0.1, 1.0);
}

Result<MonthlyClimate> climate_at(LonLat place, double altitude_m,
                                  const std::optional<MonthlyValues>& ghi_kwh_m2) {
  if (far_beyond_the_grid(place) || !std::isfinite(altitude_m))
    return fail(FailureKind::invalid_input, "the built-in climatology does not cover the place");
  MonthlyClimate climate;
  climate.place = place;
  climate.altitude_m = altitude_m;
  climate.built_in_irradiation = !ghi_kwh_m2;
  climate.region =
      altitude_m >= kAlpineFrom_m && within_alps(place) ? ClimateRegion::alpine : ClimateRegion::lowland;
  climate.ghi_kwh_m2 = ghi_kwh_m2                                ? *ghi_kwh_m2
                       : climate.region == ClimateRegion::alpine ? alpine_ghi(place, altitude_m)
                                                                 : lowland_ghi(place);
  for (int month = 0; month < 12; ++month) {
    const double ghi = climate.ghi_kwh_m2[month];
    if (!(ghi >= 0 && ghi < 400))
      return fail(FailureKind::invalid_input, "a month's irradiation is not within 0..400 kWh/m2");
    climate.diffuse_fraction[month] =
        monthly_diffuse_fraction(ghi / extraterrestrial_kwh_m2(place.lat_deg, month), altitude_m);
    climate.air_temperature_c[month] = air_temperature_c(place, altitude_m, month);
    climate.linke_turbidity[month] = linke_turbidity(altitude_m, month);
  }
  return climate;
}

}  // namespace geo
