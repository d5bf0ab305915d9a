#include "geo/solar/climate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "geo/shapes/angle.hpp"
#include "geo/solar/alps.hpp"
#include "geo/solar/clear_sky.hpp"
#include "geo/solar/climate_table.hpp"
#include "geo/solar/interpolation.hpp"

namespace geo {
namespace {

namespace table = climate_table;

constexpr double kBeyondGrid_deg = 3;

/// Measured / grid by month: mean of Potsdam and Bern.
constexpr MonthlyValues kLowlandFactors{0.925, 0.98,  0.98, 0.98,  1,     1,
                                        0.995, 0.983, 0.97, 0.945, 0.876, 0.87};

/// The same in the Alps, by altitude: each band's factors hold at its middle, the last one's from there
/// upwards.
struct AlpineFactors {
  double altitude_m;
  MonthlyValues factors;
};
constexpr std::array<AlpineFactors, 5> kAlpineFactors{{
    {300, {0.972, 1.005, 1.019, 0.976, 1.01, 0.944, 0.972, 0.966, 0.925, 0.906, 0.924, 0.93}},
    {750, {1.059, 1.003, 1.033, 1.008, 1.013, 0.923, 0.953, 0.93, 0.878, 0.869, 0.925, 1.016}},
    {1050, {1.144, 1.124, 1.101, 1.024, 1.022, 0.929, 0.943, 0.952, 0.9, 0.92, 1.018, 1.107}},
    {1350, {1.288, 1.189, 1.179, 1.111, 1.076, 0.98, 1.004, 0.988, 0.969, 0.991, 1.107, 1.193}},
    {1600, {1.458, 1.403, 1.328, 1.257, 1.233, 1.095, 1.09, 1.086, 1.038, 1.096, 1.291, 1.402}},
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

/// A place in a grid, between four of its points.
struct Surroundings {
  int row = 0, column = 0;
  double north = 0, east = 0;  ///< shares of the way to the next row and column
};

/// Of a grid of that size whose first point lies at `south_deg`, `west_deg`. Beyond the grid its edge holds.
Surroundings surroundings(LonLat place, double south_deg, double west_deg, int rows, int columns) {
  const double y = std::clamp((place.lat_deg - south_deg) / table::kStep_deg, 0.0, rows - 1.0);
  const double x = std::clamp((place.lon_deg - west_deg) / table::kStep_deg, 0.0, columns - 1.0);
  Surroundings s;
  s.row = std::min(static_cast<int>(y), rows - 2);
  s.column = std::min(static_cast<int>(x), columns - 2);
  s.north = y - s.row;
  s.east = x - s.column;
  return s;
}

MonthlyValues mixed(const MonthlyValues& a, const MonthlyValues& b, double share_of_b) {
  MonthlyValues out{};
  for (int month = 0; month < 12; ++month) out[month] = (1 - share_of_b) * a[month] + share_of_b * b[month];
  return out;
}

/// Bilinear. `at` gives the values at a row and a column.
template <class At>
MonthlyValues between(const Surroundings& s, At at) {
  return mixed(mixed(at(s.row, s.column), at(s.row, s.column + 1), s.east),
               mixed(at(s.row + 1, s.column), at(s.row + 1, s.column + 1), s.east), s.north);
}

MonthlyValues node(int row, int column) {
  MonthlyValues values;
  for (int month = 0; month < 12; ++month) values[month] = table::ghi_kwh_m2(row, column, month);
  return values;
}

/// Of the four nodes around a cell the one with the most in a year: there the satellite least mistook snow
/// for cloud.
MonthlyValues sunniest_node(int row, int column) {
  std::array<MonthlyValues, 4> nodes{node(row, column), node(row, column + 1), node(row + 1, column),
                                     node(row + 1, column + 1)};
  const auto year = [](const MonthlyValues& v) { return std::accumulate(v.begin(), v.end(), 0.0); };
  return *std::max_element(nodes.begin(), nodes.end(),
                           [&](const auto& a, const auto& b) { return year(a) < year(b); });
}

MonthlyValues times(MonthlyValues values, const MonthlyValues& factors) {
  for (int month = 0; month < 12; ++month) values[month] *= factors[month];
  return values;
}

MonthlyValues lowland_ghi(LonLat place) {
  const auto at = surroundings(place, table::kSouth_deg, table::kWest_deg, table::kRows, table::kColumns);
  return times(between(at, node), kLowlandFactors);
}

MonthlyValues alpine_factors(double altitude_m) {
  const BetweenPlaces at =
      between_places(kAlpineFactors, altitude_m, [](const AlpineFactors& one) { return one.altitude_m; });
  return mixed(kAlpineFactors[at.first].factors, kAlpineFactors[at.first + 1].factors, at.share);
}

/// Each cell's sunniest node holds in the middle of the cell.
MonthlyValues alpine_ghi(LonLat place, double altitude_m) {
  const double half = table::kStep_deg / 2;
  const auto at = surroundings(place, table::kSouth_deg + half, table::kWest_deg + half, table::kRows - 1,
                               table::kColumns - 1);
  return times(between(at, sunniest_node), alpine_factors(altitude_m));
}

double air_temperature_c(LonLat place, double altitude_m, int month) {
  const auto& c = kTemperature[month];
  return c[0] + c[1] * (place.lat_deg - 49) + c[2] * (place.lon_deg - 11) + c[3] * altitude_m / 1000;
}

double linke_turbidity(double altitude_m, int month) {
  const double mountain = std::clamp((altitude_m - 600) / 900, 0.0, 1.0);
  return kLinkeRural[month] + mountain * (kLinkeMountains[month] - kLinkeRural[month]);
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
  climate.ghi_kwh_m2 =
      ghi_kwh_m2 ? *ghi_kwh_m2
                 : mixed(lowland_ghi(place), alpine_ghi(place, altitude_m), alpine_share(place, altitude_m));
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
