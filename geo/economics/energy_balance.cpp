#include "geo/economics/energy_balance.hpp"

#include <algorithm>

#include "geo/economics/day_skies.hpp"

namespace geo {
namespace {

const TypicalDay& typical_day(const TypicalMonth& month, const Day& day) {
  return month.days[static_cast<std::size_t>(day.of_month) * month.days.size() /
                    static_cast<std::size_t>(day.days_in_month)];
}

/// Mean generation under a sky, kWh.
double mean(const SkyStateValues& sky, const SkyStateValues& kwh) {
  double sum = 0;
  for (std::size_t j = 0; j < kSkyStates; ++j) sum += sky[j] * kwh[j];
  return sum;
}

/// Generation of a whole day under a sky that stays, kWh.
SkyStateValues sum_of(const TypicalDay& day) {
  SkyStateValues sum{};
  for (const SkyStateValues& kwh : day.kwh)
    for (std::size_t j = 0; j < kSkyStates; ++j) sum[j] += kwh[j];
  return sum;
}

/// The quarter of an hour of legal time in UTC; before midnight UTC nothing is generated.
std::size_t utc_quarter(std::size_t quarter, const Day& day) {
  const std::size_t ahead = (day.summer_time ? 2 : 1) * kQuarters / 24;
  return (quarter + kQuarters - ahead) % kQuarters;
}

/// Scales each month to its known generation. Without it the sum is slightly off, because the bright days may
/// be the longer or the shorter ones.
std::array<double, 12> month_factors(const TypicalGeneration& generation, const std::vector<Day>& year,
                                     const std::vector<DaySky>& skies) {
  std::array<double, 12> sums{}, factors{};
  for (std::size_t i = 0; i < year.size(); ++i) {
    const SkyStateValues kwh = sum_of(typical_day(generation[year[i].month], year[i]));
    for (const SkyStateValues& hour : skies[i]) sums[year[i].month] += mean(hour, kwh) / kHourSkies;
  }
  for (std::size_t month = 0; month < factors.size(); ++month)
    factors[month] = sums[month] > 0 ? generation[month].kwh / sums[month] : 0;
  return factors;
}

/// Of a month, 0 = January.
std::size_t season_of_sun(int month) { return static_cast<std::size_t>((month + 1) % 12) / 3; }

/// One quarter of an hour.
EnergyBalance quarter_balance(const DaySky& sky, const SkyStateValues& kwh, double factor, double load_kwh,
                              Storage& storage) {
  EnergyBalance b{.consumption = load_kwh};
  const bool light = kwh.back() > 0;
  for (std::size_t part = 0; light && part < kHourSkies; ++part) {
    const double generated = factor * mean(sky[part], kwh);
    b.generation += generated / kHourSkies;
    b.direct += std::min(generated, load_kwh) / kHourSkies;
  }
  // Not negative by rounding.
  const double surplus = std::max(0.0, b.generation - b.direct), missing = std::max(0.0, load_kwh - b.direct);
  b.charged = storage.charge(surplus);
  b.discharged = storage.discharge(missing);
  b.fed_in = surplus - b.charged;
  b.drawn = missing - b.discharged;
  return b;
}

}  // namespace

EnergyBalance& EnergyBalance::operator+=(const EnergyBalance& other) {
  generation += other.generation;
  consumption += other.consumption;
  direct += other.direct;
  charged += other.charged;
  discharged += other.discharged;
  fed_in += other.fed_in;
  drawn += other.drawn;
  return *this;
}

YearBalance balance_of_year(const TypicalGeneration& generation, const std::vector<Day>& year,
                            const std::vector<DayLoad>& load, const StorageOptions& storage) {
  std::array<SkyStateValues, 12> by_month;
  for (std::size_t month = 0; month < by_month.size(); ++month)
    by_month[month] = generation[month].probability;
  const std::vector<DaySky> skies = day_skies(year, by_month);
  const std::array<double, 12> factors = month_factors(generation, year, skies);
  YearBalance out;
  std::array<double, kSeasonsOfSun> days{};
  Storage battery(storage);
  for (std::size_t i = 0; i < year.size(); ++i) {
    const Day& day = year[i];
    const TypicalDay& typical = typical_day(generation[day.month], day);
    SeasonDay& season = out.seasons[season_of_sun(day.month)];
    ++days[season_of_sun(day.month)];
    for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
      const EnergyBalance b = quarter_balance(skies[i], typical.kwh[utc_quarter(quarter, day)],
                                              factors[day.month], load[i][quarter], battery);
      out.months[day.month] += b;
      season.generation[quarter] += b.generation;
      season.consumption[quarter] += b.consumption;
      season.direct[quarter] += b.direct;
    }
  }
  for (const EnergyBalance& month : out.months) out.year += month;
  for (std::size_t s = 0; s < kSeasonsOfSun; ++s)
    for (std::size_t quarter = 0; quarter < kQuarters && days[s] > 0; ++quarter) {
      out.seasons[s].generation[quarter] /= days[s];
      out.seasons[s].consumption[quarter] /= days[s];
      out.seasons[s].direct[quarter] /= days[s];
    }
  return out;
}

}  // namespace geo
